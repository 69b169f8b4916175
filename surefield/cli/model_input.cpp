#include "surefield/cli/model_input.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "surefield/cli/number_rule.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/fields.hpp"
#include "surefield/io/box_file.hpp"
#include "surefield/io/items_file.hpp"
#include "surefield/io/read_file.hpp"

namespace surefield::cli {

namespace {

/// What --box, --in and --out say, on top of what the file says.
void narrow(Box& box, const ModelInput& input, const std::vector<std::string>& items) {
  const Index n = box.size();
  const ItemLookup lookup(n, 0, items);
  if (!input.box.empty()) {
    const Box more = read_box(input.box, n, lookup);
    for (Index i = 0; i < n; ++i) {
      box.low[i] = std::max(box.low[i], more.low[i]);
      box.high[i] = std::min(box.high[i], more.high[i]);
      require(box.low[i] <= box.high[i], input.box, ": item ", i, " is left with no value by what ",
              input.path, " fixes");
    }
  }
  const auto fix = [&](const std::vector<std::string>& given, double v, std::string_view option) {
    fix_items(box, find_items(labels_in(given, lookup, option), lookup, items, option), v, items,
              option);
  };
  fix(input.in, 1, "--in");
  fix(input.out, 0, "--out");
}

ReadOptions read_options(const ModelInput& input) {
  ReadOptions options{
      .format = input.format, .row_weight = input.row_weight, .evidence = input.evidence};
  if (!input.meaning.empty()) options.meaning = edge_meaning_named(input.meaning);
  return options;
}

Problem problem_of(ModelFile file, const ModelInput& input) {
  narrow(file.box, input, file.items);
  return make_problem(std::move(file.model), std::move(file.items), std::move(file.box),
                      {.no_guarantee = input.no_guarantee});
}

ModelFile with_labels(ModelFile file, const std::string& text, const ModelInput& input,
                      const CommonOptions& common) {
  if (!file.items.empty()) return file;
  if (auto items = read_items_beside(input.path, text, size_of(file.model))) {
    file.items = std::move(*items);
    say(message(input.path, ": its items are called as ", items_path(input.path), " says"), common);
  }
  return file;
}

}  // namespace

std::vector<std::string> labels_in(const std::vector<std::string>& given, const ItemLookup& lookup,
                                   std::string_view option) {
  std::vector<std::string> labels;
  Fields fields;
  for (const std::string& list : given) {
    if (lookup.find(list)) {  // a label may hold commas
      labels.push_back(list);
      continue;
    }
    fields.split(list, Separator::kComma, option, labels.size() + 1);
    for (std::string& label : fields.copy()) labels.push_back(std::move(label));
  }
  return labels;
}

void add_model_file(CLI::App& command, ModelInput& input) {
  command
      .add_option("model", input.path,
                  "a model file, - for stdin; `surefield list` names the formats")
      ->required();
  add_reading_options(command, input);
}

void add_reading_options(CLI::App& command, ModelInput& input) {
  command.add_option("--from", input.format,
                     "its format by name, where extension and content do not tell");
  command
      .add_option(
          "--edges", input.meaning,
          "what the numbers of an edge list are; cut unless the file is .sparse, then quadratic")
      ->check(CLI::IsMember(edge_meaning_names()));
  command
      .add_option("--row-weight", input.row_weight,
                  "what covering a row of a set cover is worth; by default 1")
      ->check(takes(kFinite));
}

void add_box_options(CLI::App& command, ModelInput& input) {
  command.add_option("--in", input.in, "items forced in, by name or by id from 0, comma separated");
  command.add_option("--out", input.out, "items forced out");
  command.add_option("--box", input.box, "file of lines `item low high` that bound marginals");
  command.add_option("--evidence", input.evidence,
                     "UAI evidence file: variables that are observed");
  command.add_flag("--no-guarantee", input.no_guarantee,
                   "run a model that is not log-submodular all the same; nothing is then claimed");
}

const ModelFormat& output_format(const std::string& name, const std::string& path) {
  if (!name.empty()) return format_named(name);
  if (path.empty()) return format_named("json");
  const ModelFormat* const format = format_by_ending(path);
  require(format != nullptr, path, ": the ending says no format; name one with --to");
  return *format;
}

ModelFile load_file(const ModelInput& input, const CommonOptions& common) {
  if (const ModelFormat* const folder = folder_format(input.path, input.format))
    return read_model_folder(input.path, *folder, read_options(input));
  const std::string text = read_file(input.path);
  return with_labels(parse_model(text, input.path, read_options(input)), text, input, common);
}

Problem load_problem(const ModelInput& input, const CommonOptions& common) {
  return problem_of(load_file(input, common), input);
}

Problem load_problem_of_any_sign(ModelInput input, const CommonOptions& common) {
  const bool told = std::exchange(input.no_guarantee, true);
  Problem problem = load_problem(input, common);
  if (!problem.is_submodular() && !told)
    say("no guarantee: the model is not submodular: " + problem.violation, common);
  return problem;
}

std::variant<Problem, HardTables> load_problem_or_tables(const ModelInput& input,
                                                         const CommonOptions& common) {
  if (folder_format(input.path, input.format) != nullptr) return load_problem(input, common);
  ReadOptions how = read_options(input);
  if (!how.evidence.empty()) how.evidence_text = read_file(how.evidence);
  const std::string text = read_file(input.path);
  if (auto tables = parse_hard_tables(text, input.path, how)) {
    narrow(tables->box, input, {});
    return std::move(*tables);
  }
  return problem_of(with_labels(parse_model(text, input.path, how), text, input, common), input);
}

}  // namespace surefield::cli
