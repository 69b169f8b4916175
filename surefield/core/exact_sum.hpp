// The exact sum of doubles, and its correctly rounded value, sign and rest.
//
// A sum is kept as an expansion: numbers of ascending size, none overlapping the next, that add up
// to it without any rounding. Adding a term is one two-sum per number kept (a handful, 40 at
// worst). Terms from 2^960 on are kept apart, divided by 2^100, so that no sum of fewer than 2^40
// terms overflows on the way to a result that does not.
//
// J. R. Shewchuk. Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates. Discrete & Computational Geometry 18, 1997.
#pragma once

#include <span>
#include <vector>

namespace surefield {

class ExactSum {
 public:
  void add(double term);
  void add(const ExactSum& other);
  void subtract(const ExactSum& other);
  /// The double nearest to the sum, ties to even; infinite beyond the range. NaN after a NaN.
  double value() const;
  /// -1, 0 or 1. Of finite terms.
  int sign() const;
  /// The sum as numbers that another process can make it of again: `from_parts` gives the same sum.
  std::vector<double> parts() const;
  static ExactSum from_parts(std::span<const double> parts);
  /// At least |sum - value()|, and 0 if value() is exact.
  double rest() const;

 private:
  using Expansion = std::vector<double>;  // ascending, without zeros
  static void grow(Expansion& parts, double term);
  static double rounded(const Expansion& parts);

  Expansion parts_;
  Expansion huge_;      // in units of 2^100
  double special_ = 0;  // infinities and NaNs
};

}  // namespace surefield
