// Branch and bound for any DR-submodular objective, without parts: best-first over boxes, eight at a time on threads (box_rounds.hpp).
//
// A node is a box, contracted first (contraction.hpp; an empty one holds no best point) and bounded
// by the tangents at its two corners and by the certificate of one equalised double greedy pass. It
// is split in half where width times the fall of the slope across the box is largest. Every eighth
// node also polishes its middle by coordinate ascent. Anytime: value and bound hold whenever it
// stops. Weaker than dual decomposition (branch_and_bound.hpp) where a model splits into parts, but
// it asks for nothing but lines. Cost: about 10 sweeps a node; 2 n numbers an open node; where more wait than may, the
// least promising are given up.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/bounds/spectral/box_rounds.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

/// `at(x)` makes the objective at a point; `point` is where the best value known is attained.
/// Of the options the dual's iterations are not used. `at` must be safe from several threads at once.
template <class At>
BranchAndBoundReport box_search(
    At&& at, const Box& box, std::vector<double> point, const BranchAndBoundOptions& options = {},
    const std::function<bool(const BranchAndBoundProgress&)>& observer = {}) {
  struct Nothing {};
  const Index n = box.size();
  const std::vector<Index> order = natural_order(n);
  ContractionOptions contraction = options.contraction;
  contraction.steps = 20;
  contraction.slack = std::max(contraction.slack, contraction_slack(options.rounding.slope));
  contraction.budget = options.budget;

  BoxRoundsOptions how{.relative_gap = options.relative_gap,
                       .absolute_gap = options.absolute_gap,
                       .nodes = options.nodes,
                       .open_nodes = options.open_nodes,
                       .known_bound = options.known_bound,
                       .budget = options.budget};
  if (observer)
    how.observer = [&](double value, double upper, std::size_t nodes, std::size_t open) {
      return observer({value, upper, nodes, open});
    };
  const double value = at(point).value();
  BoxRounds<Nothing> rounds(box, std::move(point), value, how);
  BoxRoundsReport found = rounds([&](BoxVisit<Nothing>& seen) {
    Box& here = seen.node.box;
    seen.where = n;
    if (!contract(at(here.low), box, here, contraction)) {
      seen.alive = false;
      return;
    }
    const auto bottom = at(here.low);
    const auto top = at(here.high);
    seen.node.bound =
        std::min(seen.node.bound, detail::node_bound(bottom, top, here, order, options.rounding));
    if (seen.number % 8 == 1) {
      std::vector<double> middle(n);
      for (Index i = 0; i < n; ++i) middle[i] = here[i].clamp(here.low[i] + here[i].width() / 2);
      seen.polished =
          coordinate_ascent(at(middle), box, Order::natural(n),
                            {.epochs = 200, .tolerance = 1e-9, .budget = options.budget});
    }
    double most = -1;
    for (Index i = 0; i < n; ++i) {
      const double width = here[i].width();
      const double middle = here.low[i] + width / 2;
      const double fall = width * (bottom.line(i).slope(middle) - top.line(i).slope(middle));
      if (width > 1e-9 && fall > most) seen.where = i, most = fall;
    }
  });
  BranchAndBoundReport result;
  result.nodes = found.nodes;
  result.report.value = found.value;
  result.report.point = std::move(found.point);
  result.report.upper_bound = found.bound;
  result.report.epochs = static_cast<double>(found.nodes);
  result.report.status = found.status;
  return result;
}

}  // namespace surefield
