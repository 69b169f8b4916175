// What searches over boxes share (branch_and_bound.hpp, box_search.hpp, difference_boxes.hpp): their options and report, the bound of a box by its two corners and
// a pass of double greedy between them, the points they bring and where they split.
//
//   f(x) <= f(a) + sum_i max_u (f(a | i <- u) - f(a))      and likewise from b
//
// Cost: three sweeps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/report.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

struct BranchAndBoundOptions {
  double relative_gap = 1e-6;         ///< stops when upper bound - value is within this of |value|
  double absolute_gap = 1e-9;         ///< or within this
  std::size_t nodes = 100000;         ///< boxes bounded, at most
  std::size_t open_nodes = 20000;     ///< boxes waiting, at most; the least promising are given up
  std::size_t root_iterations = 400;  ///< of the dual at the root
  std::size_t centred_rounds = 40;    ///< at the root, where some iterations have not closed it
  std::size_t node_iterations = 60;   ///< of the dual at every other node
  Budget budget = {};                 ///< the result does not depend on its threads
  PassRounding rounding = {};         ///< of the objective; carried by every bound
  double known_bound = kInfinity;     ///< of the whole box, e.g. one of log Z: caps every bound
  ContractionOptions contraction = {};
  Helpers* helpers = nullptr;  ///< visit nodes too; the result does not depend on them
  Subject subject = {};        ///< for them
  Subject parts = {};          ///< for them where a node is visited alone: its parts are shared
};

using BranchAndBoundProgress = BoxRoundsProgress;

/// kConverged: the gap is closed; kEpochLimit: out of nodes; kInterrupted: by the observer.
struct BranchAndBoundReport {
  Report report;
  std::size_t nodes = 0;
};

namespace detail {

inline BoxRoundsOptions rounds_of(
    const BranchAndBoundOptions& options,
    const std::function<bool(const BranchAndBoundProgress&)>& observer) {
  return {.relative_gap = options.relative_gap,
          .absolute_gap = options.absolute_gap,
          .nodes = options.nodes,
          .open_nodes = options.open_nodes,
          .known_bound = options.known_bound,
          .budget = options.budget,
          .helpers = options.helpers,
          .subject = options.subject,
          .observer = observer};
}

inline BranchAndBoundReport report_of(BoxRoundsReport found) {
  BranchAndBoundReport result;
  result.nodes = found.nodes;
  result.report = {.status = found.status,
                   .point = std::move(found.point),
                   .value = found.value,
                   .upper_bound = found.bound,
                   .epochs = static_cast<double>(found.nodes),
                   .trace = {}};
  return result;
}

inline ContractionOptions contraction_of(const BranchAndBoundOptions& options,
                                         const Budget& budget) {
  ContractionOptions contraction = options.contraction;
  contraction.slack = std::max(contraction.slack, contraction_slack(options.rounding.slope));
  contraction.budget = budget;
  return contraction;
}

/// f(x) <= f(corner) + what every coordinate could gain from there alone, x between the corners.
template <Objective O>
double corner_bound(const O& corner, const Box& box, const PassRounding& rounding) {
  double value = corner.value();
  double magnitude = std::abs(value);
  for (Index i = 0; i < corner.size(); ++i) {
    const auto line = corner.line(i);
    const double gain = std::max(0.0, line.rise(corner.coordinate(i), line.argmax(box[i])));
    value += gain;
    magnitude += gain + sizes_in_loss(line);
  }
  // Each gain is a difference of two values along a line.
  return value + gamma_of(64 + static_cast<double>(corner.size())) * magnitude + rounding.value +
         2 * rounding.lines;
}

/// The least of both corner bounds and the certificate of a double greedy pass between them.
template <Objective O>
double node_bound(const O& bottom, const O& top, const Box& box, std::span<const Index> order,
                  const PassRounding& rounding) {
  const double corners =
      std::min(corner_bound(bottom, box, rounding), corner_bound(top, box, rounding));
  const auto pass = double_greedy(bottom, top, order, Equalised{}, false, rounding);
  return std::min(corners, pass.report.upper_bound.value_or(kInfinity));
}

/// A point that some boxes bring: from where the objective stands, in the domain.
template <Objective O>
Report polished_in(const Box& domain, O objective, const Budget& budget) {
  const Index n = domain.size();
  return coordinate_ascent(std::move(objective), domain, Order::natural(n),
                           {.epochs = 200, .tolerance = 1e-9, .budget = budget});
}

/// Where to split: width times fall(i), what the slope along i falls across the box, is largest. As many as there are items: all are points.
template <class Fall>
Index widest_fall(const Box& box, const Fall& fall) {
  Index where = box.size();
  double most = -1;
  for (Index i = 0; i < box.size(); ++i) {
    const double width = box[i].width();
    const double now = width * fall(i);
    if (width > 1e-9 && now > most) where = i, most = now;
  }
  return where;
}

}  // namespace detail
}  // namespace surefield
