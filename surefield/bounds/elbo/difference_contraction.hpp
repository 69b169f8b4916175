// Box contraction (contraction.hpp) of the ELBO of a difference of two submodular functions, F = A - B (models/submodular_difference.hpp).
//
// Partials of A and B fall as coordinates rise, so on a box a <= x <= b the slope of beta F along i lies in
//
//   beta (A_i(b) - B_i(a))  ..  beta (A_i(a) - B_i(b))
//
// and a best point, which is the best of its own line along every coordinate, between the peaks of these two lines. Cost: four gradients a step.
#pragma once

#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/submodular_difference.hpp"

namespace surefield {

class DifferenceContraction {
 public:
  /// Both parts have something in them; they must outlive it, and the domain too. `slope_error`: of the slopes of beta A and beta B together.
  DifferenceContraction(const SubmodularDifference& parts, double inverse_temperature,
                        const Box& domain, double slope_error);

  /// Of beta F along every coordinate, on a box.
  struct Slopes {
    std::vector<double> least, most;
  };
  Slopes slopes_of(const Box& box) const;

  /// Contracts a part of the domain. False if it holds no best point of the domain; the box is then of no use. `slopes` are those of a box
  /// that holds what is left.
  bool operator()(Box& box, Slopes& slopes, const Budget& budget) const;

  /// What taking differences adds to the error of a slope.
  double difference_error() const { return difference_error_; }

 private:
  const AnyModel& added_;
  const AnyModel& taken_;
  double beta_;
  const Box& domain_;
  double slope_error_, difference_error_ = 0;
};

}  // namespace surefield
