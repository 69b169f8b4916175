// surefield logz MODEL: log Z from both sides, method by method, the tightest interval on top.
#include <memory>
#include <optional>

#include "surefield/api/helping.hpp"
#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/log_z_report.hpp"

namespace surefield::cli {
namespace {

struct LogZRequest {
  CommonOptions common;
  ModelInput model;
  LogZWork work;
  std::size_t top = 20;
};

int run_logz(LogZRequest& options) {
  options.model.no_guarantee =
      true;  // exact methods need no submodularity; the others refuse by themselves
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence});
  options.work.how.seed = options.common.seed;
  const auto loaded = load_problem_or_tables(options.model, options.common);
  const auto* const tables = std::get_if<HardTables>(&loaded);
  if (tables != nullptr)
    say("logz: " + tables->reason + "; so only elimination is tried", options.common);
  if (tables != nullptr && !answers()) return kDone;
  catch_interrupt();
  std::optional<LogZResult> found;
  const auto search = [&](Helpers* helpers) {
    TimeBar bar(options.work.seconds, "logz", options.common);
    options.work.how.helpers = helpers;
    options.work.how.budget =
        log_z_budget(budget_of(options.common), options.work.seconds).asking([&] {
          bar.tick();
          return true;
        });
    found = tables != nullptr ? log_z(tables->graph, tables->box, options.work.how)
                              : log_z(std::get<Problem>(loaded), options.work.how);
  };
  if (crew() == nullptr || tables != nullptr)
    search(nullptr);
  else
    crew()->lead(budget_of(options.common), search, helpers_with(std::get<Problem>(loaded)));
  if (!found) return kDone;  // another process answers
  const LogZResult& result = *found;
  deliver(options.common.format == "json"  ? log_z_json(result)
          : options.common.format == "csv" ? log_z_csv(result)
                                           : log_z_text(result, options.top),
          options.common);
  if (!result.failure.empty()) say("logz: " + result.failure, options.common);
  return finish("logz", ending_of(result, options.work, interrupted()), options.common);
}

}  // namespace

void add_logz(CLI::App& program, Action& action) {
  auto options = std::make_shared<LogZRequest>();
  auto* command = program.add_subcommand(
      "logz", "log Z of p(S) ~ exp(beta F(S)) from both sides, exactly where possible");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  add_work_options(*command, options->work);
  command
      ->add_option("--top", options->top,
                   "how many marginals the text shows, most likely first; 0 = all")
      ->check(takes(kCounted))
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
