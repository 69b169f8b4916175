// The truth by enumeration, for n up to about 16: slow, short and plainly right.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield::reference {

/// Subset number `code` of n elements: bit i says whether i is in.
inline std::vector<std::uint8_t> subset(std::uint64_t code, Index n) {
  std::vector<std::uint8_t> chosen(n);
  for (Index i = 0; i < n; ++i) chosen[i] = (code >> i) & 1;
  return chosen;
}

/// F of every subset, by code.
template <class M>
std::vector<double> all_values(const M& model) {
  std::vector<double> values(std::size_t{1} << model.size());
  for (std::size_t code = 0; code < values.size(); ++code)
    values[code] = model.evaluate(subset(code, model.size()));
  return values;
}

/// sum_S F(S) prod_{i in S} x_i prod_{i not in S} (1 - x_i), one coordinate folded at a time.
inline double multilinear(std::vector<double> values, std::span<const double> x) {
  for (std::size_t i = x.size(); i-- > 0;) {
    const std::size_t half = values.size() / 2;
    for (std::size_t code = 0; code < half; ++code)
      values[code] = (1 - x[i]) * values[code] + (x[i] == 0 ? 0 : x[i] * values[code + half]);
    values.resize(half);
  }
  return values.front();
}

/// log sum_S exp(beta F(S)).
inline double log_z(std::vector<double> values, double beta = 1) {
  for (double& value : values) value *= beta;
  return log_sum_exp(values);
}

/// F(A) + F(B) >= F(A | B) + F(A & B) for all A, B, by its local form; the largest violation, <= 0
/// if submodular.
inline double submodularity_gap(const std::vector<double>& values, Index n) {
  double worst = -kInfinity;
  for (std::size_t code = 0; code < values.size(); ++code)
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) {
        const std::size_t a = std::size_t{1} << i;
        const std::size_t b = std::size_t{1} << j;
        if (code & (a | b)) continue;
        worst = std::max(worst,
                         values[code | a | b] + values[code] - values[code | a] - values[code | b]);
      }
  return worst;
}

}  // namespace surefield::reference
