// Best-first branch and bound over boxes, eight at a time: what the searches over boxes share.
//
// The boxes with the largest bounds are visited side by side, on threads, and what they found is taken in in their order: the result does not
// depend on the number of threads. A visit contracts and bounds its box, may cut off parts of it that are settled, says where to split it, in the
// middle, and may bring a point. Anytime: value and bound hold whenever it stops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/open_boxes.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct BoxRoundsOptions {
  double relative_gap = 1e-6;      ///< stops when bound - value is within this of |value|
  double absolute_gap = 1e-9;      ///< or within this
  std::size_t nodes = 100000;      ///< boxes bounded, at most
  std::size_t open_nodes = 50000;  ///< boxes waiting, at most; the least promising are given up
  double known_bound = kInfinity;  ///< of the whole box: caps every bound
  Budget budget = {};              ///< the result does not depend on its threads
  /// Told value, bound, boxes bounded and boxes waiting before every round; whether to go on.
  std::function<bool(double, double, std::size_t, std::size_t)> observer = {};
};

struct BoxRoundsReport {
  Status status = Status::kEpochLimit;  ///< kConverged: the gap is closed
  double bound = kInfinity;             ///< no point of the box has a larger value
  double value = 0;                     ///< of `point`, as computed
  std::vector<double> point;
  std::size_t nodes = 0;
};

/// A Parent is what a box hands on to both its halves.
template <class Parent>
struct BoxNode {
  double bound;
  Box box;
  std::shared_ptr<const Parent> parent;  ///< none at the root
};

template <class Parent>
struct BoxVisit {
  BoxNode<Parent>
      node;  ///< the visit lowers its bound, shrinks its box and sets what its halves inherit
  std::size_t number;           ///< of the visit, from 1
  bool alive = true;            ///< false: the box holds no best point
  double cut_off = -kInfinity;  ///< the largest bound of the parts cut off
  Index where = 0;              ///< the item to split; as many as there are: none can be
  Report polished = {};         ///< a point of the box searched, if any
};

template <class Parent>
class BoxRounds {
 public:
  BoxRounds(const Box& box, std::vector<double> point, double value,
            const BoxRoundsOptions& options)
      : options_(options), open_(options.open_nodes) {
    report_.point = std::move(point);
    report_.value = value;
    open_.push({options.known_bound, box, nullptr});
  }

  /// visit(BoxVisit<Parent>&), safe from several threads at once; it may ask the const members below.
  template <class Visit>
  BoxRoundsReport operator()(Visit&& visit) {
    while (open_.upper() > good_enough() && open_.can_fall() && report_.nodes < options_.nodes) {
      if (options_.budget.spent() ||
          (options_.observer &&
           !options_.observer(report_.value, std::min(open_.upper(), options_.known_bound),
                              report_.nodes, open_.size()))) {
        report_.status = Status::kInterrupted;
        break;
      }
      round(visit);
    }
    double most = open_.upper();
    // Some box holds the best point; were all gone, nothing would be known.
    if (most == -kInfinity) most = kInfinity;
    report_.bound = std::min(most, options_.known_bound);
    if (report_.bound <= good_enough()) report_.status = Status::kConverged;
    return std::move(report_);
  }

  double tolerance() const {
    return std::max(options_.absolute_gap, options_.relative_gap * std::abs(report_.value));
  }
  double good_enough() const { return report_.value + tolerance(); }
  double value() const { return report_.value; }
  const Budget& budget() const { return options_.budget; }

 private:
  static constexpr std::size_t kSideBySide = 8;

  template <class Visit>
  void round(Visit&& visit) {
    std::vector<BoxVisit<Parent>> visits;
    const std::size_t most = std::min(kSideBySide, options_.nodes - report_.nodes);
    while (visits.size() < most && !open_.empty() &&
           (visits.empty() || open_.upper() > good_enough()))
      visits.push_back({.node = open_.pop(), .number = ++report_.nodes});
    for_each_index(visits.size(), options_.budget.threads(),
                   [&](std::size_t k) { visit(visits[k]); });
    for (BoxVisit<Parent>& seen : visits) {
      open_.settle(seen.cut_off);
      if (seen.polished.point.empty() || !(seen.polished.value > report_.value)) continue;
      report_.value = seen.polished.value;
      report_.point = std::move(seen.polished.point);
    }
    for (BoxVisit<Parent>& seen : visits)
      if (seen.alive) take_in(seen);
  }

  void take_in(BoxVisit<Parent>& seen) {
    BoxNode<Parent>& node = seen.node;
    // Done, or nothing is left to split: a point but for rounding.
    if (node.bound <= good_enough() || seen.where >= node.box.size()) {
      open_.settle(node.bound);
      return;
    }
    const Interval in = node.box[seen.where];
    for (const bool above : {false, true}) {
      BoxNode<Parent> half = node;
      half.box.keep_part(seen.where, in.low + in.width() / 2, above);
      open_.push(std::move(half));
    }
  }

  BoxRoundsOptions options_;
  BoxRoundsReport report_;
  OpenBoxes<BoxNode<Parent>> open_;
};

}  // namespace surefield
