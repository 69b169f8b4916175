// Derivatives of the marginals: mean field as a layer, differentiated at its fixed point.
//
//   x = sigmoid(beta g(x; theta))    =>    dx/dtheta = (I - D H)^-1 D dg/dtheta
//
// D = diag(beta x_i (1 - x_i)), H = dg/dx the Hessian of the multilinear extension. Given dL/dx of
// any loss, one solve gives dL/dtheta. With R = diag(sqrt(x_i (1 - x_i))) the system is symmetric,
//
//   A = I - beta R H R,   lambda = beta R A^-1 R dL/dx,   dL/dtheta = sum_i lambda_i dg_i/dtheta
//
// and R^-1 A R^-1 is minus the Hessian of the ELBO: A is positive definite exactly where x is a
// strict local maximum, and becomes singular where that maximum splits or vanishes. There the
// derivative does not exist; the status says so and no gradient is returned. Coordinates at a bound
// of the box do not move: their derivative is 0.
//
// Cost: up to `dense_items` free coordinates one Cholesky factor, O(free * entries + free^3);
// beyond, conjugate gradients on products H v, O(entries) an iteration. docs/gradients.md
#pragma once

#include <span>
#include <vector>

#include "surefield/learn/curvature.hpp"
#include "surefield/learn/extension_derivatives.hpp"
#include "surefield/learn/marginal_gradient.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

struct ImplicitOptions {
  double inverse_temperature = 1;
  double residual_limit = 1e-6;   ///< x counts as a fixed point up to that
  double condition_limit = 1e8;   ///< a system worse than that is refused
  Index dense_items = 500;        ///< free coordinates up to which the matrix is written out
  std::size_t iterations = 2000;  ///< of conjugate gradients, at most
  double tolerance = 1e-12;       ///< of conjugate gradients: the residual over the right-hand side
};

/// Everything but the parameters. Fills the status, the residual, the condition and dL/dbeta, and
/// returns lambda, 0 outside the free coordinates.
std::vector<double> implicit_adjoint(const HessianProduct& hessian_times, std::span<const double> x,
                                     std::span<const double> gradient, const Box& box,
                                     std::span<const double> loss_slope,
                                     const ImplicitOptions& options, MarginalGradient& result);

/// dL/dtheta from loss_slope = dL/dx at x, a fixed point of mean field on the box ([0, 1]^n if none
/// is given). Throws Error where x is outside the box or a size is wrong.
template <DifferentiableModel M>
MarginalGradient implicit_gradient(const M& model, std::span<const double> x,
                                   std::span<const double> loss_slope,
                                   const ImplicitOptions& options = {}, const Box* box = nullptr) {
  const Box where = box ? *box : unit_box(model.size());
  require_inside_unit(where, model.size());
  require_inside(where, x);
  const auto derivatives = derivatives_of(model);
  std::vector<double> gradient(model.size());
  model.at(x).gradient(gradient);
  MarginalGradient result;
  const std::vector<double> lambda =
      implicit_adjoint([&](std::span<const double> v) { return derivatives.hessian_times(x, v); },
                       x, gradient, where, loss_slope, options, result);
  if (result.status == GradientStatus::kDone)
    result.parameters = derivatives.in_parameters_along(x, lambda);
  return result;
}

}  // namespace surefield
