// surefield generate KIND: a seeded instance, as native JSON; registries: sets of named items, as
// CSV.
#include <fmt/format.h>

#include <memory>

#include "surefield/api/generate.hpp"
#include "surefield/api/registries.hpp"
#include "surefield/api/registry_words.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/sets_text.hpp"
#include "surefield/io/check_output.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield::cli {
namespace {

constexpr std::string_view kRegistries = "registries";

struct GenerateRequest {
  std::string kind, output, to;
  GenerateOptions generate;
  RegistryOptions registries;
  std::string truth, names;  // files to write beside the registries
  bool quiet = false;
};

/// Sets to stdout or the file asked for, by name; the true model and the item names to files of
/// their own.
int run_generate_registries(GenerateRequest& options) {
  require(options.truth.empty() || !options.registries.complements,
          "--truth: with --complements there is no true model to write");
  for (const auto& path : {options.output, options.truth, options.names}) check_output(path);
  options.registries.seed = options.generate.seed;
  if (options.generate.items) options.registries.items = *options.generate.items;
  Registries made = generate_registries(options.registries);
  CommonOptions common;
  common.quiet = options.quiet;
  if (!options.names.empty()) {
    ItemNames items;
    items.names = made.data.names;
    items.categories.assign(made.data.items, options.registries.category);
    common.output = options.names;
    deliver(item_names_text(items), common);
  }
  if (!options.truth.empty()) {
    ModelFile file;
    file.model = std::move(made.truth);
    file.box = unit_box(made.data.items);
    file.items = made.data.names;
    const ModelFormat& format = output_format(options.to, options.truth);
    write_model_file(options.truth, model_text(file, format), format, file.items, common);
    say(fmt::format("wrote {}", options.truth), common);
  }
  common.output = options.output;
  deliver(std::string(kSetsDeclaration).append("\n").append(sets_text(made.data)), common);
  return kDone;
}

int run_generate(GenerateRequest& options) {
  if (options.kind == kRegistries) return run_generate_registries(options);
  CommonOptions common;
  common.output = options.output;
  common.quiet = options.quiet;
  if (output_format(options.to, options.output).is_folder()) {
    require(!options.output.empty(),
            "--to sfm: it is a folder, which cannot go to stdout; name one with -o");
    generate_binary(options.kind, options.generate, options.output);
    say(fmt::format("wrote {}", options.output), common);
    return kDone;
  }
  ModelFile file;
  file.model = generate(options.kind, options.generate);
  file.box = unit_box(size_of(file.model));
  deliver(model_text(file, output_format(options.to, options.output)), common);
  return kDone;
}

void add_registry_options(CLI::App& command, GenerateRequest& options) {
  std::vector<std::string> categories;
  for (const auto& category : registry_categories()) categories.emplace_back(category.name);
  RegistryOptions& registries = options.registries;
  const std::string group = "Options of registries";
  command.add_option("--category", registries.category, "of the products")
      ->check(CLI::IsMember(categories))
      ->capture_default_str()
      ->group(group);
  command.add_option("--sets", registries.sets, "how many registries")
      ->check(takes(kCounted))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--dims", registries.dimensions,
                  "needs that items serve; by default one for four items, at most twelve")
      ->check(takes(kAtLeastOne))
      ->group(group);
  command
      .add_option("--mean-size", registries.mean_size,
                  "items a registry, about; by default 3, or half the needs if that is less")
      ->check(takes(kPositive))
      ->group(group);
  command
      .add_flag("--complements", registries.complements,
                "shoppers of several styles: needs come together, and there is no true model")
      ->group(group);
  command.add_option("--truth", options.truth, "write the true model to this file")->group(group);
  command.add_option("--names", options.names, "write `id category: name` lines to this file")
      ->group(group);
}

/// Which kinds each option is for.
std::vector<OptionScope> generate_scopes() {
  std::vector<std::string> models;
  for (const auto& row : generator_table()) models.emplace_back(row.name);
  const std::vector<std::string> registries{std::string(kRegistries)};
  std::vector<OptionScope> table;
  for (const char* option : {"groups", "density"}) table.push_back({option, models});
  for (const char* option :
       {"category", "sets", "dims", "mean-size", "truth", "names", "complements"})
    table.push_back({option, registries});
  return table;
}

}  // namespace

void add_generate(CLI::App& program, Action& action) {
  auto options = std::make_shared<GenerateRequest>();
  auto* command = program.add_subcommand("generate", "a seeded instance of a model family");
  std::vector<std::string> names;
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const auto& row : generator_table()) {
    names.emplace_back(row.name);
    kinds.emplace_back(row.name, row.about);
  }
  names.emplace_back(kRegistries);
  kinds.emplace_back(kRegistries,
                     "sets of named products, one a line: no model but what to learn one from; "
                     "n = 40, 2000 sets");
  command->add_option("kind", options->kind, "what to make")
      ->required()
      ->check(CLI::IsMember(names));
  command->add_option("-n,--items", options->generate.items, "how many items")
      ->check(takes(kCounted));
  command
      ->add_option("-g,--groups", options->generate.groups,
                   "dimensions, customers, concepts, hyperedges or groups")
      ->check(takes(kCounted));
  command
      ->add_option("--density", options->generate.density,
                   "chance that an entry or an edge is there")
      ->check(takes(kChance));
  add_registry_options(*command, *options);
  command->add_option("--seed", options->generate.seed, "same seed, same model")
      ->check(takes(kAnySeed))
      ->capture_default_str();
  command->add_option("-o,--output", options->output,
                      "write to this file instead of stdout; the extension gives the format");
  command->add_option("--to", options->to, "format by name, see `surefield list`; json without -o");
  command->add_flag("-q,--quiet", options->quiet, "say nothing on stderr but errors");
  command->footer("KINDS\n" + two_columns(kinds) +
                  "Example:\n  surefield generate hard-grid --items 400 --seed 3 -o grid.json\n"
                  "  surefield generate registries --category camping --sets 500 -o sets.csv");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, generate_scopes(), "kind", options->kind);
    if (options->kind == kRegistries) refuse_without(*command, "--to", "--truth");
    action = [options] { return run_generate(*options); };
  });
}

}  // namespace surefield::cli
