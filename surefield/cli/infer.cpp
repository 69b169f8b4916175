// surefield infer MODEL: marginals, ELBO, an upper bound of the best ELBO.
#include <fmt/format.h>

#include <memory>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/item_lookup.hpp"
#include "surefield/io/order_file.hpp"
#include "surefield/io/point_file.hpp"
#include "surefield/report/result_csv.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"

namespace surefield::cli {
namespace {

struct Options {
  CommonOptions common;
  ModelInput model;
  InferOptions infer;
  std::string order, start, hint;  // files
  std::optional<double> seconds;
  std::size_t top = 20;
};

/// What the files say, in the variables of the problem.
void read_files(Options& options, const Problem& problem) {
  const std::string& algorithm = options.infer.algorithm;
  require(options.start.empty() || algorithm == "best" || algorithm == "coordinate-ascent",
          "--start-file: the algorithm is ", algorithm,
          ", but only best and coordinate-ascent start anywhere");
  require(options.hint.empty() || algorithm == "guarded", "--hint-file: the algorithm is ",
          algorithm, ", but only guarded takes a hint");
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
Result infer_watched(const Problem& problem, Options& options) {
  const auto budget = options.infer.certify ? options.infer.certify : options.seconds;
  TimeBar bar(budget, options.infer.certify ? "certify" : "infer", options.common);
  options.infer.budget = options.infer.budget.asking([&] {
    bar.tick();
    return true;
  });
  return infer(problem, options.infer);
}

int run(Options& options) {
  const Problem problem = load_problem(options.model);
  read_files(options, problem);
  options.infer.seed = options.common.seed;
  options.infer.budget = budget_of(options.common);
  if (options.seconds) options.infer.budget = options.infer.budget.within(*options.seconds);
  catch_interrupt();
  const Result result = infer_watched(problem, options);
  deliver(options.common.format == "json"  ? result_json(result)
          : options.common.format == "csv" ? result_csv(result)
                                           : result_text(result, options.top),
          options.common);
  const bool cut_short = result.status == Status::kFailed || result.status == Status::kShort ||
                         result.status == Status::kInterrupted ||
                         (result.status == Status::kEpochLimit && !options.infer.epochs_given);
  if (cut_short) say(fmt::format("infer: {}", text_of(result.status)), options.common);
  return cut_short ? kShort : kDone;
}

}  // namespace

void add_infer(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
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
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  auto* epochs =
      command->add_option("--epochs", infer.epochs, "at most so many sweeps of coordinate ascent")
          ->capture_default_str();
  command->add_option("--tolerance", infer.tolerance, "converged when no marginal moves by more")
      ->check(CLI::NonNegativeNumber)
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
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--certify", infer.certify,
                   "seconds to spend on proving the global optimum afterwards")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--gap", infer.wanted_gap, "relative gap at which --certify is content")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--polish", infer.polish, "continue a one-pass algorithm by coordinate ascent");
  command->add_flag("--contract", infer.contract,
                    "first cut the box to what can hold an optimum; best always does");
  command->add_option("--rounds", infer.rounds, "of continuous double greedy")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      ->add_option("--epsilon", infer.epsilon,
                   "of bscb: bisect to epsilon/n as the paper's code; else to rounding")
      ->check(CLI::PositiveNumber);
  command->add_flag(
      "--multilinear-direction", infer.multilinear_direction,
      "of shrunken-frank-wolfe: leave the entropy out of the direction, as the paper's code");
  command->add_flag("--trace", infer.trace, "the value after every epoch");
  command
      ->add_option("--top", options->top,
                   "how many items the text shows, most likely first; 0 = all")
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield infer model.json --in 3,7 --out 0 --format json\n"
      "  surefield infer model.json --certify 10 --threads 2\n"
      "  surefield infer grid.uai --evidence grid.uai.evid -a coordinate-ascent --start random "
      "--seed 7\n"
      "  surefield infer model.json --in 3 --start-file result.json");
  command->callback([options, epochs, &action] {
    options->infer.epochs_given = epochs->count() > 0;
    action = [options] { return run(*options); };
  });
}

}  // namespace surefield::cli
