// The algorithm `best`: several starts, each continued by coordinate ascent, and the least bound of all passes.
//
// Of a large model each start goes as far as to tell which is best, and that one to the end. Where values are estimates nothing tells starts
// apart, so there is one.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/algorithms/continuous_double_greedy.hpp"
#include "surefield/api/algorithm_run.hpp"
#include "surefield/api/best_start.hpp"
#include "surefield/models/pairwise_field/tracked_set.hpp"
#include "surefield/objectives/elbo_error.hpp"

namespace surefield {

template <Model M>
class BestOfStarts {
 public:
  explicit BestOfStarts(AlgorithmRun<M>& run)
      : run_(run),
        options_(run.options()),
        large_(run.model().size() >= kColouredItems),
        best_(run.facts().basis()) {}

  Report operator()() {
    const double told_apart = std::max(kStartsToldApart, options_.tolerance);
    if (large_) run_.set_tolerance(told_apart);
    try_starts();
    run_.set_tolerance(options_.tolerance);
    Report best = std::move(best_).take();
    const bool go_on =
        large_ && best.status != Status::kInterrupted && told_apart > options_.tolerance;
    return go_on ? run_.polished(std::move(best)) : best;
  }

 private:
  static constexpr std::size_t kAnnealedSweeps = 500;  // of the start by an annealed set

  void try_starts() {
    const bool estimated = run_.facts().estimated;
    if (!estimated) run_.contract_box();
    auto order = run_.pass_order();
    starting("double greedy, first item first");
    const bool open = consider(run_.polished(run_.pass(Algorithm::kEqualised, order)));
    if (estimated || !open || options_.budget.spent()) return;
    std::reverse(order.begin(), order.end());
    starting("double greedy, last item first");
    if (!consider(run_.polished(run_.pass(Algorithm::kEqualised, order)))) return;
    if (!large_) {
      starting("double greedy, all items at once");
      if (!consider(
              run_.polished(continuous_double_greedy(run_.at(), run_.box(), 64, options_.budget))))
        return;
    }
    for (const auto& [name, from] : ascents()) {
      starting(name);
      if (!consider(run_.ascend(from))) return;
    }
  }

  std::vector<std::pair<std::string_view, std::vector<double>>> ascents() const {
    std::vector<std::pair<std::string_view, std::vector<double>>> starts;
    if (!options_.start_point.empty())
      starts.emplace_back("ascent from the point given", run_.start());
    if (!large_) {
      starts.emplace_back("ascent from the bottom", run_.box().low);
      starts.emplace_back("ascent from the top", run_.box().high);
    }
    starts.emplace_back("ascent from the middle", run_.middle());
    if constexpr (std::is_same_v<M, PairwiseField>)
      if (!large_) starts.emplace_back("ascent from an annealed set", annealed());
    return starts;
  }

  void starting(std::string_view what) const {
    if (options_.start_watcher) options_.start_watcher(what);
  }

  /// Whether another start could be better.
  bool consider(Report report) {
    best_.consider(std::move(report));
    const Report& best = best_.report();
    // Starts of a large model are only told apart, so none of them is at its optimum.
    if (!large_ && best.status == Status::kConverged) run_.remember(best.point, best.value);
    tell(best);
    return best_.is_open();
  }

  /// What the best start so far proves; nothing where values are estimates.
  void tell(const Report& best) const {
    if (!options_.watcher || run_.facts().estimated || !std::isfinite(best.value)) return;
    options_.watcher({.low = best.value - elbo_error(run_.facts(), run_.model().size(), best.value),
                      .high = best.upper_bound,
                      .by = "passes of double greedy"});
  }

  /// A set found by annealing, as a point. Where couplings are strong, ascents one by one get stuck far
  /// below it.
  std::vector<double> annealed() const {
    return corner_of(
        annealed_set(TrackedSet(run_.model()), run_.box(),
                     {.sweeps = kAnnealedSweeps, .seed = options_.seed, .budget = options_.budget}),
        run_.box());
  }

  AlgorithmRun<M>& run_;
  const InferOptions& options_;
  bool large_;
  BestStart best_;
};

}  // namespace surefield
