// The certified global optimum of the ELBO: best-first branch and bound over boxes.
//
// A node is a box. It is first contracted (contraction.hpp), which may show it to hold no best
// point; then bounded by the least of its parent's bound, the tangents at its two ends,
//
//   f(x) <= f(a) + sum_i max_u (f(a | i <- u) - f(a))      and likewise from b,
//
// the certificate of one equalised double greedy pass (double_greedy.hpp), what is known beforehand
// (log Z is above every ELBO), and dual decomposition (dual_descent.hpp) with tangent multipliers
// at a local optimum of the box and the entropy shares of its parent; at the root shares are also found by centres and cuts
// (centred_shares.hpp). Mean maximisers, polished by coordinate ascent, are the candidates. A node that stays open is split where its parts disagree
// most. Most problems end at the root. Nodes are visited in rounds, on threads and by helpers (box_rounds.hpp); of one that is visited alone, as
// the root is, the parts are shared (part_help.hpp).
//
// Anytime: `value` is attained and `upper_bound` holds whenever the observer says stop. Memory:
// n (2 + parts) numbers an open node, `open_nodes` of them at most: beyond, the least promising are
// given up into one bound. docs/dual_decomposition.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/elbo/box_bounds.hpp"
#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/bounds/elbo/centred_shares.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/dual_descent.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

namespace detail {

/// What a node leaves to its halves.
struct DualParent {
  PerPart shares;
  std::vector<double> start;  ///< where coordinate ascent begins
};

inline auto fields_of(DualParent& parent) {
  auto& [shares, start] = parent;
  return std::tie(shares, start);
}

constexpr std::size_t kBeforeCentring = 20;  // iterations of the descent: enough for most

/// Whether a step of share_centre.hpp is a matter of at most a second.
template <DualPart Part>
bool worth_centring(const DualDecomposition<Part>& dual) {
  constexpr double kOperations = 1e9;
  const auto cube = [](std::size_t n) { return std::pow(static_cast<double>(n), 3); };
  double operations = cube(dual.size());
  for (const Part& part : dual.parts()) operations += 2 * cube(part.members().size());
  return operations <= kOperations;
}

/// `objective` moved to a point.
template <Objective O>
O moved_to(O objective, std::span<const double> x) {
  for (Index i = 0; i < x.size(); ++i) objective.set(i, x[i]);
  return objective;
}

template <Objective O>
Report polished_from(const O& objective, const Box& in, std::vector<double> x,
                     const Budget& budget) {
  for (Index i = 0; i < x.size(); ++i) x[i] = in[i].clamp(x[i]);
  return coordinate_ascent(moved_to(objective, x), in, Order::natural(x.size()),
                           {.epochs = 1000, .tolerance = 1e-11, .budget = budget});
}

/// One visit of a node.
template <Objective O, DualPart Part>
class DualVisit {
 public:
  DualVisit(const O& objective, const DualDecomposition<Part>& dual, const Box& domain,
            const BranchAndBoundOptions& options, const BoxRoundNow& now)
      : objective_(objective), dual_(dual), domain_(domain), options_(options), now_(now) {}

  void operator()(BoxVisit<DualParent>& seen) {
    BoxNode<DualParent>& node = seen.node;
    const Index n = objective_.size();
    seen.where = n;
    if (node.parent &&
        !contract(objective_, domain_, node.box, contraction_of(options_, now_.budget))) {
      seen.alive = false;
      return;
    }
    node.bound = std::min(node.bound, node_bound(moved_to(objective_, node.box.low),
                                                 moved_to(objective_, node.box.high), node.box,
                                                 natural_order(n), options_.rounding));
    if (node.bound <= now_.good_enough()) return;
    local_ = polish(seen, node.parent ? node.parent->start : start);
    const DualResult lowered = lower(seen);
    node.bound = std::min(node.bound, lowered.bound);
    if (seen.unfinished || node.bound <= now_.good_enough()) return;
    // Split where the parts disagree most, at their mean; where they do not, at the widest. No item: a point but for rounding.
    double most = -1;
    for (Index i = 0; i < n; ++i) {
      const double gain = lowered.disagreement[i] + 1e-6 * node.box[i].width();
      if (node.box[i].width() > 1e-9 && gain > most) seen.where = i, most = gain;
    }
    if (seen.where == n) return;
    const Interval in = node.box[seen.where];
    seen.cut =
        std::clamp(lowered.mean[seen.where], in.low + 0.1 * in.width(), in.high - 0.1 * in.width());
    node.parent = std::make_shared<const DualParent>(
        DualParent{lowered.multipliers.c, std::move(local_.point)});
  }

  std::vector<double> start;  ///< of the root

 private:
  /// What is found here counts here at once, elsewhere after the round.
  Report polish(BoxVisit<DualParent>& seen, std::vector<double> x) {
    Report found = polished_from(objective_, seen.node.box, std::move(x), now_.budget);
    if (found.value > now_.value) {
      now_.value = found.value;
      seen.polished = found;
    }
    return found;
  }

  DualResult lower(BoxVisit<DualParent>& seen) {
    BoxNode<DualParent>& node = seen.node;
    DualResult lowered;
    PerPart shares = node.parent ? node.parent->shares : dual_.shares(local_.point);
    std::size_t left = node.parent ? options_.node_iterations : options_.root_iterations;
    bool centre = !node.parent && options_.centred_rounds > 0 && worth_centring(dual_);
    while (left > 0 && !seen.unfinished) {
      bool better = false;  // a local optimum of this box that should be the reference instead
      DualOptions inner{.iterations = centre ? std::min(left, kBeforeCentring) : left,
                        .wanted = 0.8 * now_.tolerance(),
                        .by = {now_.budget, now_.helpers, options_.parts}};
      inner.coarsest = std::max(inner.coarsest, 1e-3 * std::abs(now_.value));
      const auto watch = [&](const DualProgress& at) {
        node.bound = std::min(node.bound, at.bound);
        if (now_.budget.spent() || (now_.watch && !now_.watch(now_.value, node.bound)))
          seen.unfinished = true;
        if (at.iteration % 5 == 0 && at.bound > now_.good_enough()) {
          Report found = polish(seen, std::vector<double>(at.mean.begin(), at.mean.end()));
          if (found.value > local_.value + 0.1 * now_.tolerance()) {
            local_ = std::move(found);
            better = true;
          }
        }
        return !seen.unfinished && !better && node.bound > now_.good_enough();
      };
      lowered = minimise(dual_, node.box, local_.point, now_.value,
                         dual_.tangent(local_.point, shares), inner, watch);
      left -= std::min(left, std::max<std::size_t>(1, lowered.iterations));
      bool again = better;
      if (!better && centre && !seen.unfinished && node.bound > now_.good_enough()) {
        inner.iterations = options_.centred_rounds;
        inner.coarsest =
            1e-4 * std::max(1.0, std::abs(now_.value));  // the first shares are far off
        DualResult centred =
            centred_shares(dual_, node.box, local_.point, now_.value, inner, now_.budget, watch);
        centre = better;
        again = better || node.bound > now_.good_enough();
        if (centred.bound < lowered.bound) shares = std::move(centred.multipliers.c);
      }
      if (!again) break;
      if (better)
        shares = node.parent ? std::move(lowered.multipliers.c) : dual_.shares(local_.point);
    }
    return lowered;
  }

  const O& objective_;
  const DualDecomposition<Part>
      dual_;  // a copy: parts remember where they were last, and visits must not
  const Box& domain_;
  const BranchAndBoundOptions& options_;
  BoxRoundNow now_;
  Report local_;  // the best of the box that is known
};

}  // namespace detail

/// `objective` and `dual` are the same function, given as an ELBO to move about in and as parts.
/// The observer is called after every dual iteration of the root and before every round of nodes, and returns whether to go on. Throws Error if
/// the known bound is not a number.
template <Objective O, DualPart Part>
BranchAndBoundReport branch_and_bound(
    const O& objective, const DualDecomposition<Part>& dual, const Box& box,
    const BranchAndBoundOptions& options = {},
    const std::function<bool(const BranchAndBoundProgress&)>& observer = {}) {
  require(!std::isnan(options.known_bound),
          "branch and bound: the known bound is nan, which must be a number");
  const Index n = objective.size();
  // Where to begin: the ends and the middle of the contracted box.
  Box root = box;
  if (!contract(objective, box, root, detail::contraction_of(options, options.budget)))
    root = box;  // by rounding only
  std::vector<double> middle(n);
  for (Index i = 0; i < n; ++i) middle[i] = root.low[i] + root[i].width() / 2;
  Report best;
  best.value = -kInfinity;
  best.point = root.low;  // where no value is a number
  for (const auto* from : {&root.low, &root.high, &middle})
    if (Report found = detail::polished_from(objective, root, *from, options.budget);
        found.value > best.value)
      best = std::move(found);
  BoxRounds<detail::DualParent> rounds(root, best.point, best.value,
                                       detail::rounds_of(options, observer));
  return detail::report_of(rounds([&](BoxVisit<detail::DualParent>& seen, const BoxRoundNow& now) {
    detail::DualVisit<O, Part> visit(objective, dual, box, options, now);
    if (!seen.node.parent) visit.start = best.point;
    visit(seen);
  }));
}

/// Visits nodes of such a search that another process leads: with the same objective, at the same point, and the same options.
template <Objective O, DualPart Part>
Answerer dual_box_answerer(O objective, DualDecomposition<Part> dual, Box box,
                           BranchAndBoundOptions options) {
  const double relative_gap = options.relative_gap, absolute_gap = options.absolute_gap;
  const Budget budget = options.budget;
  return box_answerer<detail::DualParent>(
      relative_gap, absolute_gap, budget,
      [objective = std::move(objective), dual = std::move(dual), box = std::move(box),
       options = std::move(options)](BoxVisit<detail::DualParent>& seen, const BoxRoundNow& now) {
        detail::DualVisit<O, Part>(objective, dual, box, options, now)(seen);
      });
}

}  // namespace surefield
