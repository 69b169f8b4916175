// Box contraction: cuts off what cannot hold a best point, by the slopes at the two ends of the
// box.
//
// The best point of a DR-submodular function on a box is the best point of its own line along every
// coordinate, x_i = argmax line_i(x). Slopes fall as coordinates rise, so with a <= x <= b
//
//   argmax line_i(b) <= x_i <= argmax line_i(a)            b <- min(b, .),  a <- max(a, .)
//
// again and again: for the ELBO, b <- min(b, sigmoid(g(a))) and a <- max(a, sigmoid(g(b))). A box
// that shrinks to a point holds the best point for certain; one that becomes empty holds none.
// The argmax is taken over the whole domain, so that a part of it can turn out empty. Cost: two
// lines per coordinate and step. Rounding: every cut is moved outwards by `slack` of x,
// which must cover the error of the slopes (contraction_slack).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {

struct ContractionOptions {
  std::size_t steps = 200;  ///< at most
  double progress = 1e-6;   ///< stops when no interval end moves by more
  double slack = 1e-10;     ///< see above
  Budget budget = {};       ///< the box is valid whenever it ends
};

/// What covers slopes that are off by `error`: sigmoid(g + e) <= e^e sigmoid(g). Where the error is
/// not small, no cut is worth anything.
inline double contraction_slack(double error) { return std::expm1(2 * error) + 1e-13; }

namespace detail {

template <Objective O>
void put(O& state, const std::vector<double>& x) {
  for (Index i = 0; i < x.size(); ++i) state.set(i, x[i]);
}

/// The cut of coordinate i from above, `u` being the best point of its line at the bottom of the box. False if nothing is left.
inline bool cut_from_above(Index i, double u, Box& box, double slack, double& moved) {
  const double high = u + slack * u;
  if (high < box.low[i]) return false;
  if (high >= box.high[i]) return true;
  moved = std::max(moved, box.high[i] - high);
  box.high[i] = high;
  return true;
}

/// The same from below, by the line at the top. Many sigmoids at once do not go below 1e-307 (core/sigmoid_batch.hpp).
inline bool cut_from_below(Index i, double u, Box& box, double slack, double& moved) {
  const double low = u < 1e-300 ? 0 : u - slack * u;
  if (low > box.high[i]) return false;
  if (low <= box.low[i]) return true;
  moved = std::max(moved, low - box.low[i]);
  box.low[i] = low;
  return true;
}

/// cut(i, u, moved) for some coordinates, u being the best point of the line of i in the domain: many at once where lines
/// do not depend on each other's moves. False if nothing is left.
template <Objective O, class Cut>
bool cut_these(const O& state, std::span<const Index> ids, const Box& domain, double& moved,
               const Cut& cut) {
  if constexpr (BatchObjective<O> && requires { requires O::kIndependentMoves; }) {
    constexpr Index kBatch = 256;
    std::array<double, kBatch> best;
    for (Index from = 0; from < ids.size(); from += kBatch) {
      const auto some = ids.subspan(from, std::min(kBatch, ids.size() - from));
      state.argmax_batch(some, domain, best);
      for (Index k = 0; k < some.size(); ++k)
        if (!cut(some[k], best[k], moved)) return false;
    }
  } else {
    for (const Index i : ids)
      if (!cut(i, state.line(i).argmax(domain[i]), moved)) return false;
  }
  return true;
}

/// The same for all coordinates until the budget is spent, on its threads where there are many and moves are independent: a cut reads
/// the state and writes its own interval, so the box is the same for any number of threads.
template <Objective O, class Cut>
bool cut_each(const O& state, const Box& domain, const Budget& budget, double& moved,
              const Cut& cut) {
  constexpr bool kIndependent = requires { requires O::kIndependentMoves; };
  constexpr Index kPiece = kIndependent ? 4096 : 16;  // coordinates between two looks at the budget
  const Index n = state.size();
  const auto piece = [&](Index from, double& by) {
    std::array<Index, kPiece> ids;
    const Index count = std::min(kPiece, n - from);
    std::iota(ids.begin(), ids.begin() + count, from);
    return cut_these(state, std::span<const Index>(ids).first(count), domain, by, cut);
  };
  if (!kIndependent || n <= kPiece) {
    for (Index from = 0; from < n && !budget.spent(); from += kPiece)
      if (!piece(from, moved)) return false;
    return true;
  }
  const Index pieces = (n + kPiece - 1) / kPiece;
  std::vector<double> by(pieces, 0);
  std::vector<std::uint8_t> left(pieces, 1);
  for_each_index(pieces, budget,
                 [&](std::size_t p) { left[p] = piece(p * kPiece, by[p]) ? 1 : 0; });
  moved = std::max(moved, *std::max_element(by.begin(), by.end()));
  return std::find(left.begin(), left.end(), 0) == left.end();
}

}  // namespace detail

/// Contracts `box`, a part of `domain`. False if it holds no best point of the domain; the box is
/// then of no use. The objective serves for its lines only; its own point does not matter.
template <Objective O>
bool contract(const O& objective, const Box& domain, Box& box,
              const ContractionOptions& options = {}) {
  if (!(options.slack < 1)) return true;  // no cut would move anything
  O state = objective;
  for (std::size_t step = 0; step < options.steps; ++step) {
    if (options.budget.spent()) break;
    double moved = 0;
    detail::put(state, box.low);
    if (!detail::cut_each(state, domain, options.budget, moved, [&](Index i, double u, double& by) {
          return detail::cut_from_above(i, u, box, options.slack, by);
        }))
      return false;
    detail::put(state, box.high);
    if (!detail::cut_each(state, domain, options.budget, moved, [&](Index i, double u, double& by) {
          return detail::cut_from_below(i, u, box, options.slack, by);
        }))
      return false;
    if (moved <= options.progress) break;
  }
  return true;
}

}  // namespace surefield
