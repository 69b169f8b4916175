#include "surefield/api/run_algorithm.hpp"

#include "surefield/algorithms/continuous_double_greedy.hpp"
#include "surefield/algorithms/frank_wolfe.hpp"
#include "surefield/api/algorithm_run.hpp"
#include "surefield/api/best_of_starts.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"

namespace surefield {
namespace {

FrankWolfeOptions frank_wolfe(const InferOptions& options) {
  return {.epochs = options.epochs_given ? options.epochs : 60,
          .trace = options.trace,
          .budget = options.budget};
}

/// M is a family whose states are worth inlining, or AnyModel.
template <Model M>
Report run_on(const M& model, const Problem& problem, const InferOptions& options,
              const AlgorithmRow& algorithm, const Observer& observer) {
  AlgorithmRun run(model, problem, options, observer);
  const auto at = run.at();
  const Box& box = run.box();
  const bool polish = algorithm.polished || options.polish;
  switch (algorithm.id) {
    case Algorithm::kBest:
      return BestOfStarts(run)();
    case Algorithm::kCoordinateAscent:
      return run.ascend(run.start());
    case Algorithm::kContinuous:
      return run.polished(continuous_double_greedy(at, box, options.rounds, options.budget),
                          polish);
    case Algorithm::kShrunkenFrankWolfe:
      return run.polished(
          options.multilinear_direction
              ? shrunken_frank_wolfe(at, box, frank_wolfe(options), observer, MultilinearGradient{})
              : shrunken_frank_wolfe(at, box, frank_wolfe(options), observer),
          polish);
    case Algorithm::kTwoPhaseFrankWolfe:
      return run.polished(two_phase_frank_wolfe(at, box, frank_wolfe(options), observer), polish);
    default:
      return run.polished(run.pass(algorithm.id, run.pass_order()), polish);
  }
}

}  // namespace

Report run_algorithm(const Problem& problem, const InferOptions& options,
                     const AlgorithmRow& algorithm, const Observer& observer) {
  const auto run = [&](const auto& model) {
    return run_on(model, problem, options, algorithm, observer);
  };
  if (const auto* field = problem.model.as<PairwiseField>()) return run(*field);
  if (const auto* cut = problem.model.as<GraphCut>()) return run(cut->field);
  if (const auto* flid = problem.model.as<Flid>()) return run(flid->facility);
  if (const auto* facility = problem.model.as<FacilityLocation>()) return run(*facility);
  return run(problem.model);
}

}  // namespace surefield
