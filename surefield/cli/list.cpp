// surefield list: the models, algorithms, generators and file formats there are, from their tables.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/model_table.hpp"
#include "surefield/api/registry_words.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield::cli {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

/// A name and a few lines about it, for each.
std::string text() {
  std::string out =
      "MODELS: p(S) ~ exp(F(S)); cost is that of one partial and one change of a coordinate\n";
  for (const auto& row : model_table())
    out += '\n' +
           two_columns({{std::string(row.kind), fmt::format("F(S) = {}", row.formula)},
                        {"", fmt::format("cost {}; submodular if {}", row.cost, row.submodular)},
                        {"", fmt::format("{}; {}", row.limits, row.page)}});
  out +=
      "\nALGORITHMS: a is the bottom of the box, b its top; a sweep visits every coordinate once\n";
  for (const auto& row : algorithm_table())
    out +=
        '\n' + two_columns({{std::string(row.name), std::string(row.about)},
                            {"", fmt::format("cost {}; guarantee: {}", row.cost, row.guarantee)}});
  Rows generators, files;
  for (const auto& row : generator_table()) generators.emplace_back(row.name, row.about);
  std::string categories;
  for (const auto& category : registry_categories())
    categories += fmt::format(" {}", category.name);
  generators.emplace_back("registries", "sets of named products to learn from:" + categories);
  for (const auto& row : model_formats())
    files.emplace_back(row.name, fmt::format("{} ({})", row.holds, row.endings));
  return out + "\nGENERATORS\n\n" + two_columns(generators) + "\nFILES\n\n" + two_columns(files);
}

std::string json() {
  OrderedJson models, algorithms, generators, formats;
  for (const auto& row : model_table())
    models.push_back({{"kind", row.kind},
                      {"formula", row.formula},
                      {"cost", row.cost},
                      {"submodular", row.submodular},
                      {"limits", row.limits},
                      {"page", row.page}});
  for (const auto& row : algorithm_table())
    algorithms.push_back({{"name", row.name},
                          {"paper_name", row.paper_name},
                          {"guarantee", row.guarantee},
                          {"cost", row.cost},
                          {"about", row.about}});
  for (const auto& row : generator_table())
    generators.push_back({{"name", row.name}, {"about", row.about}});
  for (const auto& row : model_formats())
    formats.push_back({{"name", row.name}, {"about", row.holds}, {"endings", row.endings}});
  return json_text(json_answer("list", {{"models", models},
                                        {"algorithms", algorithms},
                                        {"generators", generators},
                                        {"formats", formats}}));
}

std::string csv() {
  CsvTable csv{"what", "name", "about"};
  const auto add = [&](std::string_view what, std::string_view name, std::string_view about) {
    csv.add(what, name, about);
  };
  for (const auto& row : model_table()) add("model", row.kind, row.formula);
  for (const auto& row : algorithm_table()) add("algorithm", row.name, row.about);
  for (const auto& row : generator_table()) add("generator", row.name, row.about);
  for (const auto& row : model_formats()) add("format", row.name, row.holds);
  return csv.text();
}

}  // namespace

void add_list(CLI::App& program, Action& action) {
  auto options = std::make_shared<CommonOptions>();
  auto* command = program.add_subcommand(
      "list", "models, algorithms, generators and files, with formula, cost and guarantee");
  add_common_options(*command, *options);
  command->footer("Example:\n  surefield list --format json");
  command->callback([options, &action] {
    action = [options] {
      deliver(options->format == "json"  ? json()
              : options->format == "csv" ? csv()
                                         : text(),
              *options);
      return kDone;
    };
  });
}

}  // namespace surefield::cli
