// Dual decomposition: a tight upper bound of the best ELBO on a box, from parts that agree.
//
//   f(x) = linear . x + sum_r m_r(x) + sum_i H(x_i)
//        <= sum_r max_x m_r(x) + theta_r . x + sum_i c_ri H(x_i)
//
// for all multipliers with sum_r theta_r = linear, sum_r c_ri = 1, c >= 0 (sums over the parts that
// hold i). Take a stationary point y with slopes g_r of the parts and z = linear + sum_r g_r in
// all. The *tangent* multipliers theta_r = c_r z - g_r(y) make y stationary in every part, and the
// bound
//
//   f(y) + sum_r max_x [ m_r(x) - m_r(y) - g_r (x - y) - sum_i c_ri (z_i (y_i - x_i) + H(y_i) -
//   H(x_i)) ]
//
// is f(y) itself, a proof that y is best, once the shares c_r of the entropy outweigh the curvature
// of every part. So the shares are what matters: they start at those of the Perron vector of the
// scaled Hessian and move by deflected exponentiated Polyak steps towards the best value known,
// with theta following by tangents and moving a little on its own. docs/dual_decomposition.md.
// Cost: one bound of every part per iteration, on a grid as coarse as the gap allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "surefield/certify/dual_part.hpp"
#include "surefield/certify/for_each_part.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

/// One list per part, indexed like its members.
using PerPart = std::vector<std::vector<double>>;

struct Multipliers {
  PerPart theta;
  PerPart c;
};

struct DualOptions {
  std::size_t iterations = 300;
  double wanted = 1e-6;       ///< stops when the bound is no more than this above the target
  double coarsest = 0.02;     ///< precision of the first bounds; later a fifth of the gap
  std::size_t patience = 10;  ///< iterations without a tenth of progress before steps shrink
  unsigned threads = 1;       ///< the result does not depend on it
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

template <DualPart Part>
class DualDecomposition {
 public:
  /// Throws Error unless every member is below linear.size() and no part holds one twice.
  DualDecomposition(std::vector<Part> parts, std::vector<double> linear);

  Index size() const { return linear_.size(); }
  const std::vector<Part>& parts() const { return parts_; }

  /// The ELBO at x, and the slopes of its linear and multilinear part.
  double value(std::span<const double> x) const;
  std::vector<double> slopes(std::span<const double> x) const;

  /// Shares of the entropy for the reference y: those of the Perron vector of the Hessians of the
  /// parts scaled by the entropy at y; equal ones where there is no curvature.
  PerPart shares(std::span<const double> y) const;
  /// theta_r = c_r z - g_r(y) at the reference y.
  Multipliers tangent(std::span<const double> y, PerPart c) const;

  /// A rigorous bound for these multipliers on the box, at most about `precision` above the best
  /// there is; the maximisers of the parts in x. Sums that are off by rounding are accounted for.
  double bound(const Multipliers& multipliers, const Box& box, double precision, PerPart& x,
               unsigned threads = 1) const;

  /// Lowers the bound from the given multipliers on, towards `target`, a value that is attained.
  /// y is a stationary point in the box (any point is legal). The observer says whether to go on.
  DualResult minimise(const Box& box, std::span<const double> y, double target,
                      Multipliers multipliers, const DualOptions& options = {},
                      const std::function<bool(const DualProgress&)>& observer = {}) const;

 private:
  std::vector<double> gather(std::size_t r, std::span<const double> x) const;
  std::vector<double> part_gradient(std::size_t r, std::span<const double> local) const;

  std::vector<Part> parts_;
  std::vector<double> linear_;
};

// ---------------------------------------------------------------------------------------------

template <DualPart Part>
DualDecomposition<Part>::DualDecomposition(std::vector<Part> parts, std::vector<double> linear)
    : parts_(std::move(parts)), linear_(std::move(linear)) {
  for (Index i = 0; i < size(); ++i)
    require(std::isfinite(linear_[i]), "dual decomposition: the linear term of item ", i, " is ",
            linear_[i], ", which must be finite");
  std::vector<std::size_t> seen(size(), parts_.size());
  for (std::size_t r = 0; r < parts_.size(); ++r)
    for (const std::uint32_t i : parts_[r].members()) {
      require(i < size(), "dual decomposition: part ", r, " holds item ", i, ", but there are ",
              size(), " items");
      require(seen[i] != r, "dual decomposition: part ", r, " holds item ", i, " twice");
      seen[i] = r;
    }
}

template <DualPart Part>
std::vector<double> DualDecomposition<Part>::gather(std::size_t r,
                                                    std::span<const double> x) const {
  std::vector<double> local;
  local.reserve(parts_[r].members().size());
  for (const std::uint32_t i : parts_[r].members()) local.push_back(x[i]);
  return local;
}

template <DualPart Part>
std::vector<double> DualDecomposition<Part>::part_gradient(std::size_t r,
                                                           std::span<const double> local) const {
  std::vector<double> g(local.size());
  if constexpr (requires(const Part& part) { part.gradient(local, std::span<double>(g)); }) {
    parts_[r].gradient(local, g);
  } else {  // multilinear: the partial is the difference of the ends
    std::vector<double> moved(local.begin(), local.end());
    for (std::size_t k = 0; k < local.size(); ++k) {
      moved[k] = 1;
      g[k] = parts_[r].value(moved);
      moved[k] = 0;
      g[k] -= parts_[r].value(moved);
      moved[k] = local[k];
    }
  }
  return g;
}

template <DualPart Part>
double DualDecomposition<Part>::value(std::span<const double> x) const {
  CompensatedSum sum;
  for (std::size_t r = 0; r < parts_.size(); ++r) sum.add(parts_[r].value(gather(r, x)));
  for (Index i = 0; i < size(); ++i) {
    sum.add(linear_[i] * x[i]);
    sum.add(entropy(x[i]));
  }
  return sum.value();
}

template <DualPart Part>
std::vector<double> DualDecomposition<Part>::slopes(std::span<const double> x) const {
  std::vector<double> z = linear_;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    const auto g = part_gradient(r, gather(r, x));
    const auto members = parts_[r].members();
    for (std::size_t k = 0; k < g.size(); ++k) z[members[k]] += g[k];
  }
  return z;
}

template <DualPart Part>
PerPart DualDecomposition<Part>::shares(std::span<const double> y) const {
  constexpr std::size_t kEntries = std::size_t{1} << 24;  // Hessian entries worth holding
  constexpr std::size_t kRounds = 100;
  constexpr double kFloor = 1e-3;  // the least share, against the largest
  const std::size_t count = parts_.size();
  PerPart c(count);
  std::size_t entries = 0;
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t k = parts_[r].members().size();
    entries += k * k;
    c[r].assign(k, 1);
  }
  if (entries <= kEntries) {
    PerPart hessian(count);  // |d2 m_r| scaled by the deviations sqrt(y (1 - y)) of both ends
    std::vector<double> deviation(size());
    for (Index i = 0; i < size(); ++i) deviation[i] = std::sqrt(std::max(1e-12, y[i] * (1 - y[i])));
    for (std::size_t r = 0; r < count; ++r) {
      auto local = gather(r, y);
      const std::size_t k = local.size();
      const auto members = parts_[r].members();
      hessian[r].assign(k * k, 0);
      for (std::size_t a = 0; a < k; ++a) {
        const double kept = local[a];
        local[a] = 1;
        const auto with = part_gradient(r, local);
        local[a] = 0;
        const auto without = part_gradient(r, local);
        local[a] = kept;
        for (std::size_t b = 0; b < k; ++b)
          hessian[r][a * k + b] = a == b ? 0
                                         : std::abs(with[b] - without[b]) * deviation[members[a]] *
                                               deviation[members[b]];
      }
    }
    std::vector<double> perron(size(), 1);
    for (std::size_t round = 0; round <= kRounds; ++round) {
      std::vector<double> next(size(), 0);
      for (std::size_t r = 0; r < count; ++r) {
        const auto members = parts_[r].members();
        const std::size_t k = members.size();
        for (std::size_t a = 0; a < k; ++a) {
          double row = 0;
          for (std::size_t b = 0; b < k; ++b) row += hessian[r][a * k + b] * perron[members[b]];
          c[r][a] = row;
          next[members[a]] += row;
        }
      }
      const double most = next.empty() ? 0 : *std::max_element(next.begin(), next.end());
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t a = 0; a < c[r].size(); ++a) {
          const double all = next[parts_[r].members()[a]];
          c[r][a] = std::max(all > 0 ? c[r][a] / all : 1, kFloor);
        }
      if (!(most > 0) || !std::isfinite(most) || round == kRounds) break;
      for (Index i = 0; i < size(); ++i) perron[i] = (perron[i] + next[i] / most) / 2 + 1e-12;
    }
  }
  std::vector<double> sum(size(), 0);
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < c[r].size(); ++k) sum[parts_[r].members()[k]] += c[r][k];
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < c[r].size(); ++k) c[r][k] /= sum[parts_[r].members()[k]];
  return c;
}

template <DualPart Part>
Multipliers DualDecomposition<Part>::tangent(std::span<const double> y, PerPart c) const {
  const auto z = slopes(y);
  Multipliers result{PerPart(parts_.size()), std::move(c)};
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    result.theta[r] = part_gradient(r, gather(r, y));
    for (std::size_t k = 0; k < result.theta[r].size(); ++k)
      result.theta[r][k] = result.c[r][k] * z[parts_[r].members()[k]] - result.theta[r][k];
  }
  return result;
}

template <DualPart Part>
double DualDecomposition<Part>::bound(const Multipliers& multipliers, const Box& box,
                                      double precision, PerPart& x, unsigned threads) const {
  const std::size_t count = parts_.size();
  x.resize(count);
  std::vector<double> bounds(count);
  const double share = precision / static_cast<double>(std::max<std::size_t>(1, count));
  for_each_part(count, threads, [&](std::size_t r) {
    x[r].resize(parts_[r].members().size());
    bounds[r] = parts_[r].bound(multipliers.theta[r], multipliers.c[r], gather(r, box.low),
                                gather(r, box.high), share, x[r]);
  });
  // What the multipliers leave over, by rounding or because no part holds the item, is bounded in
  // closed form.
  std::vector<double> slope = linear_;
  std::vector<double> weight(size(), 1);
  double magnitude = 0;
  CompensatedSum sum;
  for (std::size_t r = 0; r < count; ++r) {
    sum.add(bounds[r]);
    magnitude += std::abs(bounds[r]);
    for (std::size_t k = 0; k < parts_[r].members().size(); ++k) {
      slope[parts_[r].members()[k]] -= multipliers.theta[r][k];
      weight[parts_[r].members()[k]] -= multipliers.c[r][k];
      magnitude += std::abs(multipliers.theta[r][k]) + multipliers.c[r][k];
    }
  }
  for (Index i = 0; i < size(); ++i) {
    const double h = std::max(weight[i], 0.0);
    const double peak = h > 0 ? sigmoid(slope[i] / h) : (slope[i] > 0 ? 1.0 : 0.0);
    const double at = box[i].clamp(peak);
    sum.add(slope[i] * at + h * entropy(at));
    magnitude += std::abs(slope[i]);
  }
  return sum.value() + 1e-14 * magnitude;
}

template <DualPart Part>
DualResult DualDecomposition<Part>::minimise(
    const Box& box, std::span<const double> y, double target, Multipliers multipliers,
    const DualOptions& options, const std::function<bool(const DualProgress&)>& observer) const {
  constexpr double kOwnSteps = 0.003;  // of theta beside the tangents, against those of c
  constexpr double kShrink = 0.6;
  constexpr double kLeast = 1e-7;  // share, so that none is lost for ever
  const std::size_t count = parts_.size();
  const auto z = slopes(y);
  DualResult best;
  best.multipliers = multipliers;
  PerPart x, along_c(count), along_theta(count), step_c(count), step_theta(count);
  for (std::size_t r = 0; r < count; ++r) {
    const std::size_t k = parts_[r].members().size();
    along_c[r].assign(k, 0), along_theta[r].assign(k, 0);
    step_c[r].assign(k, 0), step_theta[r].assign(k, 0);
  }
  std::vector<double> holders(size(), 0), mean(size()), middle(size()), drop(size());
  for (const Part& part : parts_)
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
    const double now = bound(multipliers, box, precision, x, options.threads);
    best.iterations = iteration + 1;

    // The mean maximiser (plain and weighted by c), and how far the parts are from it.
    for (Index i = 0; i < size(); ++i) middle[i] = mean[i] = drop[i] = 0;
    double attained = 0;  // by the maximisers: the bound without the excess of its grids
    for (std::size_t r = 0; r < count; ++r) {
      attained += parts_[r].value(x[r]);
      for (std::size_t k = 0; k < x[r].size(); ++k) {
        const Index i = parts_[r].members()[k];
        attained += multipliers.theta[r][k] * x[r][k] + multipliers.c[r][k] * entropy(x[r][k]);
        middle[i] += x[r][k] / holders[i];
        mean[i] += multipliers.c[r][k] * x[r][k];
        step_c[r][k] = entropy(x[r][k]) + z[i] * x[r][k];
        drop[i] += multipliers.c[r][k] * step_c[r][k];
      }
    }
    for (Index i = 0; i < size(); ++i)
      if (holders[i] == 0) {
        const double at = box[i].clamp(sigmoid(linear_[i]));
        attained += linear_[i] * at + entropy(at);
      }
    for (Index i = 0; i < size(); ++i)
      mean[i] = box[i].clamp(holders[i] > 0 ? mean[i] : sigmoid(linear_[i]));

    if (now < best.bound) {
      best.bound = now;
      best.multipliers = multipliers;
      best.mean = mean;
      best.disagreement.assign(size(), 0);
      for (std::size_t r = 0; r < count; ++r)
        for (std::size_t k = 0; k < x[r].size(); ++k) {
          const Index i = parts_[r].members()[k];
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
        const Index i = parts_[r].members()[k];
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
        const Index i = parts_[r].members()[k];
        along_c[r][k] = step_c[r][k] + deflection * along_c[r][k];
        along_theta[r][k] = step_theta[r][k] + deflection * along_theta[r][k];
        step_c[r][k] = std::max(
            kLeast, multipliers.c[r][k] * std::exp(std::clamp(-step * along_c[r][k], -2.0, 2.0)));
        drop[i] += step_c[r][k];
      }
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t k = 0; k < x[r].size(); ++k) {
        const Index i = parts_[r].members()[k];
        const double c = step_c[r][k] / drop[i];
        multipliers.theta[r][k] +=
            (c - multipliers.c[r][k]) * z[i] - step * metric(i) * along_theta[r][k];
        multipliers.c[r][k] = c;
      }
  }
  return best;
}

}  // namespace surefield
