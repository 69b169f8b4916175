// The distribution of a capped sum of independent weighted coin tosses, each coin replaceable.
//
//   Y = sum_i step_i Bernoulli(x_i)       P(Y = 0), ..., P(Y = cap - 1) and P(Y >= cap)
//
// A segment tree of truncated polynomials: a node is the product of its children, cut at z^cap.
// Nothing is ever divided or subtracted (but 1 - x), so every probability keeps its relative
// accuracy for all x in [0, 1], and nothing drifts. Taking a coin out by polynomial division would
// explode in one direction for x > 1/2, in the other for x < 1/2.
// Cost: set and without O(cap^2 (1 + log(n / cap))) with unit steps, O(cap^2 log n) at worst; build
// O(n cap); memory O(n log cap) with unit steps, `table_size` exactly.
//
// E. Biscarri, S. D. Zhao, R. J. Brunner. A simple and fast method for computing the Poisson
// binomial distribution function. Computational Statistics and Data Analysis 2018.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

class PoissonBinomial {
 public:
  /// Steps are whole numbers >= 1; those above the cap count as the cap. cap >= 1; steps.size() ==
  /// x.size().
  PoissonBinomial(std::span<const std::uint32_t> steps, std::uint32_t cap,
                  std::span<const double> x);

  /// Numbers kept by a tree over these steps; as a double, since it may be large.
  static double table_size(std::span<const std::uint32_t> steps, std::uint32_t cap);

  void set(Index coin, double x);
  /// P(Y = k), k = 0, 1, ...; missing entries are 0.
  std::span<const double> pmf() const { return polynomial(1); }
  /// P(Y >= cap).
  double overflow() const { return overflow_[1]; }
  /// P(Y - step_i [coin i] = k), k < cap; missing entries are 0.
  std::vector<double> without(Index coin) const;

 private:
  std::span<const double> polynomial(Index node) const {
    return {table_.data() + start_[node], table_.data() + start_[node + 1]};
  }
  void write_leaf(Index coin, double x);
  void combine(Index node);

  std::uint32_t cap_;
  Index leaves_ = 1;  // a power of two; node k has the children 2k and 2k + 1, the leaves come last
  std::vector<std::uint32_t> steps_;
  std::vector<std::size_t> start_;
  std::vector<double> table_;
  std::vector<double> overflow_;
};

}  // namespace surefield
