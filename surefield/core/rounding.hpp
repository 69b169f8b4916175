// What rounding can do at most: gamma_k = k u / (1 - k u), the relative error of k roundings in a
// row, and so of a sum of k terms relative to the sum of their sizes, in any order.
//
// N. Higham. Accuracy and Stability of Numerical Algorithms, 2nd edition, lemma 3.1. SIAM 2002.
#pragma once

#include <limits>

namespace surefield {

inline constexpr double kUnitRoundoff = 0x1p-53;

/// Infinite where k u reaches 1/2: then nothing is known.
inline double gamma_of(double roundings) {
  const double ku = roundings * kUnitRoundoff;
  return ku < 0.5 ? ku / (1 - ku) : std::numeric_limits<double>::infinity();
}

}  // namespace surefield
