// surefield sample MODEL -k 100: sets from p(S), one a line, exact where possible, and which it was
// on stderr.
#include <fmt/format.h>

#include <memory>

#include "surefield/api/sample.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/sample_report.hpp"

namespace surefield::cli {
namespace {

struct SampleRequest {
  CommonOptions common;
  ModelInput model;
  SampleOptions sample;
  std::optional<double> seconds;
};

int run_sample(SampleRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence});
  options.model.no_guarantee = true;  // Gibbs sampling needs no submodularity
  const Problem problem = load_problem(options.model, options.common);
  options.sample.seed = options.common.seed;
  options.sample.budget = budget_of(options.common);
  if (options.seconds) options.sample.budget = options.sample.budget.within(*options.seconds);
  catch_interrupt();
  const SampleResult result = sample(problem, options.sample);
  deliver(options.common.format == "json" ? sample_json(result, problem, options.common.seed)
                                          : sample_lines(result, problem),
          options.common);
  say(result.exact ? fmt::format("{}; {:.1f} % of the draws were kept", result.method,
                                 100 * result.acceptance)
                   : result.method,
      options.common);
  Ending ending{.interrupted = interrupted()};
  if (result.sets.size() < options.sample.count)
    ending.missing.push_back(
        fmt::format("{} of the {} sets are drawn", result.sets.size(), options.sample.count));
  return finish("sample", ending, options.common);
}

}  // namespace

void add_sample(CLI::App& program, Action& action) {
  auto options = std::make_shared<SampleRequest>();
  auto* command = program.add_subcommand(
      "sample", "sets drawn from p(S) ~ exp(beta F(S)), exact where possible");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  command->add_option("-k,--count", options->sample.count, "how many sets")
      ->check(takes(WholeRule{0, 100000000}))
      ->capture_default_str();
  command
      ->add_option("--method", options->sample.method,
                   "perfect is independent and exact, gibbs approximate")
      ->check(CLI::IsMember({"auto", "perfect", "gibbs"}))
      ->capture_default_str();
  command->add_option("--beta", options->sample.inverse_temperature, "inverse temperature")
      ->check(takes(kPositive))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "at most; then what was drawn by then")
      ->check(takes(kSeconds));
  add_common_options(*command, options->common);
  command->footer("Example:\n  surefield sample model.json -k 100 --seed 7 -o sets.csv");
  command->callback([options, &action] { action = [options] { return run_sample(*options); }; });
}

}  // namespace surefield::cli
