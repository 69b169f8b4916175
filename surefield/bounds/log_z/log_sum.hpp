// log sum_k e^{t_k} of a stream of terms: a running shift against overflow, a compensated sum
// against rounding. Error: a few ulp of the sum, whatever the number and the order of terms.
#pragma once

#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {

class LogSum {
 public:
  /// Adds e^{log_term}; -infinity adds nothing.
  void add(double log_term) { add_scaled(log_term, 1); }

  /// Adds factor * e^{log_scale}, factor >= 0.
  void add_scaled(double log_scale, double factor) {
    if (log_scale == -kInfinity || factor == 0) return;
    if (log_scale > shift_) {
      const double rescale = std::exp(shift_ - log_scale);  // 0 at first
      CompensatedSum moved;
      moved.add(sum_.value() * rescale);
      sum_ = moved;
      shift_ = log_scale;
    }
    sum_.add(factor * std::exp(log_scale - shift_));
  }

  double log() const { return shift_ == -kInfinity ? shift_ : shift_ + std::log(sum_.value()); }

 private:
  double shift_ = -kInfinity;
  CompensatedSum sum_;
};

}  // namespace surefield
