// What the facts of every family are counted with (facts.hpp).
//
//   k roundings in a row            gamma_k of the size                    core/rounding.hpp
//   a plain sum of k terms          gamma_{k-1} of the sizes added up, in any order
//   a compensated sum of k terms    u |sum| + gamma_k^2 of the sizes       Ogita, Rump, Oishi 2005
//   a product that underflows       the smallest number there is, once
//   1 - a product of k factors of [0, 1], each off by r roundings, replaced up to k times
//                                   gamma_{(r + 3) k}: k multiplications to build it, and as many
//                                   divisions and multiplications before it is built anew
//
// The bounds themselves are computed in doubles: sums of sizes are rounded up, and every count
// below has two to spare for the arithmetic on the bound.
//
// T. Ogita, S. M. Rump, S. Oishi. Accurate Sum and Dot Product. SIAM J. Sci. Comput. 26, 2005.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "surefield/core/concepts.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

inline constexpr double kTiniest = std::numeric_limits<double>::denorm_min();

/// A sum of sizes that is never below the exact one.
class SizeSum {
 public:
  void add(double size) {
    sum_ += std::abs(size);
    ++count_;
  }
  double value() const { return sum_ * (1 + 2 * gamma_of(static_cast<double>(count_) + 2)); }

 private:
  double sum_ = 0;
  Index count_ = 0;
};

/// Of that many roundings, the two for the bound included.
inline double roundings(double count) { return gamma_of(count + 2); }

/// What a compensated sum of k terms loses: relative to the sum itself, and to the sizes.
inline double compensated_error(double terms, double largest_sum, double sizes) {
  const double square = roundings(terms) * roundings(terms);
  return roundings(1) * largest_sum + square * sizes;
}

/// The errors of all items: the largest, and their sum.
class GainErrors {
 public:
  void add(double error) {
    largest_ = std::max(largest_, error);
    sum_.add(error);
  }
  void write_to(Facts& facts) const {
    facts.gain_error = largest_;
    facts.gain_error_sum = sum_.value();
  }

 private:
  double largest_ = 0;
  SizeSum sum_;
};

/// The error that a model inherited from what it was made of. A gain is the difference of two
/// values: twice that. Over all items together it counts as often as a term has variables: the
/// largest number there are, or the 26 of a table (models/factor_graph.hpp).
inline void inherit(Facts& facts, double error, Index n, Index most_variables) {
  if (error == 0) return;
  const auto often = static_cast<double>(std::min<Index>(n, std::max<Index>(26, most_variables)));
  constexpr double kUp = 1 + 0x1p-40;
  facts.value_error = (facts.value_error + error) * kUp;
  facts.gain_error = (facts.gain_error + 2 * error) * kUp;
  facts.gain_error_sum = (facts.gain_error_sum + 2 * often * error) * kUp;
}

/// What an exact check found.
inline void settle(Facts& facts, std::optional<std::string> violation) {
  facts.submodularity = violation ? Submodularity::kViolated : Submodularity::kProved;
  facts.violation = std::move(violation).value_or("");
}

/// Of values that are compensated sums of so many terms, each off by its part of `value_error`; of them `products` may underflow.
inline Facts facts_of_sum(double terms, double products, const SizeSum& magnitude,
                          SizeSum value_error, const GainErrors& gains,
                          std::optional<std::string> violation) {
  Facts facts;
  facts.magnitude = magnitude.value();
  value_error.add(compensated_error(terms, facts.magnitude, facts.magnitude));
  value_error.add(products * kTiniest);
  facts.value_error = value_error.value();
  gains.write_to(facts);
  settle(facts, std::move(violation));
  return facts;
}

}  // namespace surefield
