// What differentiating a loss of the marginals returns, whichever way it was done.
//
//   loss L(x*(theta)),  given dL/dx at x*:   parameters = dL/dtheta
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace surefield {

enum class GradientStatus {
  kDone,            ///< the gradient stands
  kNotStationary,   ///< x is not a fixed point of mean field: converge first
  kNotMaximum,      ///< x is a fixed point but no local maximum of the ELBO: mean field leaves it
  kIllConditioned,  ///< x* is about to split or vanish: its derivative is about to be infinite
  kNotSolved        ///< the iterative solver used up its iterations
};

constexpr std::string_view text_of(GradientStatus status) {
  switch (status) {
    case GradientStatus::kDone:
      return "done";
    case GradientStatus::kNotStationary:
      return "not a fixed point of mean field";
    case GradientStatus::kNotMaximum:
      return "not a local maximum";
    case GradientStatus::kIllConditioned:
      return "near a bifurcation";
    case GradientStatus::kNotSolved:
      return "linear solver did not converge";
  }
  return "unknown";
}

struct MarginalGradient {
  GradientStatus status = GradientStatus::kDone;
  std::vector<double> parameters;    ///< dL/dtheta; empty unless the status is kDone
  double inverse_temperature = 0;    ///< dL/dbeta
  double residual = 0;               ///< the largest |x_i - clamp(sigmoid(beta g_i))|
  double condition = 1;              ///< of the linear system, estimated; 1 for none
  std::size_t free_coordinates = 0;  ///< those inside their interval; the others do not move
};

}  // namespace surefield
