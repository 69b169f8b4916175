// The best ELBO as a function of the model's parameters: its derivative, by the envelope theorem.
//
//   f*(theta) = max_x beta m(x; theta) + sum_i H(x_i)      df*/dtheta = beta dm/dtheta (x*; theta)
//                                                          df*/dbeta  = m(x*; theta)
//
// The maximiser x* moves with theta, but to first order that changes nothing: the ELBO is flat
// there. On a box the same holds, and where x* is one of several maximisers the result is a
// subgradient. At a local maximum it is the derivative of that local maximum. At any other x it is
// the derivative of the ELBO with x held fixed, which still is a lower bound of log Z.
// Cost: O(model). docs/gradients.md
#pragma once

#include <span>
#include <vector>

#include "surefield/core/error.hpp"
#include "surefield/learn/extension_derivatives.hpp"
#include "surefield/learn/parameters.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

/// dm/dtheta at x, ordered as parameters(model). Throws Error unless x has one coordinate in [0, 1]
/// per item.
template <DifferentiableModel M>
std::vector<double> parameter_gradient(const M& model, std::span<const double> x) {
  require_inside(unit_box(model.size()), x);
  return derivatives_of(model).in_parameters(x);
}

struct ElboGradient {
  double value = 0;                ///< the ELBO at x
  std::vector<double> parameters;  ///< its derivative in theta, ordered as parameters(model)
  double inverse_temperature = 0;  ///< its derivative in beta
};

/// At x, as a rule where an algorithm has ended.
template <DifferentiableModel M>
ElboGradient elbo_gradient(const M& model, std::span<const double> x,
                           double inverse_temperature = 1) {
  ElboGradient result;
  result.parameters = parameter_gradient(model, x);
  for (double& slope : result.parameters) slope *= inverse_temperature;
  const Elbo elbo(model.at(x), inverse_temperature);
  result.value = elbo.value();
  result.inverse_temperature = elbo.state().value();
  return result;
}

}  // namespace surefield
