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
// most. Most problems end at the root.
//
// Anytime: `value` is attained and `upper_bound` holds whenever the observer says stop. Memory:
// n (2 + parts) numbers an open node, `open_nodes` of them at most. docs/dual_decomposition.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/bounds/elbo/centred_shares.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/dual_descent.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/order.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct BranchAndBoundOptions {
  double relative_gap = 1e-6;         ///< stops when upper bound - value is within this of |value|
  double absolute_gap = 1e-9;         ///< or within this
  std::size_t nodes = 100000;         ///< boxes bounded, at most
  std::size_t open_nodes = 20000;     ///< boxes waiting, at most
  std::size_t root_iterations = 400;  ///< of the dual at the root
  std::size_t centred_rounds = 40;    ///< at the root, where some iterations have not closed it
  std::size_t node_iterations = 60;   ///< of the dual at every other node
  Budget budget = {};                 ///< the result does not depend on its threads
  PassRounding rounding = {};         ///< of the objective; carried by every bound
  double known_bound = kInfinity;     ///< of the whole box, e.g. one of log Z: caps every bound
  ContractionOptions contraction = {};
};

/// What is certain so far.
struct BranchAndBoundProgress {
  double value;        ///< attained
  double upper_bound;  ///< of every point of the box
  std::size_t nodes;   ///< boxes bounded
  std::size_t open;    ///< boxes waiting
};

/// kConverged: the gap is closed; kEpochLimit: out of nodes; kInterrupted: by the observer.
struct BranchAndBoundReport {
  Report report;
  std::size_t nodes = 0;
};

namespace detail {

struct BranchNode {
  double bound;
  Box box;
  std::shared_ptr<const PerPart> shares;  ///< of the parent, shared with the sibling
  std::vector<double> start;              ///< where coordinate ascent begins
};

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

}  // namespace detail

/// `objective` and `dual` are the same function, given as an ELBO to move about in and as parts.
/// The observer is called after every dual iteration and returns whether to go on. Throws Error if
/// the known bound is not a number.
template <Objective O, DualPart Part>
BranchAndBoundReport branch_and_bound(
    const O& objective, const DualDecomposition<Part>& dual, const Box& box,
    const BranchAndBoundOptions& options = {},
    const std::function<bool(const BranchAndBoundProgress&)>& observer = {}) {
  using detail::BranchNode;
  require(!std::isnan(options.known_bound),
          "branch and bound: the known bound is nan, which must be a number");
  const Index n = objective.size();
  Order order = Order::natural(n);
  const auto later = [](const BranchNode& a, const BranchNode& b) { return a.bound < b.bound; };
  const auto at = [&](std::span<const double> x) {
    O state = objective;
    for (Index i = 0; i < n; ++i) state.set(i, x[i]);
    return state;
  };

  BranchAndBoundReport result;
  Report& report = result.report;
  report.value = -kInfinity;
  const auto polish = [&](const Box& in, std::vector<double> x) {
    for (Index i = 0; i < n; ++i) x[i] = in[i].clamp(x[i]);
    Report found = coordinate_ascent(
        at(x), in, order, {.epochs = 1000, .tolerance = 1e-11, .budget = options.budget});
    if (found.value > report.value) {
      report.value = found.value;
      report.point = found.point;
    }
    return found;
  };
  const auto tolerance = [&] {
    return std::max(options.absolute_gap, options.relative_gap * std::abs(report.value));
  };

  ContractionOptions contraction = options.contraction;
  contraction.slack = std::max(contraction.slack, contraction_slack(options.rounding.slope));
  contraction.budget = options.budget;

  // Where to begin: the ends and the middle of the contracted box.
  Box root = box;
  if (!contract(objective, box, root, contraction)) root = box;  // by rounding only
  std::vector<double> middle(n);
  for (Index i = 0; i < n; ++i) middle[i] = root.low[i] + root[i].width() / 2;
  report.point = root.low;  // where no value is a number
  polish(root, root.low);
  polish(root, root.high);
  polish(root, middle);
  std::vector<BranchNode> open{{options.known_bound, root, nullptr, report.point}};
  double settled = -kInfinity;  // the largest bound of a box that is done with
  double last_upper = kInfinity;

  while (!open.empty()) {
    if (open.front().bound <= report.value + tolerance()) break;
    if (result.nodes >= options.nodes || open.size() > options.open_nodes) {
      report.status = Status::kEpochLimit;
      break;
    }
    if (options.budget.spent()) {
      report.status = Status::kInterrupted;
      break;
    }
    std::pop_heap(open.begin(), open.end(), later);
    BranchNode node = std::move(open.back());
    open.pop_back();
    ++result.nodes;
    if (node.shares && !contract(objective, box, node.box, contraction)) continue;
    node.bound =
        std::min(node.bound, detail::node_bound(at(node.box.low), at(node.box.high), node.box,
                                                order.epoch(0), options.rounding));
    if (node.bound <= report.value + tolerance()) {
      settled = std::max(settled, node.bound);
      continue;
    }

    const auto upper = [&] {
      double most = std::max(settled, node.bound);
      if (!open.empty()) most = std::max(most, open.front().bound);
      return last_upper = std::min(last_upper, most);
    };
    bool stopped = false;
    DualResult lowered;
    Report local = polish(node.box, node.start);
    PerPart shares = node.shares ? *node.shares : dual.shares(local.point);
    std::size_t left = node.shares ? options.node_iterations : options.root_iterations;
    bool centre = !node.shares && options.centred_rounds > 0 && detail::worth_centring(dual);
    while (left > 0 && !stopped) {
      bool better = false;  // a local optimum of this box that should be the reference instead
      DualOptions inner{.iterations = centre ? std::min(left, detail::kBeforeCentring) : left,
                        .wanted = 0.8 * tolerance(),
                        .threads = options.budget.threads()};
      inner.coarsest = std::max(inner.coarsest, 1e-3 * std::abs(report.value));
      const auto watch = [&](const DualProgress& now) {
        node.bound = std::min(node.bound, now.bound);
        if (options.budget.spent() ||
            (observer && !observer({report.value, upper(), result.nodes, open.size()})))
          stopped = true;
        if (now.iteration % 5 == 0 && now.bound - report.value > tolerance()) {
          Report found = polish(node.box, std::vector<double>(now.mean.begin(), now.mean.end()));
          if (found.value > local.value + 0.1 * tolerance()) {
            local = std::move(found);
            better = true;
          }
        }
        return !stopped && !better && node.bound > report.value + tolerance();
      };
      lowered = minimise(dual, node.box, local.point, report.value,
                         dual.tangent(local.point, shares), inner, watch);
      left -= std::min(left, std::max<std::size_t>(1, lowered.iterations));
      bool again = better;
      if (!better && centre && !stopped && node.bound > report.value + tolerance()) {
        inner.iterations = options.centred_rounds;
        inner.coarsest =
            1e-4 * std::max(1.0, std::abs(report.value));  // the first shares are far off
        DualResult centred =
            centred_shares(dual, node.box, local.point, report.value, inner, options.budget, watch);
        centre = better;
        again = better || node.bound > report.value + tolerance();
        if (centred.bound < lowered.bound) shares = std::move(centred.multipliers.c);
      }
      if (!again) break;
      if (better)
        shares = node.shares ? std::move(lowered.multipliers.c) : dual.shares(local.point);
    }
    node.bound = std::min(node.bound, lowered.bound);

    if (stopped) {
      open.push_back(std::move(node));
      std::push_heap(open.begin(), open.end(), later);
      report.status = Status::kInterrupted;
      break;
    }
    if (node.bound <= report.value + tolerance()) {
      settled = std::max(settled, node.bound);
      continue;
    }
    // Split where the parts disagree most, at their mean; where they do not, at the widest.
    Index where = 0;
    double most = -1;
    for (Index i = 0; i < n; ++i) {
      const double gain = lowered.disagreement[i] + 1e-6 * node.box[i].width();
      if (node.box[i].width() > 1e-9 && gain > most) where = i, most = gain;
    }
    if (most < 0) {  // a point but for rounding: no more to be had
      settled = std::max(settled, node.bound);
      continue;
    }
    const Interval in = node.box[where];
    const double cut =
        std::clamp(lowered.mean[where], in.low + 0.1 * in.width(), in.high - 0.1 * in.width());
    const auto kept = std::make_shared<const PerPart>(std::move(lowered.multipliers.c));
    for (const bool above : {false, true}) {
      BranchNode child{node.bound, node.box, kept, local.point};
      child.box.keep_part(where, cut, above);
      open.push_back(std::move(child));
      std::push_heap(open.begin(), open.end(), later);
    }
  }

  double most = settled;
  if (!open.empty()) most = std::max(most, open.front().bound);
  report.upper_bound = std::min(most, last_upper);
  if (report.status == Status::kDone)  // or the boxes left are points, and rounding is all there is
    report.status = *report.upper_bound <= report.value + tolerance() ? Status::kConverged
                                                                      : Status::kEpochLimit;
  report.epochs = static_cast<double>(result.nodes);
  return result;
}

}  // namespace surefield
