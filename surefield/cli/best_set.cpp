// surefield best-set MODEL [-k K]: the set of greatest F and how good it is.
#include "surefield/api/best_set.hpp"

#include <memory>

#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/report/best_set_report.hpp"
#include "surefield/report/ending.hpp"

namespace surefield::cli {
namespace {

struct BestSetRequest {
  CommonOptions common;
  ModelInput model;
  BestSetOptions best;
  double seconds = 10;
  std::size_t top = 20;
};

int run_best_set(BestSetRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence});
  const Problem problem = load_problem_of_any_sign(options.model, options.common);
  options.best.seed = options.common.seed;
  catch_interrupt();
  const BestSetResult result = [&] {
    TimeBar bar(options.seconds, "best-set", options.common);
    options.best.budget = budget_of(options.common).within(options.seconds).asking([&] {
      bar.tick();
      return true;
    });
    return best_set(problem, options.best);
  }();
  deliver(options.common.format == "json"  ? best_set_json(result)
          : options.common.format == "csv" ? best_set_csv(result)
                                           : best_set_text(result, options.top),
          options.common);
  Ending ending{.interrupted = interrupted()};
  if (result.status == Status::kFailed)
    ending.status = Status::kFailed;
  else
    ending.gap = {{relative_gap(result), options.best.wanted_gap}};
  return finish("best-set", ending, options.common);
}

}  // namespace

void add_best_set(CLI::App& program, Action& action) {
  auto options = std::make_shared<BestSetRequest>();
  auto* command = program.add_subcommand(
      "best-set", "the set of greatest F, of at most K items if asked, with a certified interval");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  command->add_option("-k,--most", options->best.most, "items at most, those forced in counted")
      ->check(takes(WholeRule{0, 100000000}));
  command->add_option("--gap", options->best.wanted_gap, "relative; the proof stops there")
      ->check(takes(kNonNegative))
      ->capture_default_str();
  command
      ->add_option("--seconds", options->seconds, "at most; then what is found and proved by then")
      ->check(takes(kSeconds))
      ->capture_default_str();
  command->add_option("--top", options->top, "items shown, 0 for all")
      ->check(takes(WholeRule{0, 100000000}))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Exit code 1 where the gap is not reached.\n"
      "Example:\n  surefield best-set model.json -k 5 --out crib");
  command->callback([options, &action] { action = [options] { return run_best_set(*options); }; });
}

}  // namespace surefield::cli
