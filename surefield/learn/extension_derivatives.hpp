// Derivatives of multilinear extensions in the parameters, and second derivatives in the point.
//
//   in_parameters(x)            dm / dtheta                                  at (x; theta)
//   in_parameters_along(x, v)   d/dt of that at x + t v, which is  sum_i v_i dg_i / dtheta
//   hessian_times(x, v)         H v, H_ij = d^2 m / dx_i dx_j = dg_i / dx_j  (H_ii = 0)
//
// where g = dm/dx and theta is ordered as in parameters.hpp. One dimension of a facility location,
// its items l in ascending order of w, e_{<l} the expected best of those below:
//
//   dm/dw_l = x_l prod_{k>l} (1 - x_k)          dm/dx_l = (w_l - e_{<l}) prod_{k>l} (1 - x_k)
//
// and the second derivatives are these carried out on dual numbers (dual.hpp). Cost of each call:
// O(entries of the model), no division; all of H takes n of them, O(D n^2) for a FLID.
//
// Where two items of a dimension tie and both have x > 0, m has a kink in their weights. It is
// convex in them, and what is returned there is a subgradient: the item of the higher index is on
// top, as it would be if its weight grew.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "surefield/learn/dual.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"

namespace surefield {

/// Of a FLID or a facility location. Holds a copy of what it needs.
class FacilityDerivatives {
 public:
  explicit FacilityDerivatives(const Flid& model);
  explicit FacilityDerivatives(const FacilityLocation& model);

  std::vector<double> in_parameters(std::span<const double> x) const;
  std::vector<double> in_parameters_along(std::span<const double> x,
                                          std::span<const double> v) const;
  std::vector<double> hessian_times(std::span<const double> x, std::span<const double> v) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Link {
    std::uint32_t item;
    double weight;
    std::size_t parameter;  // kNone for an item that is not listed: weight 0
  };
  using Chain = std::vector<Link>;  // ascending

  template <class T>
  std::vector<T> in_parameters_at(const std::vector<T>& x) const;
  static void sort(Chain& chain);

  Index items_;
  std::size_t parameters_;
  bool flid_;
  std::vector<Chain> chains_;
};

/// Of a coverage, which must outlive it.
class CoverageDerivatives {
 public:
  explicit CoverageDerivatives(const Coverage& model) : model_(&model) {}
  explicit CoverageDerivatives(const Coverage&&) = delete;

  std::vector<double> in_parameters(std::span<const double> x) const;
  std::vector<double> in_parameters_along(std::span<const double> x,
                                          std::span<const double> v) const;
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
  std::vector<double> hessian_times(std::span<const double> x, std::span<const double> v) const;

 private:
  using HessianTimes =
      std::function<std::vector<double>(std::span<const double>, std::span<const double>)>;
  const WeightedSum* model_;
  std::vector<HessianTimes> terms_;
};

inline FacilityDerivatives derivatives_of(const Flid& model) { return FacilityDerivatives(model); }
inline FacilityDerivatives derivatives_of(const FacilityLocation& model) {
  return FacilityDerivatives(model);
}
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
  derivatives_of(model).hessian_times(x, x);
};

}  // namespace surefield
