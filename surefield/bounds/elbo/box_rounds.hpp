// Best-first branch and bound over boxes, several at a time: what all searches over boxes share.
//
// The boxes with the largest bounds, eight of them or an eighth of those that wait, are visited side by side, on threads and by helpers in other
// processes (core/helpers.hpp), and what they found is taken in in their order: the result does not depend on who visits what. A visit
// contracts and bounds its box, may cut off parts of it that are settled, says where to split it, and may bring a point. It knows what was known
// when its round began. Anytime: value and bound hold whenever it stops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/open_boxes.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

/// What is certain so far.
struct BoxRoundsProgress {
  double value;        ///< attained
  double upper_bound;  ///< of every point of the box
  std::size_t nodes;   ///< boxes bounded
  std::size_t open;    ///< boxes waiting
};

struct BoxRoundsOptions {
  double relative_gap = 1e-6;      ///< stops when bound - value is within this of |value|
  double absolute_gap = 1e-9;      ///< or within this
  std::size_t nodes = 100000;      ///< boxes bounded, at most
  std::size_t open_nodes = 50000;  ///< boxes waiting, at most; the least promising are given up
  double known_bound = kInfinity;  ///< of the whole box: caps every bound
  Budget budget = {};              ///< the result does not depend on its threads
  Helpers* helpers = nullptr;      ///< nor on these, who visit boxes too
  Subject subject = {};            ///< for them: what a visit knows beyond the model
  /// Between rounds, and while a box is visited alone; returns whether to go on.
  std::function<bool(const BoxRoundsProgress&)> observer = {};
};

struct BoxRoundsReport {
  Status status = Status::kEpochLimit;  ///< kConverged: the gap is closed
  double bound = kInfinity;             ///< no point of the box has a larger value
  double value = 0;                     ///< of `point`, as computed
  std::vector<double> point;
  std::size_t nodes = 0;
};

/// A box that hands nothing on to its halves but its bound.
struct NoParent {};

inline auto fields_of(NoParent&) { return std::tuple<>(); }

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
  std::size_t number = 0;          ///< of the visit, from 1
  bool alive = true;               ///< false: the box holds no best point
  bool unfinished = false;         ///< told to stop: the box goes on waiting
  double cut_off = -kInfinity;     ///< the largest bound of the parts cut off
  Index where = 0;                 ///< the item to split; as many as there are: none can be
  std::optional<double> cut = {};  ///< and at what; in the middle unless told
  Report polished = {};            ///< a point of the box searched, if any
};

template <class Parent>
auto fields_of(BoxVisit<Parent>& visit) {
  auto& [node, number, alive, unfinished, cut_off, where, cut, polished] = visit;
  auto& [bound, box, parent] = node;
  return std::tie(bound, box.low, box.high, parent, number, alive, unfinished, cut_off, where, cut,
                  polished.value, polished.point);
}

/// What a visit may know of the search: how things stood when its round began.
struct BoxRoundNow {
  double value;  ///< the best so far
  double relative_gap, absolute_gap;
  Budget budget;
  /// Of a box that is visited alone: its best value and bound so far; whether to go on.
  std::function<bool(double, double)> watch = {};
  Helpers* helpers = nullptr;  ///< and who would wait meanwhile

  double tolerance() const { return std::max(absolute_gap, relative_gap * std::abs(value)); }
  double good_enough() const { return value + tolerance(); }
};

template <class Parent>
class BoxRounds {
 public:
  BoxRounds(const Box& box, std::vector<double> point, double value, BoxRoundsOptions options)
      : options_(std::move(options)), open_(options_.open_nodes) {
    report_.point = std::move(point);
    report_.value = value;
    open_.push({options_.known_bound, box, nullptr});
  }

  /// visit(BoxVisit<Parent>&, const BoxRoundNow&), safe from several threads at once.
  template <class Visit>
  BoxRoundsReport operator()(const Visit& visit) {
    while (open_.upper() > now().good_enough() && open_.can_fall() &&
           report_.nodes < options_.nodes) {
      if (stopped_ || options_.budget.spent() ||
          (report_.nodes > 0 && !tell(open_.upper(), report_.value))) {
        report_.status = Status::kInterrupted;
        break;
      }
      round(visit);
    }
    double most = open_.upper();
    // Some box holds the best point; were all gone, nothing would be known.
    if (most == -kInfinity) most = kInfinity;
    report_.bound = std::min(most, options_.known_bound);
    if (report_.bound <= now().good_enough()) report_.status = Status::kConverged;
    return std::move(report_);
  }

 private:
  static constexpr std::size_t kSideBySide = 8, kMostSideBySide = 64;

  BoxRoundNow now() const {
    return {report_.value, options_.relative_gap, options_.absolute_gap, options_.budget};
  }

  bool tell(double upper, double value) {
    if (!options_.observer) return true;
    const double most = std::min(upper, options_.known_bound);
    stopped_ = !options_.observer({value, most, report_.nodes, open_.size()});
    return !stopped_;
  }

  template <class Visit>
  void round(const Visit& visit) {
    std::vector<BoxVisit<Parent>> visits;
    BoxRoundNow known = now();
    const std::size_t most = std::min(std::clamp(open_.size() / 8, kSideBySide, kMostSideBySide),
                                      options_.nodes - report_.nodes);
    while (visits.size() < most && !open_.empty() &&
           (visits.empty() || open_.upper() > known.good_enough()))
      visits.push_back({.node = open_.pop(), .number = ++report_.nodes});
    const auto each = options_.budget.threads() / static_cast<unsigned>(visits.size());
    known.budget = options_.budget.with_threads(std::max(1U, each));
    if (visits.size() == 1) {
      known.helpers = options_.helpers;
      known.watch = [this](double value, double bound) {
        return tell(std::max(open_.upper(), bound), std::max(value, report_.value));
      };
    }
    ask(options_.helpers,
        {.subject = options_.subject,
         .count = visits.size(),
         .budget = options_.budget,
         .here = [&](std::size_t k) { visit(visits[k], known); },
         .question = [&](std::size_t k) { return packed(std::pair(known.value, visits[k])); },
         .keep = [&](std::size_t k,
                     std::string_view bytes) { visits[k] = unpacked<BoxVisit<Parent>>(bytes); }});
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
    if (seen.unfinished) return open_.push(std::move(node));
    // Done, or nothing is left to split: a point but for rounding.
    if (node.bound <= now().good_enough() || seen.where >= node.box.size()) {
      open_.settle(node.bound);
      return;
    }
    const Interval in = node.box[seen.where];
    for (const bool above : {false, true}) {
      BoxNode<Parent> half = node;
      half.box.keep_part(seen.where, seen.cut.value_or(in.low + in.width() / 2), above);
      open_.push(std::move(half));
    }
  }

  BoxRoundsOptions options_;
  BoxRoundsReport report_;
  OpenBoxes<BoxNode<Parent>> open_;
  bool stopped_ = false;
};

/// Visits boxes for a search that another process leads, with the same gaps.
template <class Parent, class Visit>
Answerer box_answerer(double relative_gap, double absolute_gap, const Budget& budget, Visit visit) {
  return [=](std::string_view question) {
    auto [value, seen] = unpacked<std::pair<double, BoxVisit<Parent>>>(question);
    visit(seen, BoxRoundNow{value, relative_gap, absolute_gap, budget});
    return packed(std::move(seen));
  };
}

}  // namespace surefield
