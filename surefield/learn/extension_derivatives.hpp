// Derivatives of multilinear extensions in the parameters, and second derivatives in the point.
//
//   in_parameters(x)            dm / dtheta                                  at (x; theta)
//   in_parameters_along(x, v)   d/dt of that at x + t v, which is  sum_i v_i dg_i / dtheta
//   gradient_along(x, tau)      d/dt of g at theta + t tau, which is  sum_p tau_p dg / dtheta_p
//   hessian_times(x, v)         H v, H_ij = d^2 m / dx_i dx_j = dg_i / dx_j  (H_ii = 0)
//
// where g = dm/dx and theta is ordered as in parameters.hpp. Extensions are polynomials in the point, so
// the derivatives of some are they themselves carried out on dual numbers (dual.hpp); facility locations
// have scans of their own (facility_derivatives.hpp). Cost of each call: O(entries of the model), no
// division; all of H takes n of them, O(D n^2) for a FLID.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "surefield/learn/dual.hpp"
#include "surefield/learn/facility_derivatives.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

/// Of a coverage, which must outlive it.
class CoverageDerivatives {
 public:
  explicit CoverageDerivatives(const Coverage& model) : model_(&model) {}
  explicit CoverageDerivatives(const Coverage&&) = delete;

  std::vector<double> in_parameters(std::span<const double> x) const;
  std::vector<double> in_parameters_along(std::span<const double> x,
                                          std::span<const double> v) const;
  std::vector<double> gradient_along(std::span<const double> x, std::span<const double> tau) const;
  std::vector<double> hessian_times(std::span<const double> x, std::span<const double> v) const;

 private:
  template <class T>
  std::vector<T> in_parameters_at(const std::vector<T>& x) const;

  const Coverage* model_;
};

class PairwiseDerivatives {
 public:
  explicit PairwiseDerivatives(const PairwiseField& model)
      : items_(model.size()), edges_(model.edges()) {}

  std::vector<double> in_parameters(std::span<const double> x) const;
  std::vector<double> in_parameters_along(std::span<const double> x,
                                          std::span<const double> v) const;
  std::vector<double> gradient_along(std::span<const double> x, std::span<const double> tau) const;
  std::vector<double> hessian_times(std::span<const double> x, std::span<const double> v) const;

 private:
  Index items_;
  std::vector<Edge> edges_;
};

/// Of a weighted sum of any families but those whose extension is estimated by sampling (log det,
/// black box), which are refused by Error. Families without a class above take two gradients per
/// non-zero v_j: column j of H is g at x_j = 1 minus g at x_j = 0. The model must outlive it.
class SumDerivatives {
 public:
  explicit SumDerivatives(const WeightedSum& model);
  explicit SumDerivatives(const WeightedSum&&) = delete;

  std::vector<double> in_parameters(std::span<const double> x) const;
  std::vector<double> in_parameters_along(std::span<const double> x,
                                          std::span<const double> v) const;
  std::vector<double> gradient_along(std::span<const double> x, std::span<const double> tau) const;
  std::vector<double> hessian_times(std::span<const double> x, std::span<const double> v) const;

 private:
  using HessianTimes =
      std::function<std::vector<double>(std::span<const double>, std::span<const double>)>;
  const WeightedSum* model_;
  std::vector<HessianTimes> terms_;
};

inline CoverageDerivatives derivatives_of(const Coverage& model) {
  return CoverageDerivatives(model);
}
inline PairwiseDerivatives derivatives_of(const PairwiseField& model) {
  return PairwiseDerivatives(model);
}
inline SumDerivatives derivatives_of(const WeightedSum& model) { return SumDerivatives(model); }

/// A model that has parameters.hpp and the derivatives above.
template <class M>
concept DifferentiableModel = requires(const M& model, std::span<const double> x) {
  derivatives_of(model).in_parameters_along(x, x);
  derivatives_of(model).gradient_along(x, x);
  derivatives_of(model).hessian_times(x, x);
};

}  // namespace surefield
