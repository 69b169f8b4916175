// Branch and bound for any DR-submodular objective, without parts: best-first over boxes.
//
// A node is a box, contracted first (contraction.hpp; an empty one holds no best point) and bounded
// by the tangents at its two corners and by the certificate of one equalised double greedy pass. It
// is split in half where width times the fall of the slope across the box is largest. Every eighth
// node also polishes its middle by coordinate ascent. Anytime: value and bound hold whenever it
// stops. Weaker than dual decomposition (branch_and_bound.hpp) where a model splits into parts, but
// it asks for nothing but lines. Rounds of nodes: box_rounds.hpp. Cost: about 10 sweeps a node; 2 n numbers an open node.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/box_bounds.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

namespace detail {

/// One visit of a box.
template <class At>
void visit_box(const At& at, const Box& domain, const BranchAndBoundOptions& options,
               BoxVisit<NoParent>& seen, const BoxRoundNow& now) {
  BoxNode<NoParent>& node = seen.node;
  const Index n = domain.size();
  ContractionOptions contraction = contraction_of(options, now.budget);
  contraction.steps = 20;
  seen.where = n;
  if (!contract(at(node.box.low), domain, node.box, contraction)) {
    seen.alive = false;
    return;
  }
  const auto bottom = at(node.box.low);
  const auto top = at(node.box.high);
  node.bound =
      std::min(node.bound, node_bound(bottom, top, node.box, natural_order(n), options.rounding));
  if (seen.number % 8 == 1) {
    std::vector<double> middle(n);
    for (Index i = 0; i < n; ++i)
      middle[i] = node.box[i].clamp(node.box.low[i] + node.box[i].width() / 2);
    seen.polished = polished_in(domain, at(middle), now.budget);
  }
  seen.where = widest_fall(node.box, [&](Index i) {
    const double middle = node.box.low[i] + node.box[i].width() / 2;
    return bottom.line(i).slope(middle) - top.line(i).slope(middle);
  });
}

}  // namespace detail

/// `at(x)` makes the objective at a point; `point` is where the best value known is attained.
/// Of the options the dual's iterations are not used. The observer is called before every round.
template <class At>
BranchAndBoundReport box_search(
    const At& at, const Box& box, std::vector<double> point,
    const BranchAndBoundOptions& options = {},
    const std::function<bool(const BranchAndBoundProgress&)>& observer = {}) {
  const double value = at(point).value();
  BoxRounds<NoParent> rounds(box, std::move(point), value, detail::rounds_of(options, observer));
  return detail::report_of(rounds([&](BoxVisit<NoParent>& seen, const BoxRoundNow& now) {
    detail::visit_box(at, box, options, seen, now);
  }));
}

/// Visits boxes of such a search that another process leads, with the same options.
template <class At>
Answerer search_box_answerer(At at, Box box, BranchAndBoundOptions options) {
  const double relative_gap = options.relative_gap, absolute_gap = options.absolute_gap;
  const Budget budget = options.budget;
  return box_answerer<NoParent>(
      relative_gap, absolute_gap, budget,
      [at = std::move(at), box = std::move(box), options = std::move(options)](
          BoxVisit<NoParent>& seen, const BoxRoundNow& now) {
        detail::visit_box(at, box, options, seen, now);
      });
}

}  // namespace surefield
