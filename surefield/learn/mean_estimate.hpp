// A mean over independent observations, with the standard error it is known to.
//
//   mean = sum_k v_k / N          standard error = sqrt(sum_k (v_k - mean)^2 / (N (N - 1)))
#pragma once

#include <span>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct MeanEstimate {
  Index count = 0;  ///< N; none: mean and standard error mean nothing
  double mean = 0;  ///< 0 for none
  /// +infinity for fewer than two observations, or where it is beyond a double: it is not known.
  double standard_error = 0;
};

/// In the order given, by compensated sums: the same bits on every thread count.
MeanEstimate mean_of(std::span<const double> values);

}  // namespace surefield
