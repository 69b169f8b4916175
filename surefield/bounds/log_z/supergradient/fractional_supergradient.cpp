#include "surefield/bounds/log_z/supergradient/fractional_supergradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// The minimiser of a convex function on [0, 1], by golden section, ends included.
template <class F>
double golden(const F& f) {
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

}  // namespace

FractionalSupergradient::FractionalSupergradient(AnyModel model, const Box* box,
                                                 FractionalKind kind, double beta)
    : model_(std::move(model)),
      kind_(kind),
      beta_(beta),
      fixed_(free_items(box, model_.size(), "fractional bound")),
      limit_(model_.size()) {
  require_positive_inverse_temperature(beta, "fractional bound");
  const Facts facts = model_.facts().times(beta);
  require(facts.is_submodular(), "fractional bound: ", facts.violation);
  require(!facts.estimated,
          "fractional bound: the multilinear extension of this model is estimated by sampling, "
          "which proves nothing");
  margin_ = facts.value_error + facts.gain_error_sum;  // log_add never magnifies an error
  model_.at(corner(kind == FractionalKind::kGrowing ? 1 : 0)).gradient(limit_);
}

std::vector<double> FractionalSupergradient::corner(double v) const {
  std::vector<double> y(model_.size(), v);
  for (Index i = 0; i < y.size(); ++i)
    if (fixed_.value[i] != kFree) y[i] = fixed_.value[i];
  return y;
}

FractionalBound FractionalSupergradient::at(std::vector<double> y) const {
  for (Index i = 0; i < y.size(); ++i) {
    require(y[i] >= 0 && y[i] <= 1, "fractional bound: coordinate ", i, " is ", y[i],
            ", which must lie in [0, 1]");
    if (fixed_.value[i] != kFree) y[i] = fixed_.value[i];
  }
  const AnyState state = model_.at(y);
  std::vector<double> slope(y.size());
  state.gradient(slope);
  const double extension = state.value();
  double sizes = std::abs(beta_ * extension) + static_cast<double>(fixed_.free.size());
  for (const Index i : fixed_.free) sizes += beta_ * (std::abs(slope[i]) + std::abs(limit_[i]));
  FractionalBound bound{value(extension, y, slope) + margin_ + gamma_of(16) * sizes, {}};
  if (std::isnan(bound.log_z_upper)) bound.log_z_upper = kInfinity;  // beyond a double: no bound
  bound.point = std::move(y);
  return bound;
}

FractionalBound FractionalSupergradient::minimise(std::vector<double> y,
                                                  const FractionalOptions& options) const {
  FractionalBound best = at(std::move(y));
  AnyState state = model_.at(best.point);
  std::vector<double> now = best.point, low(now.size()), high(now.size()), mixed(now.size());
  for (std::size_t sweep = 0; sweep < options.sweeps; ++sweep) {
    for (const Index i : fixed_.free) {
      if (options.budget.spent()) return best;
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

double FractionalSupergradient::value(double extension, std::span<const double> y,
                                      std::span<const double> slope) const {
  CompensatedSum sum;
  sum.add(beta_ * extension);
  for (const Index i : fixed_.free) {
    const double up = kind_ == FractionalKind::kGrowing ? slope[i] : limit_[i];
    const double down = kind_ == FractionalKind::kGrowing ? limit_[i] : slope[i];
    sum.add(log_add(beta_ * (1 - y[i]) * up, -beta_ * y[i] * down));
  }
  return sum.value();
}

FractionalBound fractional_bound(const AnyModel& model, const Box* box,
                                 const FractionalOptions& options) {
  FractionalBound best;
  for (const auto kind : {FractionalKind::kGrowing, FractionalKind::kShrinking}) {
    const FractionalSupergradient bound(model, box, kind, options.beta);
    for (const double from : {0.0, 0.5}) {
      FractionalBound found = bound.minimise(bound.corner(from), options);
      if (found.log_z_upper < best.log_z_upper) best = std::move(found);
    }
  }
  return best;
}

}  // namespace surefield
