// The search for shares of the entropy by centres and cuts: for a dual bound that closes.
//
// Shares at the centre of what is known (share_centre.hpp) give a bound; every part whose maximiser is above its tangent at y there adds
// a cut; again, until no part is, on grids made finer as that comes near. Where the bound can close at all, some ten rounds do it, on problems whose
// descent (dual_descent.hpp) is far from it after hundreds of iterations. Cost of a round: one bound of every part and some ten steps of Newton.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/dual_descent.hpp"
#include "surefield/bounds/elbo/share_centre.hpp"

namespace surefield {

namespace detail {

/// With the Hessians of the parts at y. Along an item that y does not leave to both sides there is no curvature to outweigh.
template <DualPart Part>
ShareCentre share_centre(const DualDecomposition<Part>& dual, const Box& box,
                         std::span<const double> y) {
  std::vector<double> deviation(dual.size());
  for (Index i = 0; i < dual.size(); ++i)
    deviation[i] = box.low[i] < y[i] && y[i] < box.high[i] ? std::sqrt(y[i] * (1 - y[i])) : 0;
  std::vector<ShareCentre::Part> parts;
  for (std::size_t r = 0; r < dual.parts().size(); ++r) {
    const auto members = dual.parts()[r].members();
    const auto k = static_cast<Eigen::Index>(members.size());
    const std::vector<double> hessian = dual.scaled_hessian(r, y, deviation);
    parts.push_back({.members = {members.begin(), members.end()},
                     .curvature = Eigen::Map<const Eigen::MatrixXd>(hessian.data(), k, k)});
  }
  return ShareCentre(dual.size(), std::move(parts));
}

}  // namespace detail

/// y is a stationary point in the box, with the value `target`. The observer says whether to go on. The shares that gave the least
/// bound; of the result the disagreement is not set.
template <DualPart Part>
DualResult centred_shares(const DualDecomposition<Part>& dual, const Box& box,
                          std::span<const double> y, double target, const DualOptions& options,
                          const Budget& budget,
                          const std::function<bool(const DualProgress&)>& observer) {
  const auto z = dual.slopes(y);
  ShareCentre centre = detail::share_centre(dual, box, y);
  DualResult best;
  const double finest = 0.3 * options.wanted;
  double precision = std::max(finest, options.coarsest);
  double before = kInfinity;
  PerPart x;
  for (std::size_t round = 0; round < options.iterations; ++round) {
    const bool inside = centre.move(budget);
    Multipliers multipliers = dual.tangent(y, centre.shares());
    const double bound = dual.bound(multipliers, box, precision, x, options.by);
    best.iterations = round + 1;
    std::vector<double> mean(dual.size(), 0), held(dual.size(), 0);
    double above = 0;  // tangents, by the maximisers
    for (std::size_t r = 0; r < x.size(); ++r) {
      const Part& part = dual.parts()[r];
      const auto members = part.members();
      std::vector<double> local(members.size());
      Eigen::VectorXd cost(static_cast<Eigen::Index>(members.size()));
      for (std::size_t k = 0; k < members.size(); ++k) local[k] = y[members[k]];
      double rise = part.value(x[r]) - part.value(local), paid = 0;
      for (std::size_t k = 0; k < members.size(); ++k) {
        const Index i = members[k];
        const double moved = x[r][k] - y[i], c = multipliers.c[r][k];
        // theta = c z - g
        rise += (multipliers.theta[r][k] - c * z[i]) * moved;
        const double loss = std::max(0.0, entropy(y[i]) - entropy(x[r][k]) - z[i] * moved);
        cost[static_cast<Eigen::Index>(k)] = loss;
        paid += c * loss;
        mean[i] += c * x[r][k], held[i] += c;
      }
      above += std::max(0.0, rise - paid);
      if (rise > paid && rise > 1e-14) centre.cut(r, std::move(cost), rise);
    }
    for (Index i = 0; i < dual.size(); ++i)
      mean[i] = box[i].clamp(held[i] > 0 ? mean[i] : sigmoid(dual.linear()[i]));
    if (bound < best.bound) {
      best.bound = bound;
      best.multipliers = std::move(multipliers);
      best.mean = mean;
    }
    if (observer && !observer(DualProgress{round, best.bound, mean})) break;
    if (!inside || best.bound - target <= options.wanted) break;
    if (above > precision) continue;
    // Grids grow from call to call; where they do not any more, what is left is not the shares'.
    if (precision <= finest && bound - target > 0.7 * before) break;
    before = bound - target;
    precision = std::max(finest, 0.05 * precision);
  }
  return best;
}

}  // namespace surefield
