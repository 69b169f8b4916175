// surefield evaluate MODEL SETS: how well the model foretells sets it has not seen.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "surefield/api/evaluate.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/sets_input.hpp"
#include "surefield/core/error.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/evaluation_report.hpp"

namespace surefield::cli {
namespace {

struct EvaluateRequest {
  CommonOptions common;
  ModelInput model;
  SetsInput input;
  std::string sets, training;
  EvaluateOptions evaluate;
  bool non_empty = false, hide_one = false;
};

void say_oddities(const SetCollection& data, const std::string& path, const CommonOptions& common) {
  const auto tell = [&](Index count, std::string_view what) {
    if (count > 0) say(fmt::format("{}: {} {}", path, count, what), common);
  };
  tell(data.blank_lines, "blank lines (the empty set is \"\"; --blank says what these are)");
  tell(data.repeated_items, "items repeated inside a set, counted once");
  tell(data.unknown_items, "items unknown to the model, left out");
}

int run_evaluate(EvaluateRequest& options) {
  check_output_of(options.common,
                  {options.model.path, options.sets, options.training, options.input.names});
  const ModelFile file = load_file(options.model, options.common);
  const Index n = size_of(file.model);
  require(file.box == unit_box(n), options.model.path,
          ": some items are bounded, but held-out sets are judged under the model of all sets");
  const SetCollection held_out =
      load_sets_for(options.sets, options.input, n, file.items, options.common);
  say_oddities(held_out, options.sets, options.common);
  std::optional<SetCollection> training;
  if (!options.training.empty()) {
    training = load_sets_for(options.training, options.input, n, file.items, options.common);
    say_oddities(*training, options.training, options.common);
  }
  EvaluateOptions& how = options.evaluate;
  how.support = options.non_empty ? Support::kNonEmptySets : Support::kAllSets;
  if (options.hide_one) how.hide_one_by_seed = options.common.seed;
  how.budget = budget_of(options.common);
  catch_interrupt();
  const Evaluation found =
      evaluate_model(file.model, held_out, training ? &*training : nullptr, how);
  deliver(options.common.format == "json"  ? evaluation_json(found)
          : options.common.format == "csv" ? evaluation_csv(found)
                                           : evaluation_text(found),
          options.common);
  Ending ending{.interrupted = interrupted() || !found.is_complete()};
  if (!found.log_z_exact)
    ending.width = {{distance(found.log_z_lower, found.log_z_upper), how.width}};
  return finish("evaluate", ending, options.common);
}

}  // namespace

void add_evaluate(CLI::App& program, Action& action) {
  auto options = std::make_shared<EvaluateRequest>();
  auto* command = program.add_subcommand(
      "evaluate", "held-out likelihood, prediction of hidden items and calibration of a model");
  add_model_file(*command, options->model);
  command
      ->add_option("sets", options->sets,
                   "held-out sets, - for stdin: a line a set, order,item lines or a 0/1 matrix")
      ->required();
  command->add_option("--training", options->training,
                      "the sets the model was made from, for the baselines of hidden items");
  add_sets_options(*command, options->input);
  command->add_flag(
      "--non-empty", options->non_empty,
      "calibrate the marginals of a non-empty set; the likelihood is given both ways");
  command->add_flag("--hide-one", options->hide_one,
                    "hide one item of each set, drawn by the seed, instead of every one in turn");
  command->add_option("--bins", options->evaluate.bins, "of the calibration")
      ->check(takes(WholeRule{1, 10000}))
      ->capture_default_str();
  command
      ->add_option("--width", options->evaluate.width,
                   "of the interval of log Z; exit code 1 if it stays wider")
      ->check(takes(kPositive))
      ->capture_default_str();
  command->add_option("--seconds", options->evaluate.seconds, "at most, for branch and bound")
      ->check(takes(kSeconds))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield evaluate model.json held_out.csv --training training.csv --non-empty");
  command->callback([options, &action] { action = [options] { return run_evaluate(*options); }; });
}

}  // namespace surefield::cli
