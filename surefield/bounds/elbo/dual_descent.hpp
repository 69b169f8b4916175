// The descent of dual decomposition: multipliers that lower the bound, step by step.
//
//   c_ri     <- c_ri exp(-step d_ri), scaled to sum to 1 over r
//   theta_ri <- theta_ri + z_i (change of c_ri) - step s_i d'_ri
//
// with d and d' the subgradients (entropy and tangent of each part's maximiser; its distance from
// the mean maximiser), deflected by those before (Camerini, Fratta, Maffioli 1975), and Polyak's
// step towards the best value known, (bound - target) / |d|^2, shortened where progress ends. z are
// the slopes at the reference y, so that the multipliers stay tangent there. Every bound on the way
// is valid. Cost: one bound of every part per iteration, on grids as coarse as the gap allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

struct DualOptions {
  std::size_t iterations = 300;
  double wanted = 1e-6;       ///< stops when the bound is no more than this above the target
  double coarsest = 0.02;     ///< precision of the first bounds; later a fifth of the gap
  std::size_t patience = 10;  ///< iterations without a tenth of progress before steps shrink
  PartHelp by = {};           ///< the result does not depend on it
};

/// After an iteration: the best bound so far, and the mean maximiser of the parts, a candidate.
struct DualProgress {
  std::size_t iteration;
  double bound;
  std::span<const double> mean;
};

struct DualResult {
  double bound = kInfinity;          ///< no point of the box has a larger value
  Multipliers multipliers;           ///< that gave the bound
  std::vector<double> mean;          ///< of the parts' maximisers there, weighted by c
  std::vector<double> disagreement;  ///< their weighted mean distance from it, per coordinate
  std::size_t iterations = 0;
};

/// Lowers the bound from the given multipliers on, towards `target`, a value that is attained. y is
/// a stationary point in the box (any point is legal). The observer says whether to go on.
template <DualPart Part>
DualResult minimise(const DualDecomposition<Part>& dual, const Box& box, std::span<const double> y,
                    double target, Multipliers multipliers, const DualOptions& options = {},
                    const std::function<bool(const DualProgress&)>& observer = {}) {
  constexpr double kOwnSteps = 0.003;  // of theta beside the tangents, against those of c
  constexpr double kShrink = 0.6;
  constexpr double kShortest = 0.05;  // then nothing more is to be had
  constexpr double kLeast = 1e-7;     // share, so that none is lost for ever
  const auto& parts = dual.parts();
  const auto& linear = dual.linear();
  const std::size_t count = parts.size();
  const Index n = dual.size();
  const auto z = dual.slopes(y);
  DualResult best;
  best.multipliers = multipliers;
  best.mean.assign(y.begin(), y.end()), best.disagreement.assign(n, 0);  // where no bound is finite
  PerPart x, along_c(count), along_theta(count), step_c(count), step_theta(count);
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t k = parts[r].members().size();
    along_c[r].assign(k, 0), along_theta[r].assign(k, 0);
    step_c[r].assign(k, 0), step_theta[r].assign(k, 0);
  }
  std::vector<double> holders(n, 0), mean(n), middle(n), drop(n);
  for (const Part& part : parts)
    for (const std::uint32_t i : part.members()) holders[i] += 1;
  double length = 1;
  double milestone = kInfinity;
  double excessive = kInfinity;  // the gap at the last iteration, if its grids were to blame
  std::size_t idle = 0;
  for (std::size_t iteration = 0; iteration < options.iterations; ++iteration) {
    const double least = std::max(0.2 * options.wanted, 1e-13 * std::abs(target));
    const double precision = iteration == 0 ? options.coarsest
                                            : std::clamp(0.2 * (best.bound - target), least,
                                                         std::max(least, options.coarsest));
    const double now = dual.bound(multipliers, box, precision, x, options.by);
    best.iterations = iteration + 1;

    // The mean maximiser (plain and weighted by c), and how far the parts are from it.
    for (Index i = 0; i < n; ++i) middle[i] = mean[i] = drop[i] = 0;
    double attained =
        dual.constant();  // by the maximisers: the bound without the excess of its grids
    for (std::size_t r = 0; r < count; ++r) {
      attained += parts[r].value(x[r]);
      for (std::size_t k = 0; k < x[r].size(); ++k) {
        const Index i = parts[r].members()[k];
        attained += multipliers.theta[r][k] * x[r][k] + multipliers.c[r][k] * entropy(x[r][k]);
        middle[i] += x[r][k] / holders[i];
        mean[i] += multipliers.c[r][k] * x[r][k];
        step_c[r][k] = entropy(x[r][k]) + z[i] * x[r][k];
        drop[i] += multipliers.c[r][k] * step_c[r][k];
      }
    }
    for (Index i = 0; i < n; ++i)
      if (holders[i] == 0) {
        const double at = box[i].clamp(sigmoid(linear[i]));
        attained += linear[i] * at + entropy(at);
      }
    for (Index i = 0; i < n; ++i)
      mean[i] = box[i].clamp(holders[i] > 0 ? mean[i] : sigmoid(linear[i]));

    if (now < best.bound) {
      best.bound = now;
      best.multipliers = multipliers;
      best.mean = mean;
      best.disagreement.assign(n, 0);
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t k = 0; k < x[r].size(); ++k) {
          const Index i = parts[r].members()[k];
          best.disagreement[i] += multipliers.c[r][k] * std::abs(x[r][k] - mean[i]);
        }
    }
    if (best.bound - target < 0.9 * (milestone - target)) {
      milestone = best.bound;
      idle = 0;
    } else {
      ++idle;
    }
    if (observer && !observer(DualProgress{iteration, best.bound, mean})) break;
    if (best.bound - target <= options.wanted) break;
    if (now - attained > 0.5 * (now - target)) {  // mostly excess: no step, a finer grid
      if (precision <= least || now - target > 0.95 * excessive) break;  // the grids are full
      excessive = now - target;
      continue;
    }
    excessive = kInfinity;
    if (idle > options.patience) {  // back to the best, with shorter steps
      length *= kShrink;
      if (length < kShortest) break;
      idle = 0;
      multipliers = best.multipliers;
      for (std::size_t r = 0; r < count; ++r) {
        std::fill(along_c[r].begin(), along_c[r].end(), 0);
        std::fill(along_theta[r].begin(), along_theta[r].end(), 0);
      }
      continue;
    }

    // Subgradients, and the deflection of Camerini, Fratta and Maffioli: no zigzag.
    double square = 0, dot = 0, old = 0;
    const auto metric = [&](Index i) {
      return kOwnSteps / (std::max(1e-3, y[i] * (1 - y[i])) * holders[i]);
    };
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < x[r].size(); ++k) {
        const Index i = parts[r].members()[k];
        const double c = multipliers.c[r][k];
        const double s = metric(i);
        step_c[r][k] -= drop[i];
        step_theta[r][k] = x[r][k] - middle[i];
        square += c * step_c[r][k] * step_c[r][k] + s * step_theta[r][k] * step_theta[r][k];
        dot += c * step_c[r][k] * along_c[r][k] + s * step_theta[r][k] * along_theta[r][k];
        old += c * along_c[r][k] * along_c[r][k] + s * along_theta[r][k] * along_theta[r][k];
      }
    const double deflection = old > 0 ? std::max(0.0, -1.5 * dot / old) : 0;
    const double norm = square + 2 * deflection * dot + deflection * deflection * old;
    if (!(norm > 0)) break;  // all parts agree
    const double step = length * std::max(0.0, attained - target) / norm;
    std::fill(drop.begin(), drop.end(), 0);  // from here on: the sums of the new shares
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < x[r].size(); ++k) {
        const Index i = parts[r].members()[k];
        along_c[r][k] = step_c[r][k] + deflection * along_c[r][k];
        along_theta[r][k] = step_theta[r][k] + deflection * along_theta[r][k];
        step_c[r][k] = std::max(
            kLeast, multipliers.c[r][k] * std::exp(std::clamp(-step * along_c[r][k], -2.0, 2.0)));
        drop[i] += step_c[r][k];
      }
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < x[r].size(); ++k) {
        const Index i = parts[r].members()[k];
        const double c = step_c[r][k] / drop[i];
        multipliers.theta[r][k] +=
            (c - multipliers.c[r][k]) * z[i] - step * metric(i) * along_theta[r][k];
        multipliers.c[r][k] = c;
      }
  }
  return best;
}

}  // namespace surefield
