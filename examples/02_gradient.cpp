// A model learned from the marginals it should have: gradient descent through mean field. Shown in
// docs/gradients.md.
#include <cmath>
#include <vector>

#include "surefield/learn/implicit.hpp"
#include "surefield/learn/parameters.hpp"
#include "surefield/learn/unrolled.hpp"

using namespace surefield;

int main() {
  const std::vector<double> wanted{0.7, 0.4, 0.2};  // how often each item should be chosen
  Flid model = make_flid({0.0, 0.0, 0.0}, {1.0, 0.8, 0.5}, 1);
  const std::vector<double> start(3, 0.5);
  double loss = 0;
  for (int step = 0; step < 500; ++step) {
    const UnrolledAscent ascent = unrolled_ascent(model, start, Order::natural(3));
    const std::vector<double>& x = ascent.point;  // the marginals
    std::vector<double> slope(3);
    loss = 0;
    for (Index i = 0; i < 3; ++i) {
      slope[i] = x[i] - wanted[i];
      loss += slope[i] * slope[i] / 2;
    }
    MarginalGradient gradient = implicit_gradient(model, x, slope);  // one linear solve
    if (gradient.status != GradientStatus::kDone)                    // near a bifurcation:
      gradient = unrolled_gradient(model, ascent, slope);            // back along the sweeps
    std::vector<double> theta = parameters(model);                   // u, then W
    for (Index i = 0; i < 3; ++i) theta[i] -= 2 * gradient.parameters[i];
    model = with_parameters(model, theta);
  }
  return loss < 1e-12 ? 0 : 1;
}
