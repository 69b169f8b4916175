// Set functions whose minimum is a minimum cut, term by term.
//
//   G(x) = sum_v linear_v x_v + sum_{u -> v} cost_uv x_u (1 - x_v),   cost >= 0
//
// over items and helper variables; the helpers take whatever value is cheapest. What can be written
// so: pairwise fields with couplings <= 0, cuts, hypergraph cuts, facility location (a chain of
// helpers per customer), sure coverage (a helper per concept), monomials with coefficients <= 0 of
// any order, and submodular polynomials of degree three. Cost: one maximum flow.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

class CutFunction {
 public:
  /// The fixed items keep their value.
  explicit CutFunction(Assignment fixed) : fixed_(std::move(fixed)), linear_(fixed_.size(), 0.0) {}

  std::uint32_t helper() {
    linear_.push_back(0);
    return static_cast<std::uint32_t>(linear_.size() - 1);
  }
  void add_linear(std::uint32_t v, double cost) { linear_[v] += cost; }
  /// cost >= 0, paid where u is in and v is not.
  void add_arc(std::uint32_t u, std::uint32_t v, double cost) {
    if (cost > 0) arcs_.push_back({u, v, cost});
  }

  /// The items of a minimiser, exact for costs rounded to 2^-58 of their sum.
  std::vector<std::uint8_t> minimiser() const;

 private:
  struct Arc {
    std::uint32_t from, to;
    double cost;
  };
  std::int8_t fixed(std::uint32_t v) const { return v < fixed_.size() ? fixed_[v] : kFree; }

  Assignment fixed_;
  std::vector<double> linear_;
  std::vector<Arc> arcs_;
};

/// Adds weight * F to a cut function over the same items; false if F cannot be written so, and then
/// the function is of no use. weight >= 0.
bool add_to_cut(CutFunction& cut, const AnyModel& model, double weight);

}  // namespace surefield
