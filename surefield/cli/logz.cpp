// surefield logz MODEL: log Z from both sides, method by method, the tightest interval on top.
#include <memory>

#include "surefield/api/log_z.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/option_scope.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/log_z_report.hpp"

namespace surefield::cli {
namespace {

struct LogZRequest {
  CommonOptions common;
  ModelInput model;
  LogZOptions log_z;
  double seconds = 10;  // in all
  std::size_t top = 20;
};

int run_logz(LogZRequest& options) {
  options.model.no_guarantee =
      true;  // exact methods need no submodularity; the others refuse by themselves
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence});
  options.log_z.seed = options.common.seed;
  const auto loaded = load_problem_or_tables(options.model, options.common);
  const auto* const tables = std::get_if<HardTables>(&loaded);
  if (tables != nullptr)
    say("logz: " + tables->reason + "; so only elimination is tried", options.common);
  catch_interrupt();
  const LogZResult result = [&] {
    TimeBar bar(options.seconds, "logz", options.common);
    options.log_z.budget = log_z_budget(budget_of(options.common), options.seconds).asking([&] {
      bar.tick();
      return true;
    });
    return tables != nullptr ? log_z(tables->graph, tables->box, options.log_z)
                             : log_z(std::get<Problem>(loaded), options.log_z);
  }();
  deliver(options.common.format == "json"  ? log_z_json(result)
          : options.common.format == "csv" ? log_z_csv(result)
                                           : log_z_text(result, options.top),
          options.common);
  Ending ending{.interrupted = interrupted()};
  if (!result.failure.empty()) {
    ending.status = Status::kFailed;
    say("logz: " + result.failure, options.common);
  } else if (!result.exact) {
    ending.width = {{distance(result.lower, result.upper), options.log_z.width}};
  }
  if (options.log_z.marginals && result.marginals_method.empty())
    ending.missing.emplace_back("no method gives marginals of this model");
  return finish("logz", ending, options.common);
}

}  // namespace

void add_logz(CLI::App& program, Action& action) {
  auto options = std::make_shared<LogZRequest>();
  auto* command = program.add_subcommand(
      "logz", "log Z of p(S) ~ exp(beta F(S)) from both sides, exactly where possible");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  command->add_option("--beta", options->log_z.inverse_temperature, "inverse temperature")
      ->check(takes(kPositive))
      ->capture_default_str();
  command
      ->add_option("--width", options->log_z.width,
                   "of the certified interval; exit code 1 if it stays wider")
      ->check(takes(kPositive))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "at most, for all methods together")
      ->check(takes(kSeconds))
      ->capture_default_str();
  command
      ->add_option("--condition", options->log_z.conditioned,
                   "items settled in all ways for the conditioned bounds")
      ->check(takes(WholeRule{0, 20}))
      ->capture_default_str();
  command
      ->add_option("--enumerate", options->log_z.enumerable,
                   "visit all sets of up to so many free items; 2^30 take about a minute")
      ->check(takes(WholeRule{0, 30}))
      ->capture_default_str();
  command->add_flag("--marginals", options->log_z.marginals,
                    "P(i in S) too: exact where log Z is, else certified intervals");
  command
      ->add_option("--top", options->top,
                   "how many marginals the text shows, most likely first; 0 = all")
      ->check(takes(kCount))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield logz model.json --width 1e-4 --seconds 30\n"
      "  surefield logz grid.uai --evidence grid.uai.evid --marginals --format csv");
  command->callback([options, command, &action] {
    refuse_without(*command, "--top", "--marginals");
    action = [options] { return run_logz(*options); };
  });
}

}  // namespace surefield::cli
