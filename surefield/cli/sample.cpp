// surefield sample MODEL -k 100: sets from p(S), one a line, exact where possible, and which it was
// on stderr.
#include <fmt/format.h>

#include <memory>

#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/sample_report.hpp"

namespace surefield::cli {
namespace {

struct SampleRequest {
  CommonOptions common;
  ModelInput model;
  SampleWork work;
};

int run_sample(SampleRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence});
  options.model.no_guarantee = true;  // Gibbs sampling needs no submodularity
  const Problem problem = load_problem(options.model, options.common);
  options.work.how.seed = options.common.seed;
  options.work.how.budget = budget_of(options.common);
  if (options.work.seconds)
    options.work.how.budget = options.work.how.budget.within(*options.work.seconds);
  catch_interrupt();
  const SampleResult result = sample(problem, options.work.how);
  deliver(options.common.format == "json" ? sample_json(result, problem, options.common.seed)
                                          : sample_lines(result, problem),
          options.common);
  say(result.exact ? fmt::format("{}; {:.1f} % of the draws were kept", result.method,
                                 100 * result.acceptance)
                   : result.method,
      options.common);
  return finish("sample", ending_of(result, options.work, interrupted()), options.common);
}

}  // namespace

void add_sample(CLI::App& program, Action& action) {
  auto options = std::make_shared<SampleRequest>();
  auto* command = program.add_subcommand(
      "sample", "sets drawn from p(S) ~ exp(beta F(S)), exact where possible");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  add_work_options(*command, options->work);
  add_common_options(*command, options->common);
  command->footer("Example:\n  surefield sample model.json -k 100 --seed 7 -o sets.csv");
  command->callback([options, &action] { action = [options] { return run_sample(*options); }; });
}

}  // namespace surefield::cli
