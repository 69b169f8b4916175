// surefield list: the models, algorithms, generators and file formats there are, from their tables.
#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/model_table.hpp"
#include "surefield/api/registry_words.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/result_csv.hpp"

namespace surefield::cli {
namespace {

std::string text() {
  std::string out =
      "MODELS: p(S) ~ exp(F(S)); cost is that of one partial and one change of a coordinate\n";
  const auto add = [&](std::string_view form, const auto&... parts) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(parts...));
  };
  for (const auto& row : model_table()) {
    add("\n  {:<22}F(S) = {}\n", row.kind, row.formula);
    add("  {:<22}cost {}; submodular if {}\n", "", row.cost, row.submodular);
    add("  {:<22}{}; {}\n", "", row.limits, row.page);
  }
  out +=
      "\nALGORITHMS: a is the bottom of the box, b its top; a sweep visits every coordinate once\n";
  for (const auto& row : algorithm_table()) {
    add("\n  {:<22}{}\n", row.name, row.about);
    add("  {:<22}cost {}; guarantee: {}\n", "", row.cost, row.guarantee);
  }
  out += "\nGENERATORS\n\n";
  for (const auto& row : generator_table()) add("  {:<22}{}\n", row.name, row.about);
  out += "  registries            sets of named products to learn from:";
  for (const auto& category : registry_categories()) add(" {}", category.name);
  out += '\n';
  out += "\nFILES\n\n";
  for (const auto& row : model_formats())
    add("  {:<22}{} ({})\n", row.name, row.holds, row.endings);
  return out;
}

std::string json() {
  nlohmann::ordered_json models, algorithms, generators, formats;
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
  return nlohmann::ordered_json{{"surefield", "1"},
                                {"models", models},
                                {"algorithms", algorithms},
                                {"generators", generators},
                                {"formats", formats}}
             .dump(2) +
         "\n";
}

std::string csv() {
  std::string out = "what,name,about\n";
  const auto add = [&](std::string_view what, std::string_view name, std::string_view about) {
    fmt::format_to(std::back_inserter(out), "{},{},{}\n", what, name, csv_field(about));
  };
  for (const auto& row : model_table()) add("model", row.kind, row.formula);
  for (const auto& row : algorithm_table()) add("algorithm", row.name, row.about);
  for (const auto& row : generator_table()) add("generator", row.name, row.about);
  for (const auto& row : model_formats()) add("format", row.name, row.holds);
  return out;
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
