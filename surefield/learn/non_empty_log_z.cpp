#include "surefield/learn/non_empty_log_z.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kLeastExponent = 746;  // exp(-746) is 0 as a double

/// The last few operations on numbers of these sizes: at most eight roundings of each.
double last_roundings(double a, double b) {
  return 8 * kUnitRoundoff * (std::abs(a) + std::abs(b) + 1);
}

/// log(e^whole - e^part) for whole - part = by > 0.
double log_difference(double whole, double by) { return whole + std::log(-std::expm1(-by)); }

}  // namespace

Claim non_empty_log_z(Interval log_z, const NearEmpty& near) {
  require(!near.gains.empty(),
          "held-out likelihood: the model has no items, so there is no set but the empty one");
  Claim claim("log(Z - e^F(empty))");
  const auto [low, high] = log_z;
  const double step = last_roundings(near.empty, near.error);

  // Single items: a sum of n terms, each with an exponent of at most kLeastExponent that rounds.
  const double most = *std::ranges::max_element(near.gains);
  const double singles = log_sum_exp(near.gains);
  const double in_sum = gamma_of(2 * static_cast<double>(near.gains.size()) + 2 * kLeastExponent);
  claim.at_least(
      {near.empty + singles - 2 * near.error - 2 * in_sum - step - last_roundings(most, singles),
       "single items"});

  const double least_by = (low - near.empty) - near.error - step - last_roundings(low, 0);
  if (least_by > 0) {
    const double value = log_difference(low, least_by);
    claim.at_least({value - last_roundings(low, value), "log Z less the empty set"});
  }
  const double most_by = (high - near.empty) + near.error + step + last_roundings(high, 0);
  if (most_by <= 0)
    throw Contradiction("log Z", {near.empty - near.error, "the empty set"}, {high, "as given"});
  const double value = log_difference(high, most_by);
  claim.at_most({value + last_roundings(high, value), "log Z less the empty set"});
  return claim;
}

End non_empty_log_z_if_submodular(const NearEmpty& near, Basis basis) {
  double sum = 0;
  for (const double gain : near.gains)
    sum += softplus(gain + near.error + last_roundings(gain, near.error));
  const auto n = static_cast<double>(near.gains.size());
  // What underflowed, and the roundings of n terms and n additions.
  sum = (sum + n * 0x1p-1070) * (1 + gamma_of(4 * n + 32));
  const double value = sum > 1 ? log_difference(sum, sum) : std::log(std::expm1(sum));
  return {near.empty + near.error + value + last_roundings(near.empty, near.error) +
              last_roundings(sum > 1 ? sum : 0, value),
          "single items as a product", basis};
}

}  // namespace surefield
