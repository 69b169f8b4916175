// The sum of absolute values: the scale that the rounding of a sum is relative to.
#pragma once

#include <cmath>
#include <span>

namespace surefield {

inline double sum_of_sizes(std::span<const double> terms) {
  double sum = 0;
  for (const double term : terms) sum += std::abs(term);
  return sum;
}

}  // namespace surefield
