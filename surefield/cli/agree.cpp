// surefield agree A B [C ...]: posterior agreement of models from both sides; of two in full, of
// more or at several temperatures as a table of all pairs.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/report/agree_report.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/result_csv.hpp"

namespace surefield::cli {
namespace {

struct AgreeRequest {
  CommonOptions common;
  ModelInput model;  ///< its path is each of `paths` in turn
  std::vector<std::string> paths;
  AgreeWork work;
  std::size_t top = 20;
};

std::vector<Problem> load_all(const AgreeRequest& options) {
  require(options.paths.size() >= 2, "agree: it takes at least two models, not ",
          options.paths.size());
  check_output_of(options.common, options.paths);
  std::vector<Problem> problems;
  for (const auto& path : options.paths) {
    ModelInput input = options.model;
    input.path = path;
    try {
      problems.push_back(load_problem_of_any_sign(input, options.common));
    } catch (const Error& error) {
      const std::string what = error.what();
      fail(what.starts_with(path) ? what : path + ": " + what);
    }
  }
  return problems;
}

/// The file names without folder and ending where they differ, else the paths.
std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const auto& path : paths) names.push_back(std::filesystem::path(path).stem().string());
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() ? names : paths;
}

int run_two(const std::vector<Problem>& problems, AgreeRequest& options) {
  options.work.how.inverse_temperature = options.work.inverse_temperatures.front();
  const AgreeResult answer = agree(problems[0], problems[1], options.work.how);
  const auto names = short_names(options.paths);
  deliver(options.common.format == "json"  ? agree_json(answer, names)
          : options.common.format == "csv" ? result_csv(answer.result)
                                           : agree_text(answer, names, options.top),
          options.common);
  return finish("agree", ending_of(answer, options.work, interrupted()), options.common);
}

int run_pairs(const std::vector<Problem>& problems, AgreeRequest& options) {
  std::vector<AgreePairs> tables;
  for (const double beta : options.work.inverse_temperatures) {
    options.work.how.inverse_temperature = beta;
    tables.push_back(agree_pairs(problems, options.work.how));
    if (!tables.back().complete) break;
  }
  const auto names = short_names(options.paths);
  deliver(options.common.format == "json"  ? agree_pairs_json(tables, names)
          : options.common.format == "csv" ? agree_pairs_csv(tables, names)
                                           : agree_pairs_text(tables, names),
          options.common);
  return finish("agree", ending_of(tables, options.work, interrupted()), options.common);
}

int run_agree(AgreeRequest& options) {
  const auto problems = load_all(options);
  options.work.how.seed = options.common.seed;
  options.work.how.budget = budget_of(options.common);
  options.work.how.crew = crew();
  options.work.how.no_guarantee = options.model.no_guarantee;
  catch_interrupt();
  return asks_for_distribution(options.work, options.paths.size()) ? run_two(problems, options)
                                                                   : run_pairs(problems, options);
}

constexpr const char* kDistribution = "the distribution of two models";
std::vector<OptionScope> agree_scopes() { return {{"top", {kDistribution}}}; }

}  // namespace

void add_agree(CLI::App& program, Action& action) {
  auto options = std::make_shared<AgreeRequest>();
  auto* command = program.add_subcommand(
      "agree", "posterior agreement log sum_S p'(S) p''(S) of models, from both sides");
  command->add_option("models", options->paths, "two or more model files over the same items")
      ->required();
  add_reading_options(*command, options->model);
  add_box_options(*command, options->model);
  add_work_options(*command, options->work);
  command
      ->add_option("--top", options->top,
                   "how many items the text shows, most likely first; 0 = all")
      ->check(takes(kCounted))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield agree fold1.json fold2.json --width 1e-3\n"
      "  surefield agree fold*.json --beta 0.5,1,2 --threads 2 --format csv\n"
      "pa_elbo is the PA-ELBO, which bounds log Z of the sum; pa_elbo_lower is what it proves of "
      "PA.");
  command->callback([options, command, &action] {
    if (options->paths.size() >= 2)
      refuse_outside_scope(*command, agree_scopes(), "answer",
                           asks_for_distribution(options->work, options->paths.size())
                               ? kDistribution
                               : "a table of pairs");
    action = [options] { return run_agree(*options); };
  });
}

}  // namespace surefield::cli
