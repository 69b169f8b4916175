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
//   f(y) + sum_r max_x [ m_r(x) - m_r(y) - g_r (x - y) - sum_i c_ri K_i(x_i) ],
//   K_i(t) = z_i (y_i - t) + H(y_i) - H(t) >= 0, which is KL(t || y_i) for y_i inside its interval,
//
// is f(y) itself, a proof that y is best, once the shares c_r of the entropy outweigh the curvature
// of every part. So the shares are what matters: shares() starts them at those of the Perron vector
// of the scaled Hessian, dual_descent.hpp moves them. docs/dual_decomposition.md derives this.
// Cost: bound as the parts; shares O(k^2) per part of k members, per round, and as much memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/dual_part.hpp"
#include "surefield/bounds/elbo/part_help.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

/// One list per part, indexed like its members.
using PerPart = std::vector<std::vector<double>>;

struct Multipliers {
  PerPart theta;
  PerPart c;
};

template <DualPart Part>
class DualDecomposition {
 public:
  /// Throws Error unless every member is below linear.size(), no part holds one twice and all
  /// numbers are finite. The constant is added to f.
  DualDecomposition(std::vector<Part> parts, std::vector<double> linear, double constant = 0);

  Index size() const { return linear_.size(); }
  const std::vector<Part>& parts() const { return parts_; }
  const std::vector<double>& linear() const { return linear_; }
  double constant() const { return constant_; }

  /// The ELBO at x, and the slopes of its linear and multilinear part.
  double value(std::span<const double> x) const;
  std::vector<double> slopes(std::span<const double> x) const;

  /// Shares of the entropy for the reference y: those of the Perron vector of the Hessians of the
  /// parts scaled by the entropy at y; equal ones where there is no curvature.
  PerPart shares(std::span<const double> y) const;
  /// The Hessian of part r at y, row by row, scaled by the deviations of both ends.
  std::vector<double> scaled_hessian(std::size_t r, std::span<const double> y,
                                     std::span<const double> deviation) const;
  /// theta_r = c_r z - g_r(y) at the reference y.
  Multipliers tangent(std::span<const double> y, PerPart c) const;

  /// A rigorous bound for these multipliers on the box, at most about `precision` above the best
  /// there is; the maximisers of the parts in x. Sums that are off by rounding are accounted for.
  double bound(const Multipliers& multipliers, const Box& box, double precision, PerPart& x,
               const PartHelp& by = {}) const;

 private:
  std::vector<double> gather(std::size_t r, std::span<const double> x) const;
  std::vector<double> part_gradient(std::size_t r, std::span<const double> local) const;

  std::vector<Part> parts_;
  std::vector<double> linear_;
  double constant_;
};

// ---------------------------------------------------------------------------------------------

template <DualPart Part>
DualDecomposition<Part>::DualDecomposition(std::vector<Part> parts, std::vector<double> linear,
                                           double constant)
    : parts_(std::move(parts)), linear_(std::move(linear)), constant_(constant) {
  require(std::isfinite(constant), "dual decomposition: the constant is ", constant,
          ", which must be finite");
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
  sum.add(constant_);
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
std::vector<double> DualDecomposition<Part>::scaled_hessian(
    std::size_t r, std::span<const double> y, std::span<const double> deviation) const {
  auto local = gather(r, y);
  const std::size_t k = local.size();
  const auto members = parts_[r].members();
  std::vector<double> hessian(k * k, 0);
  for (std::size_t a = 0; a < k; ++a) {
    const double kept = local[a];
    local[a] = 1;
    const auto with = part_gradient(r, local);
    local[a] = 0;
    const auto without = part_gradient(r, local);
    local[a] = kept;
    for (std::size_t b = 0; b < k; ++b)
      if (a != b)
        hessian[a * k + b] = (with[b] - without[b]) * deviation[members[a]] * deviation[members[b]];
  }
  return hessian;
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
      hessian[r] = scaled_hessian(r, y, deviation);
      for (double& entry : hessian[r]) entry = std::abs(entry);
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
                                      double precision, PerPart& x, const PartHelp& by) const {
  const std::size_t count = parts_.size();
  x.resize(count);
  std::vector<double> bounds(count);
  const double share = precision / static_cast<double>(std::max<std::size_t>(1, count));
  const auto task = [&](std::size_t r) {
    return PartTask{.theta = multipliers.theta[r],
                    .c = multipliers.c[r],
                    .low = gather(r, box.low),
                    .high = gather(r, box.high),
                    .precision = share};
  };
  bound_parts(parts_, by, task, bounds, x);
  // What the multipliers leave over, by rounding or because no part holds the item, is bounded in
  // closed form.
  std::vector<double> slope = linear_;
  std::vector<double> weight(size(), 1);
  double magnitude = std::abs(constant_);
  CompensatedSum sum;
  sum.add(constant_);
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
  return sum.value() + gamma_of(64 + static_cast<double>(count)) * magnitude;
}

}  // namespace surefield
