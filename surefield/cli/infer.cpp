// surefield infer MODEL: marginals, ELBO, an upper bound of the best ELBO.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/option_scope.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/order_file.hpp"
#include "surefield/io/point_file.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/result_csv.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"

namespace surefield::cli {
namespace {

struct InferRequest {
  CommonOptions common;
  ModelInput model;
  InferOptions infer;
  std::string order, start, hint;  // files
  std::optional<double> seconds;
  std::size_t top = 20;
};

/// What the files say, in the variables of the problem.
void read_files(InferRequest& options, const Problem& problem) {
  const Index n = problem.size();
  if (!options.order.empty())
    options.infer.given_order = read_order(options.order, n, ItemLookup(n, 0, problem.items));
  if (!options.start.empty())
    options.infer.start_point = in_problem_variables(problem, read_point(options.start, n));
  if (!options.hint.empty())
    options.infer.hint = in_problem_variables(problem, read_point(options.hint, n));
}

/// With a bar of the time given, where one was: certification goes on until it is used up or the
/// gap is closed.
Result infer_watched(const Problem& problem, InferRequest& options) {
  const auto budget = options.infer.certify ? options.infer.certify : options.seconds;
  TimeBar bar(budget, options.infer.certify ? "certify" : "infer", options.common);
  options.infer.budget = options.infer.budget.asking([&] {
    bar.tick();
    return true;
  });
  return infer(problem, options.infer);
}

/// What is known of P(i in S) itself for about as much as inference costs: of the default algorithm, where
/// items are in, out or free. Intervals that say next to nothing are left out.
std::optional<LogZResult> marginals_of_sets(const Problem& problem, const InferRequest& options,
                                            double seconds_used) {
  constexpr double kTooWide = 0.2;  // on average
  if (!is_of_sets(problem.box) || options.infer.algorithm != InferOptions{}.algorithm ||
      interrupted())
    return std::nullopt;
  Budget budget = budget_of(options.common);
  if (options.seconds) budget = budget.within(std::max(*options.seconds - seconds_used, 0.0));
  LogZResult found = log_z(problem, {.goal = LogZGoal::kQuick,
                                     .inverse_temperature = options.infer.inverse_temperature,
                                     .marginals = true,
                                     .budget = budget});
  double width = 0;
  for (const Interval& in : found.marginals) width += in.width();
  if (width > kTooWide * static_cast<double>(problem.size())) found.marginals.clear();
  return found;
}

int run_infer(InferRequest& options) {
  check_output_of(options.common, {options.model.path, options.model.box, options.model.evidence,
                                   options.order, options.start, options.hint});
  const Problem problem = load_problem_of_any_sign(options.model, options.common);
  read_files(options, problem);
  options.infer.seed = options.common.seed;
  options.infer.budget = budget_of(options.common);
  if (options.seconds) options.infer.budget = options.infer.budget.within(*options.seconds);
  catch_interrupt();
  const Result result = infer_watched(problem, options);
  const auto truth = marginals_of_sets(problem, options, result.seconds);
  const LogZResult* const of_sets = truth ? &*truth : nullptr;
  deliver(options.common.format == "json"  ? result_json(result, of_sets)
          : options.common.format == "csv" ? result_csv(result, of_sets)
                                           : result_text(result, options.top, of_sets),
          options.common);
  Ending ending{.status = result.status,
                .epochs_asked = options.infer.epochs_given,
                .interrupted = interrupted()};
  if (options.infer.certify && result.status != Status::kFailed)
    ending.gap = {{distance(result.elbo, result.upper_bound) / std::max(1.0, std::abs(result.elbo)),
                   options.infer.wanted_gap}};
  return finish("infer", ending, options.common);
}

/// Which algorithms each option is for. What continues by coordinate ascent takes its options.
std::vector<OptionScope> infer_scopes(bool polish) {
  const auto those = [&](auto&& belongs) {
    std::vector<std::string> names;
    for (const AlgorithmRow& row : algorithm_table())
      if (belongs(row)) names.emplace_back(row.name);
    return names;
  };
  const auto ascends = [&](const AlgorithmRow& row) { return row.polished || polish; };
  const auto frank_wolfe = [](const AlgorithmRow& row) {
    return row.id == Algorithm::kShrunkenFrankWolfe || row.id == Algorithm::kTwoPhaseFrankWolfe;
  };
  const auto all_at_once = [&](const AlgorithmRow& row) {  // no coordinate before another
    return frank_wolfe(row) || row.id == Algorithm::kContinuous;
  };
  const std::string polished = "any with --polish";
  const auto ordered = those([&](const auto& row) { return ascends(row) || !all_at_once(row); });
  return {
      {"--epochs", those([&](const auto& row) { return ascends(row) || frank_wolfe(row); }),
       polished},
      {"--tolerance", those(ascends), polished},
      {"--order", ordered, polished},
      {"--order-file", ordered, polished},
      {"--start", {"coordinate-ascent"}},
      {"--start-file", {"best", "coordinate-ascent"}},
      {"--hint-file", {"guarded"}},
      {"--polish", those([](const auto& row) { return !row.polished; })},
      {"--contract", those([](const auto& row) { return row.id != Algorithm::kBest; })},
      {"--rounds", {"continuous"}},
      {"--epsilon", those([](const auto& row) { return row.id == Algorithm::kBscb; })},
      {"--multilinear-direction", {"shrunken-frank-wolfe"}},
      {"--trace",
       those([&](const auto& row) { return ascends(row) || row.id != Algorithm::kContinuous; }),
       polished},
  };
}

}  // namespace

void add_infer(CLI::App& program, Action& action) {
  auto options = std::make_shared<InferRequest>();
  InferOptions& infer = options->infer;
  auto* command = program.add_subcommand("infer",
                                         "marginals of p(S) ~ exp(beta F(S)) by mean field, with a "
                                         "bound on how much better any can be");
  add_model_file(*command, options->model);
  add_box_options(*command, options->model);
  std::vector<std::string> names;
  for (const auto& row : algorithm_table()) names.emplace_back(row.name);
  command->add_option("-a,--algorithm", infer.algorithm, "see `surefield list`")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command->add_option("--beta", infer.inverse_temperature, "inverse temperature")
      ->check(takes(kPositive))
      ->capture_default_str();
  command->add_option("--epochs", infer.epochs, "at most so many sweeps of coordinate ascent")
      ->check(takes(kCount))
      ->capture_default_str();
  command->add_option("--tolerance", infer.tolerance, "converged when no marginal moves by more")
      ->check(takes(kNonNegative))
      ->capture_default_str();
  auto* order =
      command
          ->add_option("--order", infer.order,
                       "of the coordinates; auto is coloured for large sparse fields, else natural")
          ->check(CLI::IsMember({"auto", "natural", "shuffled", "coloured"}))
          ->capture_default_str();
  command
      ->add_option("--order-file", options->order,
                   "the order itself: an item a line, or a JSON array (of arrays: one an epoch)")
      ->excludes(order);
  auto* start = command->add_option("--start", infer.start, "of coordinate-ascent, in the box")
                    ->check(CLI::IsMember({"low", "high", "middle", "random"}))
                    ->capture_default_str();
  command
      ->add_option(
          "--start-file", options->start,
          "a point to start coordinate-ascent or best from: a number a line, a JSON array, "
          "or an earlier result in JSON; moved into the box")
      ->excludes(start);
  command->add_option("--hint-file", options->hint,
                      "the point that guarded follows as far as its guarantee allows, as above");
  command
      ->add_option("--seconds", options->seconds,
                   "stop after about so long, with the best point so far")
      ->check(takes(kSeconds));
  command
      ->add_option("--certify", infer.certify,
                   "seconds to spend on proving the global optimum afterwards")
      ->check(takes(kSeconds));
  command->add_option("--gap", infer.wanted_gap, "relative gap at which --certify is content")
      ->check(takes(kNonNegative))
      ->capture_default_str();
  command->add_flag("--polish", infer.polish, "continue a one-pass algorithm by coordinate ascent");
  command->add_flag("--contract", infer.contract,
                    "first cut the box to what can hold an optimum; best always does");
  command->add_option("--rounds", infer.rounds, "of continuous double greedy")
      ->check(takes(kAtLeastOne))
      ->capture_default_str();
  command
      ->add_option("--epsilon", infer.epsilon,
                   "of bscb: bisect to epsilon/n as the paper's code; else to rounding")
      ->check(takes(kPositive));
  command->add_flag(
      "--multilinear-direction", infer.multilinear_direction,
      "of shrunken-frank-wolfe: leave the entropy out of the direction, as the paper's code");
  command->add_flag("--trace", infer.trace, "the value after every epoch");
  command
      ->add_option("--top", options->top,
                   "how many items the text shows, most likely first; 0 = all")
      ->check(takes(kCount))
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield infer model.json --in 3,7 --out 0 --format json\n"
      "  surefield infer model.json --certify 10 --threads 2\n"
      "  surefield infer grid.uai --evidence grid.uai.evid -a coordinate-ascent --start random "
      "--seed 7\n"
      "  surefield infer model.json --in 3 --start-file result.json");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, infer_scopes(options->infer.polish), "algorithm",
                         options->infer.algorithm);
    refuse_without(*command, "--gap", "--certify");
    options->infer.epochs_given = command->get_option("--epochs")->count() > 0;
    action = [options] { return run_infer(*options); };
  });
}

}  // namespace surefield::cli
