// Best-first branch and bound over faces of the cube, four split at a time: what x_i = 0 and x_i = 1 say of all of [0, 1].
//
//   ELBO(x) = t E(x | x_i = 1) + (1 - t) E(x | x_i = 0) + H(t)  <=  log(e^U_0 + e^U_1),     t = x_i
//
// where E(x | x_i = 0) and E(x | x_i = 1), the values on the two faces, are at most U_0 and U_1: F is multilinear, so neither depends on x_i. Again and again,
//
//   best ELBO  <=  log sum over the faces of a tree e^U.
//
// An item is settled at once, where halves of its interval need three or four splits; so many faces cost the log of their number at
// most. It is for gaps wider than that. Faces that are low enough wait with the others: they are split if the sum asks for it. The result does not
// depend on the number of threads. Anytime: value and bound hold whenever it stops.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/bounds/log_z/log_sum.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

inline constexpr double kFaceTolerance = 8;  ///< the least absolute gap that faces are good for

/// What is known of faces that are not coming back: log sum e^bound.
class SummedBound {
 public:
  void add(double bound) { sum_.add(bound); }
  double value() const { return sum_.log(); }

 private:
  LogSum sum_;
};

template <class Parent>
class FaceRounds {
 public:
  /// `times`: the whole is that many copies of the box.
  FaceRounds(const Box& box, std::vector<double> point, double value, double times,
             const BoxRoundsOptions& options)
      : options_(options), root_(box), times_(std::log(times)), open_(options.open_nodes) {
    report_.point = std::move(point);
    report_.value = value;
    report_.bound = options.known_bound;
  }

  /// visit(BoxVisit<Parent>&), safe from several threads at once; it may ask the const members below. It says which item to split, one whose
  /// interval is [0, 1]; faces that it cuts off are in its cut_off by the log of the sum of their e^bound.
  template <class Visit>
  BoxRoundsReport operator()(Visit&& visit) {
    while (report_.bound > good_enough() && report_.nodes < options_.nodes) {
      if (options_.budget.spent()) {
        report_.status = Status::kInterrupted;
        break;
      }
      std::vector<BoxVisit<Parent>> visits = next();
      if (visits.empty()) break;
      for_each_index(visits.size(), options_.budget.threads(),
                     [&](std::size_t k) { visit(visits[k]); });
      for (BoxVisit<Parent>& seen : visits) take_in(seen);
      report_.bound = std::min(report_.bound, sum());
    }
    if (report_.bound <= good_enough()) report_.status = Status::kConverged;
    return std::move(report_);
  }

  double tolerance() const {
    return std::max(options_.absolute_gap, options_.relative_gap * std::abs(report_.value));
  }
  double good_enough() const { return report_.value + tolerance(); }
  /// Of one face: as many as there may be are then good enough together.
  double enough() const {
    const double room = std::max(std::min(kRoom * tolerance(), kFaceTolerance), 0.1 * tolerance());
    return good_enough() - times_ - room;
  }
  double value() const { return report_.value; }
  const Budget& budget() const { return options_.budget; }

 private:
  static constexpr std::size_t kSplit = 4;
  static constexpr double kRoom = 0.85;

  struct Face {
    double bound;
    BoxNode<Parent> node;
    Index where;
  };

  /// Both faces of those with the largest bounds; the box itself first.
  std::vector<BoxVisit<Parent>> next() {
    std::vector<BoxVisit<Parent>> visits;
    if (report_.nodes == 0) {
      visits.push_back({.node = {kInfinity, root_, nullptr}, .number = ++report_.nodes});
      return visits;
    }
    for (std::size_t k = 0; k < kSplit && !open_.empty() && report_.nodes + 2 <= options_.nodes;
         ++k) {
      const Face face = open_.pop();
      for (const double end : {0.0, 1.0}) {
        visits.push_back({.node = face.node, .number = ++report_.nodes});
        visits.back().node.box.fix(face.where, end);
      }
    }
    return visits;
  }

  void take_in(BoxVisit<Parent>& seen) {
    if (!seen.polished.point.empty() && seen.polished.value > report_.value) {
      report_.value = seen.polished.value;
      report_.point = std::move(seen.polished.point);
    }
    const double bound = seen.node.bound;
    open_.settle(seen.cut_off);
    if (seen.where >= seen.node.box.size())
      open_.settle(bound);  // nothing is left to split
    else
      open_.push({bound, std::move(seen.node), seen.where});
  }

  double sum() const {
    SummedBound all = open_.settled();
    for (const Face& face : open_.waiting()) all.add(face.bound);
    const double log = all.value() + times_;
    // Each face can move the shift of the sum, and rounds then.
    return log + gamma_of(16 + 4 * static_cast<double>(report_.nodes)) * (std::abs(log) + 1);
  }

  BoxRoundsOptions options_;
  BoxRoundsReport report_;
  Box root_;
  double times_;  // its log
  OpenBoxes<Face, SummedBound> open_;
};

}  // namespace surefield
