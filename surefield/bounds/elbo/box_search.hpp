// Branch and bound for any DR-submodular objective, without parts: best-first over boxes.
//
// A node is a box, contracted first (contraction.hpp; an empty one holds no best point) and bounded
// by the tangents at its two corners and by the certificate of one equalised double greedy pass. It
// is split in half where width times the fall of the slope across the box is largest. Every eighth
// node also polishes its middle by coordinate ascent. Anytime: value and bound hold whenever it
// stops. Weaker than dual decomposition (branch_and_bound.hpp) where a model splits into parts, but
// it asks for nothing but lines. Cost: about 10 sweeps a node; 2 n numbers an open node.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

/// `at(x)` makes the objective at a point; `point` is where the best value known is attained.
/// Of the options the dual's iterations and threads are not used.
template <class At>
BranchAndBoundReport box_search(
    At&& at, const Box& box, std::vector<double> point, const BranchAndBoundOptions& options = {},
    const std::function<bool(const BranchAndBoundProgress&)>& observer = {}) {
  struct Node {
    double bound;
    Box box;
  };
  const Index n = box.size();
  const std::vector<Index> visits = natural_order(n);
  const auto lower = [](const Node& a, const Node& b) { return a.bound < b.bound; };
  ContractionOptions contraction = options.contraction;
  contraction.steps = 20;
  contraction.slack = std::max(contraction.slack, contraction_slack(options.rounding.slope));
  contraction.budget = options.budget;

  BranchAndBoundReport result;
  Report& report = result.report;
  report.point = std::move(point);
  report.value = at(report.point).value();
  const auto tolerance = [&] {
    return std::max(options.absolute_gap, options.relative_gap * std::abs(report.value));
  };
  std::vector<Node> open{{std::min(kInfinity, options.known_bound), box}};
  double settled = -kInfinity;  // the largest bound of a box that is done with
  bool stopped = false;
  while (!open.empty() && open.front().bound > report.value + tolerance()) {
    if (result.nodes >= options.nodes || open.size() > options.open_nodes) break;
    std::pop_heap(open.begin(), open.end(), lower);
    Node node = std::move(open.back());
    open.pop_back();
    ++result.nodes;
    const auto keep = [&] {
      open.push_back(std::move(node));
      std::push_heap(open.begin(), open.end(), lower);
    };
    const double before =
        std::max({settled, node.bound, open.empty() ? -kInfinity : open.front().bound});
    if (options.budget.spent() ||
        (observer && !observer({report.value, before, result.nodes, open.size()}))) {
      stopped = true;
      keep();
      break;
    }
    if (!contract(at(node.box.low), box, node.box, contraction)) continue;
    const auto bottom = at(node.box.low);
    const auto top = at(node.box.high);
    node.bound =
        std::min(node.bound, detail::node_bound(bottom, top, node.box, visits, options.rounding));
    if (result.nodes % 8 == 1) {
      std::vector<double> middle(n);
      for (Index i = 0; i < n; ++i)
        middle[i] = node.box[i].clamp(node.box.low[i] + node.box[i].width() / 2);
      Report found =
          coordinate_ascent(at(middle), box, Order::natural(n),
                            {.epochs = 200, .tolerance = 1e-9, .budget = options.budget});
      if (found.value > report.value)
        report.value = found.value, report.point = std::move(found.point);
    }
    Index where = n;
    double most = -1;
    for (Index i = 0; i < n; ++i) {
      const double width = node.box[i].width();
      const double middle = node.box.low[i] + width / 2;
      const double fall = width * (bottom.line(i).slope(middle) - top.line(i).slope(middle));
      if (width > 1e-9 && fall > most) where = i, most = fall;
    }
    if (node.bound <= report.value + tolerance() ||
        where == n) {  // done, or a point but for rounding
      settled = std::max(settled, node.bound);
      continue;
    }
    const double cut = node.box.low[where] + node.box[where].width() / 2;
    for (const bool above : {false, true}) {
      Node child = node;
      child.box.keep_part(where, cut, above);
      open.push_back(std::move(child));
      std::push_heap(open.begin(), open.end(), lower);
    }
  }
  double most = settled;
  if (!open.empty()) most = std::max(most, open.front().bound);
  report.upper_bound = std::min(most, options.known_bound);
  report.epochs = static_cast<double>(result.nodes);
  report.status = stopped                                             ? Status::kInterrupted
                  : *report.upper_bound <= report.value + tolerance() ? Status::kConverged
                                                                      : Status::kEpochLimit;
  return result;
}

}  // namespace surefield
