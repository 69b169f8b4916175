// Upper bounds of log Z by supergradients that touch the multilinear extension inside the cube.
//
//   F(S) <= m(y) + sum_{i in S} (1 - y_i) up_i - sum_{i not in S} y_i down_i      for every y
//
//     growing     up_i = g_i(y)    down_i = g_i(1)         g: the partials of m; F submodular
//     shrinking   up_i = g_i(0)    down_i = g_i(y)
//
//   log Z(beta) <= beta m(y) + sum_i log(e^{beta (1 - y_i) up_i} + e^{-beta y_i down_i})
//
// (from y up to y v S along a line on which m is concave, then down to S.) At a corner y = A they
// are the bounds `grow` and `shrink` of supergradients.hpp. Along one coordinate m and all g_j are
// affine, so the bound is convex there: coordinates are minimised in turn, each exactly. Any y is
// valid. With fixed items everything is meant given them.
// Cost: a sweep n times (two gradients and O(n) per step of a line search of about 30).
// docs/log_z_bounds.md derives it.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/bounds/log_z/accuracy.hpp"
#include "surefield/bounds/log_z/free_items.hpp"

namespace surefield {

enum class FractionalKind { kGrowing, kShrinking };

struct FractionalOptions {
  double beta = 1;
  std::size_t sweeps = 30;
  double progress = 1e-6;  ///< stops when a sweep gains less
};

struct FractionalBound {
  double log_z_upper = kInfinity;
  std::vector<double> point;  ///< y, fixed items included
};

/// The bounds of one model at one temperature, for as many y as wanted.
template <Model M>
class FractionalSupergradient {
 public:
  /// Throws Error for beta not finite and > 0, an interval that is not [0, 1], 0 or 1, a model that
  /// is not submodular, and one whose extension is estimated only. The model must outlive this.
  FractionalSupergradient(const M& model, const Box* box, FractionalKind kind, double beta)
      : model_(&model),
        kind_(kind),
        beta_(beta),
        fixed_(free_items(box, model.size(), "fractional bound")),
        limit_(model.size()) {
    require_positive_inverse_temperature(beta, "fractional bound");
    const auto violation = submodularity_violation(model);
    require(!violation.has_value(), "fractional bound: ", violation.value_or(""));
    const Accuracy accuracy = accuracy_of(model);
    require(!accuracy.estimated,
            "fractional bound: the multilinear extension of this model is estimated by sampling, "
            "which proves nothing");
    const auto n = static_cast<double>(fixed_.free.size());
    margin_ = rounding_margin(fixed_.free.size(), beta * accuracy.magnitude + n) +
              beta * accuracy.extension * (1 + 2 * n);
    model.at(corner(kind == FractionalKind::kGrowing ? 1 : 0)).gradient(limit_);
  }

  /// The free items at v, the fixed ones where they are.
  std::vector<double> corner(double v) const {
    std::vector<double> y(model_->size(), v);
    for (Index i = 0; i < y.size(); ++i)
      if (fixed_.value[i] != kFree) y[i] = fixed_.value[i];
    return y;
  }

  /// The bound at y; fixed items are taken as fixed.
  FractionalBound at(std::vector<double> y) const {
    for (Index i = 0; i < y.size(); ++i) {
      require(y[i] >= 0 && y[i] <= 1, "fractional bound: coordinate ", i, " is ", y[i],
              ", which must lie in [0, 1]");
      if (fixed_.value[i] != kFree) y[i] = fixed_.value[i];
    }
    const auto state = model_->at(y);
    std::vector<double> slope(y.size());
    state.gradient(slope);
    FractionalBound bound{value(state.value(), y, slope) + margin_, {}};
    if (std::isnan(bound.log_z_upper)) bound.log_z_upper = kInfinity;  // beyond a double: no bound
    bound.point = std::move(y);
    return bound;
  }

  /// Coordinate after coordinate from y on, each to its minimum.
  FractionalBound minimise(std::vector<double> y, const FractionalOptions& options) const {
    FractionalBound best = at(std::move(y));
    auto state = model_->at(best.point);
    std::vector<double> now = best.point, low(now.size()), high(now.size()), mixed(now.size());
    for (std::size_t sweep = 0; sweep < options.sweeps; ++sweep) {
      for (const Index i : fixed_.free) {
        state.set(i, 0);
        state.gradient(low);
        const double at_low = state.value();
        state.set(i, 1);
        state.gradient(high);
        const double rise = low[i];
        const auto along = [&](double u) {
          now[i] = u;
          for (Index j = 0; j < now.size(); ++j) mixed[j] = low[j] + u * (high[j] - low[j]);
          return value(at_low + u * rise, now, mixed);
        };
        const double before = now[i];
        double u = golden(along);
        if (along(before) <= along(u)) u = before;
        now[i] = u;
        state.set(i, u);
      }
      FractionalBound fresh = at(now);
      const double gained = best.log_z_upper - fresh.log_z_upper;
      if (fresh.log_z_upper < best.log_z_upper) best = std::move(fresh);
      if (!(gained > options.progress)) break;
    }
    return best;
  }

 private:
  /// The minimiser of a convex function on [0, 1], by golden section, ends included.
  template <class F>
  static double golden(const F& f) {
    constexpr double kRatio = 0.6180339887498949;
    double a = 0;
    double b = 1;
    double u = b - kRatio * (b - a);
    double v = a + kRatio * (b - a);
    double at_u = f(u);
    double at_v = f(v);
    for (int step = 0; step < 26; ++step) {  // to 2e-6
      if (at_u <= at_v) {
        b = v;
        v = u;
        at_v = at_u;
        u = b - kRatio * (b - a);
        at_u = f(u);
      } else {
        a = u;
        u = v;
        at_u = at_v;
        v = a + kRatio * (b - a);
        at_v = f(v);
      }
    }
    double best = at_u <= at_v ? u : v;
    double least = std::min(at_u, at_v);
    for (const double end : {0.0, 1.0}) {
      const double value = f(end);
      if (value < least) {
        least = value;
        best = end;
      }
    }
    return best;
  }

  double value(double extension, std::span<const double> y, std::span<const double> slope) const {
    CompensatedSum sum;
    sum.add(beta_ * extension);
    for (const Index i : fixed_.free) {
      const double up = kind_ == FractionalKind::kGrowing ? slope[i] : limit_[i];
      const double down = kind_ == FractionalKind::kGrowing ? limit_[i] : slope[i];
      sum.add(log_add(beta_ * (1 - y[i]) * up, -beta_ * y[i] * down));
    }
    return sum.value();
  }

  const M* model_;
  FractionalKind kind_;
  double beta_;
  FreeItems fixed_;
  std::vector<double> limit_;  // g(1) or g(0)
  double margin_ = 0;
};

/// log Z over the sets of the box <= log_z_upper: the better of growing and shrinking, each from 0
/// and from 1/2. Throws Error as FractionalSupergradient does.
template <Model M>
FractionalBound fractional_bound(const M& model, const Box* box = nullptr,
                                 const FractionalOptions& options = {}) {
  FractionalBound best;
  for (const auto kind : {FractionalKind::kGrowing, FractionalKind::kShrinking}) {
    const FractionalSupergradient<M> bound(model, box, kind, options.beta);
    for (const double from : {0.0, 0.5}) {
      FractionalBound found = bound.minimise(bound.corner(from), options);
      if (found.log_z_upper < best.log_z_upper) best = std::move(found);
    }
  }
  return best;
}

}  // namespace surefield
