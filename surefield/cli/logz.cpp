// surefield logz MODEL: log Z from both sides, method by method, the tightest interval on top.
#include <memory>

#include "surefield/api/log_z.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/report/log_z_report.hpp"

namespace surefield::cli {
namespace {

struct Options {
  CommonOptions common;
  ModelInput model;
  LogZOptions log_z;
  double seconds = 10;  // in all
  std::size_t top = 20;
};

int run(Options& options) {
  options.model.no_guarantee =
      true;  // exact methods need no submodularity; the others refuse by themselves
  options.log_z.seed = options.common.seed;
  const auto tables = load_hard_tables(options.model);
  if (tables) say("logz: " + tables->reason + "; so only elimination is tried", options.common);
  catch_interrupt();
  const LogZResult result = [&] {
    TimeBar bar(options.seconds, "logz", options.common);
    options.log_z.budget = budget_of(options.common).within(options.seconds).asking([&] {
      bar.tick();
      return true;
    });
    return tables ? log_z(tables->graph, tables->box, options.log_z)
                  : log_z(load_problem(options.model), options.log_z);
  }();
  deliver(options.common.format == "json"  ? log_z_json(result)
          : options.common.format == "csv" ? log_z_csv(result)
                                           : log_z_text(result, options.top),
          options.common);
  const bool reached = result.exact || (result.lower && result.upper &&
                                        *result.upper - *result.lower <= options.log_z.width);
  if (!reached) say("logz: the interval is wider than asked for", options.common);
  if (!result.failure.empty()) {
    say("logz: " + result.failure, options.common);
    return kShort;
  }
  const bool answered = !options.log_z.marginals || !result.marginals_method.empty();
  if (!answered) say("logz: no method gives marginals of this model", options.common);
  return reached && answered ? kDone : kShort;
}

}  // namespace

void add_logz(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand(
      "logz", "log Z of p(S) ~ exp(beta F(S)) from both sides, exactly where possible");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  command->add_option("--beta", options->log_z.inverse_temperature, "inverse temperature")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--width", options->log_z.width,
                   "of the certified interval; exit code 1 if it stays wider")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "at most, for all methods together")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command
      ->add_option("--condition", options->log_z.conditioned,
                   "items settled in all ways for the conditioned bounds")
      ->check(CLI::Range(0, 20))
      ->capture_default_str();
  command
      ->add_option("--enumerate", options->log_z.enumerable,
                   "visit all sets of up to so many free items; 2^30 take about a minute")
      ->check(CLI::Range(0, 30))
      ->capture_default_str();
  command->add_flag("--marginals", options->log_z.marginals,
                    "P(i in S) too: exact where log Z is, else certified intervals");
  command
      ->add_option("--top", options->top,
                   "how many marginals the text shows, most likely first; 0 = all")
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield logz model.json --width 1e-4 --seconds 30\n"
      "  surefield logz grid.uai --evidence grid.uai.evid --marginals --format csv");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace surefield::cli
