#include "surefield/learn/implicit.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

std::vector<double> implicit_adjoint(const HessianProduct& hessian_times, std::span<const double> x,
                                     std::span<const double> gradient, const Box& box,
                                     std::span<const double> loss_slope,
                                     const ImplicitOptions& options, MarginalGradient& result) {
  const Index n = x.size();
  const double beta = options.inverse_temperature;
  require(std::isfinite(beta) && beta > 0, "implicit gradient: the inverse temperature is ", beta,
          ", which must be finite and > 0");
  require(loss_slope.size() == n, "implicit gradient: the loss has ", loss_slope.size(),
          " slopes, which must be one for each of ", n, " items");
  const Curvature curvature(hessian_times, x, gradient, box, beta);
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(loss_slope[i]), "implicit gradient: the slope of the loss along item ", i,
            " is ", loss_slope[i], ", which must be finite");
    result.residual = std::max(result.residual, std::abs(x[i] - curvature.peak()[i]));
  }
  const auto free = curvature.free();
  const auto root = curvature.root();
  result.free_coordinates = free.size();
  std::vector<double> lambda(n, 0.0);
  if (!(result.residual <= options.residual_limit)) {
    result.status = GradientStatus::kNotStationary;
    return lambda;
  }
  if (free.empty()) return lambda;

  std::vector<double> right(free.size());
  for (Index k = 0; k < free.size(); ++k) right[k] = root[k] * loss_slope[free[k]];
  const CurvatureSolution solved =
      free.size() <= options.dense_items
          ? solve_dense(curvature, right)
          : solve_iteratively(curvature, right, options.iterations, options.tolerance);
  result.status = solved.status;
  result.condition = solved.condition;
  if (result.status == GradientStatus::kDone &&
      (!(result.condition <= options.condition_limit) ||
       !std::ranges::all_of(solved.solution, [](double one) { return std::isfinite(one); })))
    result.status = GradientStatus::kIllConditioned;
  if (result.status != GradientStatus::kDone) return lambda;
  for (Index k = 0; k < free.size(); ++k) {
    lambda[free[k]] = beta * root[k] * solved.solution[k];
    result.inverse_temperature += lambda[free[k]] * gradient[free[k]] / beta;
  }
  return lambda;
}

}  // namespace surefield
