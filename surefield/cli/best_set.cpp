// surefield best-set MODEL [-k K]: the set of greatest F and how good it is.
#include <memory>

#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/report/best_set_report.hpp"
#include "surefield/report/endings.hpp"

namespace surefield::cli {
namespace {

struct BestSetRequest {
  CommonOptions common;
  ModelInput model;
  BestSetWork work;
  std::size_t top = 20;
};

int run_best_set(BestSetRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence});
  const Problem problem = load_problem_of_any_sign(options.model, options.common);
  options.work.how.seed = options.common.seed;
  catch_interrupt();
  const BestSetResult result = [&] {
    TimeBar bar(options.work.seconds, "best-set", options.common);
    options.work.how.budget = budget_of(options.common).within(options.work.seconds).asking([&] {
      bar.tick();
      return true;
    });
    return best_set(problem, options.work.how);
  }();
  deliver(options.common.format == "json"  ? best_set_json(result)
          : options.common.format == "csv" ? best_set_csv(result)
                                           : best_set_text(result, options.top),
          options.common);
  return finish("best-set", ending_of(result, options.work, interrupted()), options.common);
}

}  // namespace

void add_best_set(CLI::App& program, Action& action) {
  auto options = std::make_shared<BestSetRequest>();
  auto* command = program.add_subcommand(
      "best-set", "the set of greatest F, of at most K items if asked, with a certified interval");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  add_work_options(*command, options->work);
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
