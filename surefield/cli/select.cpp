// surefield select SETS: how many dimensions the data bear, by posterior agreement and by held-out
// likelihood.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "surefield/api/family_choice.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/select.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/option_scope.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/training_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/family_report.hpp"
#include "surefield/report/select_report.hpp"

namespace surefield::cli {
namespace {

struct SelectRequest {
  CommonOptions common;
  TrainingSetsInput sets;
  SelectOptions select;
  std::string by = "both", model;
  std::vector<std::string> families;
};

/// To --model, with the labels of the data; says which it was.
void write_trained(AnyModel model, const SetCollection& data, std::string_view what,
                   const SelectRequest& options) {
  const Index n = model.size();
  const ModelFormat& format = output_format("", options.model);
  write_model_file(
      options.model,
      model_text({.model = std::move(model), .items = data.names, .box = unit_box(n)}, format),
      format, data.names, options.common);
  say(fmt::format("wrote {}, {}, trained on all sets", options.model, what), options.common);
}

/// Families by hidden items; the winner, learned from all sets, goes to --model.
int run_families(SelectRequest& options, const SetCollection& data) {
  FitOptions how;
  how.nce = options.select.training;
  how.seed = options.common.seed;
  how.budget = budget_of(options.common);
  how.observer = [](const FitProgress&) { return !interrupted(); };
  const FamilyChoice choice = choose_family(data, {.fit = &how,
                                                   .families = options.families,
                                                   .folds = options.select.folds,
                                                   .seed = options.common.seed});
  deliver(options.common.format == "json"  ? family_json(choice)
          : options.common.format == "csv" ? family_csv(choice)
                                           : family_text(choice),
          options.common);
  if (options.common.format != "text" || !options.common.output.empty())
    say(choice.verdict, options.common);
  if (!options.model.empty() && !choice.rows.empty()) {
    how.model = choice.winner;
    write_trained(fit(data, how).model, data, choice.winner, options);
  }
  return finish("select", {.interrupted = interrupted() || !choice.complete}, options.common);
}

/// The row that leads, trained on all the data.
void write_model(const SetCollection& data, const SelectRow& row, const SelectRequest& options) {
  FitOptions how;
  how.model = row.dimensions == 0 ? "modular" : "flid";
  how.nce = options.select.training;
  how.nce.dimensions = row.dimensions;
  how.seed = options.common.seed;
  how.observer = [](const FitProgress&) { return !interrupted(); };
  const FitResult found = fit(data, how);
  write_trained(at_inverse_temperature(*found.model.as<Flid>(), row.inverse_temperature), data,
                fmt::format("D = {}", row.dimensions), options);
}

/// What cannot be written is refused before the work, not after it.
void check_outputs(const SelectRequest& options) {
  const std::vector<std::string> inputs{options.sets.path, options.sets.names};
  check_output_of(options.common, inputs);
  if (options.model.empty()) return;
  check_model_output(options.model, output_format("", options.model), inputs);
  require(options.model != options.common.output, "--model: ", options.model,
          " is also the file of -o; name another");
}

int run_select(SelectRequest& options) {
  check_outputs(options);
  const SetCollection data = load_training_sets(options.sets, options.common);
  say_about(data, set_statistics(data), options.sets, options.common);
  if (!options.families.empty()) {
    catch_interrupt();
    return run_families(options, data);
  }
  SelectOptions& how = options.select;
  using By = SelectOptions::By;
  how.by = options.by == "likelihood"  ? By::kLikelihood
           : options.by == "agreement" ? By::kAgreement
                                       : By::kBoth;
  how.seed = options.common.seed;
  how.budget = budget_of(options.common);
  catch_interrupt();
  const SelectResult result = [&] {
    Progress progress(1, "select", options.common);
    how.progress = [&](double fraction) { progress.set(fraction); };
    return select_model(data, how);
  }();
  deliver(options.common.format == "json"  ? select_json(result)
          : options.common.format == "csv" ? select_csv(result)
                                           : select_text(result),
          options.common);
  if (options.common.format != "text" || !options.common.output.empty())
    say(result.verdict, options.common);
  if (!options.model.empty() && !result.rows.empty())
    write_model(data, result.rows[result.winner], options);
  return finish("select", {.interrupted = interrupted() || !result.complete}, options.common);
}

/// Families are told apart without log Z, and only one of them is trained by epochs from starts.
std::vector<OptionScope> select_scopes() {
  return {
      {"--width", {"dimensions"}},
      {"--seconds", {"dimensions"}},
      {"--starts", {"dimensions", "families with flid"}},
      {"--epochs", {"dimensions", "families with flid"}},
  };
}

std::string select_choice(const SelectRequest& options) {
  if (options.families.empty()) return "dimensions";
  return std::ranges::find(options.families, "flid") != options.families.end()
             ? "families with flid"
             : "families without flid";
}

}  // namespace

void add_select(CLI::App& program, Action& action) {
  auto options = std::make_shared<SelectRequest>();
  SelectOptions& select = options->select;
  auto* command = program.add_subcommand("select",
                                         "how many dimensions a FLID of these sets should have, or "
                                         "which family of models to learn, by "
                                         "models of different folds");
  add_training_sets(*command, options->sets);
  command
      ->add_option("-d,--dims", select.dimensions,
                   "numbers of dimensions to try; 0 is every item by itself")
      ->delimiter(',')
      ->check(takes(WholeRule{0, 100000}))
      ->capture_default_str();
  command->add_option("--beta", select.inverse_temperatures, "inverse temperatures to try")
      ->delimiter(',')
      ->check(takes(kPositive))
      ->capture_default_str();
  command
      ->add_option("--folds", select.folds, "models of each D, each without one part of the sets")
      ->check(takes(WholeRule{2, 1000}))
      ->capture_default_str();
  command
      ->add_option("--by", options->by, "what decides; both: only what neither rules out can win")
      ->check(CLI::IsMember({"both", "agreement", "likelihood"}))
      ->capture_default_str();
  std::vector<std::string> families;
  for (const FitRow& row : fit_table())
    if (row.model != "auto" && (families.empty() || families.back() != row.model))
      families.emplace_back(row.model);
  auto* by_family = command
                        ->add_option("--families", options->families,
                                     "compare these by hidden items instead, plainest first")
                        ->delimiter(',')
                        ->check(CLI::IsMember(families));
  for (const char* option : {"--dims", "--beta", "--by"})
    by_family->excludes(command->get_option(option));
  command->add_option("--model", options->model,
                      "write the model that leads, trained on all sets, to this file");
  command
      ->add_option("--starts", select.training.starts,
                   "of each training; the best by sets held aside is kept")
      ->check(takes(WholeRule{1, 100000}))
      ->capture_default_str();
  command->add_option("--epochs", select.training.epochs, "of training, at most")
      ->check(takes(WholeRule{1, 100000000}))
      ->capture_default_str();
  command->add_option("--width", select.width, "of the certified interval of one agreement")
      ->check(takes(kPositive))
      ->capture_default_str();
  command->add_option("--seconds", select.seconds, "at most, for one log Z")
      ->check(takes(kSeconds))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield select registries.csv --dims 1,2,3,5,10 --folds 5 --threads 2\n"
      "  surefield select baskets.csv --families modular,flid,pairwise --model model.json\n"
      "  surefield select registries.csv --by likelihood --model model.json --format json -o "
      "select.json");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, select_scopes(), "choice", select_choice(*options));
    action = [options] { return run_select(*options); };
  });
}

}  // namespace surefield::cli
