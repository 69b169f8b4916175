// The curvature of the ELBO around a fixed point of mean field, and the systems solved with it.
//
//   A = I - beta R H R      R = diag(sqrt(s_i (1 - s_i))),  s = sigmoid(beta g(x)),  on the free coordinates
//
// R^-1 A R^-1 is minus the Hessian of the ELBO at a fixed point x = s: A is positive definite where x is a
// strict local maximum. Its inverse is what moves the marginals when the parameters move (implicit.hpp)
// and what Newton's method divides by (fixed_point.hpp).
//
// Cost: a product H v a call of times(); solve_dense forms all of A, O(free * entries + free^3).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/learn/marginal_gradient.hpp"

namespace surefield {

/// v -> H v, both with one number an item.
using HessianProduct = std::function<std::vector<double>(std::span<const double>)>;

class Curvature {
 public:
  /// At x with gradient g; the product must outlive it. A coordinate at a bound of its interval is not
  /// free, nor is one whose s (1 - s) is 0 in a double.
  Curvature(const HessianProduct& hessian_times, std::span<const double> x,
            std::span<const double> gradient, const Box& box, double beta);

  std::span<const Index> free() const { return free_; }
  std::span<const double> root() const { return root_; }  ///< R, of the free coordinates
  std::span<const double> peak() const { return peak_; }  ///< s clamped into the box, of all items
  /// A v.
  std::vector<double> times(std::span<const double> v) const;

 private:
  const HessianProduct* hessian_times_;
  double beta_;
  std::vector<Index> free_;
  std::vector<double> root_, peak_;
  mutable std::vector<double> whole_;
};

struct CurvatureSolution {
  GradientStatus status = GradientStatus::kDone;  ///< or kNotMaximum, kNotSolved
  std::vector<double> solution;
  double condition =
      1;  ///< estimated; by conjugate gradients as far as the right-hand side sees it
};

/// By a Cholesky factor of A written out.
CurvatureSolution solve_dense(const Curvature& curvature, std::span<const double> right);

/// By conjugate gradients, until the residual is `tolerance` times the right-hand side.
CurvatureSolution solve_iteratively(const Curvature& curvature, std::span<const double> right,
                                    std::size_t iterations, double tolerance,
                                    bool want_condition = true);

}  // namespace surefield
