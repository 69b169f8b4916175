// Coordinate ascent: every coordinate in turn goes to the best point of its line, until none moves.
//
// On the ELBO this is the classical naive mean field iteration x_i <- sigmoid(slope_i). The value
// never falls; the limit is a local optimum only, with no guarantee how far from the best. Cost:
// one line and one set per coordinate and epoch. Where it is known who depends on whom, and few still
// move, an epoch visits those that may (block_ascent.hpp); a sweep over all ends it in any case.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "surefield/algorithms/block_ascent.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct CoordinateAscentOptions {
  std::size_t epochs = 10000;   ///< at most; strongly coupled models need hundreds
  double tolerance = 1e-10;     ///< converged when no coordinate moves by more
  bool trace = false;           ///< the value after every epoch, at the cost of computing it
  Budget budget = {};           ///< ends it, also within an epoch
  std::size_t first_epoch = 0;  ///< where in the order to begin, for a run that continues another
  Neighbours neighbours = {};   ///< of a coloured order: then only who may move is visited
  /// An optimum found before, and its value: an ascent that comes within kSameBasin of it from below ends there as converged,
  /// since nothing but the same optimum lies ahead. Empty: none.
  std::span<const double> known = {};
  double known_value = 0;
};

/// In every coordinate. Of two optima closer than this one may be missed.
inline constexpr double kSameBasin = 1e-3;

/// Sweeps are the cheaper way as long as more than this share of all coordinates move.
inline constexpr double kFew = 0.2;

/// What block ascent does next: a sweep, a round with everybody awake, or rounds of those who are.
enum class AscentPhase { kSweep, kEverybody, kAwake };

namespace detail {

/// One epoch, coordinate by coordinate; the largest move, infinite if time ran out.
template <Objective O>
double sweep(O& state, const Box& box, std::span<const Index> order, Ticks& ticks) {
  double largest_move = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (ticks.spent()) return kInfinity;
    foresee(state, order.subspan(k + 1));
    const Index i = order[k];
    const Interval in = box[i];
    if (in.is_point()) continue;
    const double u = state.line(i).argmax(in);
    largest_move = std::max(largest_move, std::abs(u - state.coordinate(i)));
    state.set(i, u);
  }
  return largest_move;
}

/// The report of a run, epoch by epoch.
template <Objective O>
class AscentLog {
 public:
  AscentLog(const O& state, const CoordinateAscentOptions& options, const Observer& observer)
      : state_(state), options_(options), observer_(observer) {
    report_.status = Status::kEpochLimit;
  }

  /// Counts epochs. Whether to go on after them.
  bool add(double epochs, bool converged, AscentPhase = {}) {
    report_.epochs += epochs;
    if (converged || is_known())
      report_.status = Status::kConverged;
    else if (options_.budget.spent())
      report_.status = Status::kInterrupted;
    if (options_.trace || observer_) {
      TracePoint now{report_.epochs, options_.trace ? state_.value() : std::nan(""), 0};
      const bool wanted = !observer_ || observer_(now);
      if (options_.trace) report_.trace.push_back(now);
      if (!wanted && !converged) report_.status = Status::kInterrupted;
    }
    return report_.status == Status::kEpochLimit &&
           report_.epochs < static_cast<double>(options_.epochs);
  }

  Report finish() {
    report_.point = point_of(state_);
    report_.value = state_.value();
    return std::move(report_);
  }

 private:
  bool is_known() const {
    if (options_.known.empty()) return false;
    for (Index i = 0; i < options_.known.size(); ++i)
      if (std::abs(state_.coordinate(i) - options_.known[i]) > kSameBasin) return false;
    return state_.value() <= options_.known_value;
  }

  const O& state_;
  const CoordinateAscentOptions& options_;
  const Observer& observer_;
  Report report_;
};

/// Sweeps by classes, then, once few move, rounds over those that may, the first with everybody awake. When none is left a sweep is
/// the proof that none moves, or a new beginning. An epoch is as much work as a sweep.
/// log.add(epochs, converged, next) is told where it would go on, and says whether to.
template <class Ascent, class Log>
void ascend_by_blocks(Ascent& ascent, Index coordinates, const CoordinateAscentOptions& options,
                      Log& log, AscentPhase phase = AscentPhase::kSweep) {
  const auto n = static_cast<double>(std::max<Index>(1, coordinates));
  for (bool more = true; more;) {
    double visited = 0;
    typename Ascent::Moves moves;
    switch (phase) {
      case AscentPhase::kSweep:
        moves = ascent.sweep();
        if (!options.neighbours.empty() && static_cast<double>(moves.moved) <= kFew * n)
          phase = AscentPhase::kEverybody;
        more = log.add(1, moves.largest <= options.tolerance, phase);
        break;
      case AscentPhase::kEverybody:
        ascent.wake_all();
        moves = ascent.round();
        if (moves.moved > 0) phase = AscentPhase::kAwake;
        more = log.add(static_cast<double>(moves.visited) / n, moves.largest <= options.tolerance,
                       phase);
        break;
      case AscentPhase::kAwake:
        do {
          moves = ascent.round();
          visited += static_cast<double>(moves.visited);
        } while (visited < n && moves.moved > 0 && !std::isinf(moves.largest));
        if (moves.moved == 0) phase = AscentPhase::kSweep;
        more = log.add(visited / n, false, phase);
        break;
    }
  }
}

}  // namespace detail

/// From the point the state is at, which must lie in the box.
template <Objective O>
Report coordinate_ascent(O state, const Box& box, Order order,
                         const CoordinateAscentOptions& options = {},
                         const Observer& observer = {}) {
  detail::AscentLog log(state, options, observer);
  bool more = options.epochs > 0;
  if constexpr (BatchObjective<O>) {
    if (more && !order.class_ends().empty()) {
      BlockAscent ascent(state, box, order, options.neighbours, options.tolerance, options.budget);
      detail::ascend_by_blocks(ascent, state.size(), options, log);
      more = false;
    }
  }
  Ticks ticks(options.budget, 16);
  for (std::size_t epoch = options.first_epoch; more; ++epoch)
    more = log.add(1, detail::sweep(state, box, order.epoch(epoch), ticks) <= options.tolerance);
  return log.finish();
}

}  // namespace surefield
