#include "surefield/models/concave_over_modular/bernstein_quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "surefield/core/assert.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/concave_over_modular/gauss_rule.hpp"

namespace surefield {
namespace {

constexpr double kTiny =
    1e-280;  // below, a decay counts as 0: what is left is far enough from subnormal to divide by

/// nu(dt) = scale t^{power-2} e^{-bend t} dt, and the interval of y that matters in units of
/// `unit`.
struct Measure {
  double scale, power, bend;
  double fall;      // 1 - power, kept apart: it may be tiny
  double unit;      // largest y, rounded up to a power of two, if psi is homogeneous; else 1
  double smallest;  // y / unit, rounded down to a power of two
  double largest;   // y / unit, rounded up to a power of two

  // Nodes may lie at 1e-300, where t^2 is 0: so masses are taken relative to split^power.
  double weight(double t) const { return scale * std::pow(t, power - 1) * std::exp(-bend * t); }
  /// Of t nu in s.
  double density(double t, double split) const {
    return scale * std::pow(t / split, power) * std::exp(-bend * t);
  }
  double slope(double y, double split) const {
    return scale * std::tgamma(power) * std::pow((y + bend) * split, -power);
  }
};

double power_of_two_below(double y) { return std::exp2(std::floor(std::log2(y))); }
double power_of_two_above(double y) { return std::exp2(std::ceil(std::log2(y))); }

Measure measure_of(const Concave& shape, double smallest, double largest) {
  const double low = power_of_two_below(smallest);
  const double high = power_of_two_above(largest);
  if (shape.kind == Concave::Kind::kPower) {
    const double a = shape.parameter;
    return {a / std::tgamma(1 - a), 1 - a, 0, a, high, low / high, 1};
  }
  const double power = shape.kind == Concave::Kind::kLog ? 1 : 2;
  return {1, power, 1, 1 - power, 1, low, high};
}

/// Where the nodes lie: step h = log(4) / lanes, Gauss below `split`, single nodes up to `top`,
/// infinity beyond.
struct Plan {
  Index lanes;
  double step, split, top;
  bool jump;  // whether what lies above `top` is gathered at infinity (else it is negligible)
  double chain() const { return std::max(0.0, std::ceil(std::log(top / split) / step)); }
};

Plan plan_of(const Measure& nu, double budget) {
  const double gamma = std::tgamma(nu.power);
  Plan plan{1, 0, 0, 0, false};
  for (double error = 1;
       error > budget;) {  // |Gamma(p + i w)| ~ sqrt(2 pi) w^{p - 1/2} e^{-pi w / 2}
    plan.step = std::log(4.0) / static_cast<double>(++plan.lanes);
    const double w = 2 * std::numbers::pi / plan.step;
    error = 6 * std::pow(w, nu.power - 0.5) * std::exp(-std::numbers::pi * w / 2) / gamma;
  }
  double z = 1;  // sum over z, z e^h, ... of h z^p e^-z / Gamma(p), relative to psi'
  while (2 * plan.step * std::pow(z, nu.power) * std::exp(-z) / gamma > budget) z += 0.25;
  plan.jump = nu.bend == 0 || nu.smallest >= 1;
  plan.top = plan.jump ? z / (nu.smallest + nu.bend) : z;
  plan.split = std::min(4 / nu.largest, plan.top);
  return plan;
}

/// Gauss nodes that leave e^-ty right to the budget for t <= split, y <= largest. A Gauss rule errs
/// by at most twice the mass times the error of the best polynomial of degree 2n - 1, about 2
/// e^{-2r} I_2n(2r) with r = split largest / 4.
Index gauss_count(const Measure& nu, const Plan& plan, double mass, double budget) {
  const double reach = plan.split * nu.largest / 4;
  const double factor = 4 * mass / nu.slope(nu.largest, plan.split) * std::exp(-2 * reach);
  double term = 1;  // reach^k / k!
  for (Index n = 1;; ++n) {
    const double k = 2 * static_cast<double>(n);
    term *= reach * reach / (k * (k - 1));
    if (factor * term * std::exp(reach * reach / (k + 1)) <= budget) return n;
  }
}

}  // namespace

double BernsteinQuadrature::operator()(double y) const {
  if (y == 0) return 0;
  CompensatedSum sum;
  sum.add(slope * y);
  for (Index q = 0; q < size(); ++q) sum.add(weight[q] * -std::expm1(-node[q] * (y / unit)));
  return sum.value();
}

void BernsteinQuadrature::exponentials(double m, double* decay, double* rise) const {
  const double y = m / unit;
  const auto direct = [&](Index q) {
    rise[q] = -std::expm1(-node[q] * y);
    decay[q] = rise[q] < 0.5 ? 1 - rise[q] : std::exp(-node[q] * y);
  };
  for (Index q = 0; q < std::min(lanes, chain); ++q) direct(q);
  // 1 - e^-2z = d (2 - d) never amplifies a relative error; squaring e^-z doubles it, so that
  // starts from z ~ 1 only.
  for (Index q = lanes; q < chain; ++q) {
    const double twice = rise[q - lanes] * (2 - rise[q - lanes]);
    rise[q] = twice * (2 - twice);
    const double square = decay[q - lanes] * decay[q - lanes];
    decay[q] = rise[q] < 0.5 ? 1 - rise[q] : square * square;
  }
  for (Index q = chain; q < size(); ++q) direct(q);
  for (Index q = 0; q < size(); ++q) decay[q] = decay[q] < kTiny ? 0 : decay[q];
}

double nodes_needed(const Concave& shape, double smallest, double largest, double tolerance) {
  if (shape.kind == Concave::Kind::kPower && shape.parameter == 1) return 0;
  const double budget = tolerance / 3;
  // The length in s from logarithms, since the end points may be out of range here; log(8):
  // roundings to powers of two.
  const Plan plan = plan_of(measure_of(shape, 1, 1), budget);
  const double low = std::log(smallest);
  const double from = shape.kind == Concave::Kind::kPower ? low : std::max(0.0, low);
  const double length =
      std::log(plan.top) + std::log(8.0) - std::log(4.0) + std::log(largest) - from;
  return std::ceil(std::max(0.0, length) / plan.step) + 16;
}

BernsteinQuadrature linear_quadrature(double slope) {
  BernsteinQuadrature rule;
  rule.slope = slope;
  return rule;
}

BernsteinQuadrature jump_quadrature(double height) {
  BernsteinQuadrature rule;
  rule.node = {kInfinity};
  rule.weight = {height};
  return rule;
}

BernsteinQuadrature bernstein_quadrature(const Concave& shape, double smallest, double largest,
                                         double tolerance) {
  SUREFIELD_ASSERT(shape.kind != Concave::Kind::kTruncated && 0 < smallest && smallest <= largest);
  BernsteinQuadrature rule;
  if (shape.kind == Concave::Kind::kPower && shape.parameter == 1) return linear_quadrature(1);
  if (shape.kind == Concave::Kind::kSaturating) {
    rule.node = {1};
    rule.weight = {1};
    return rule;
  }
  const Measure nu = measure_of(shape, smallest, largest);
  const double budget = tolerance / 3;
  const Plan plan = plan_of(nu, budget);
  const double h = plan.step;
  const double homogeneous = shape(nu.unit) / shape(1);  // psi(unit y) = unit^a psi(y) for a power
  rule.unit = nu.unit;
  rule.lanes = plan.lanes;
  rule.chain = static_cast<Index>(plan.chain());
  const auto add = [&](double t, double weight) {
    rule.node.push_back(t);
    rule.weight.push_back(nu.unit == 1 ? weight : homogeneous * weight);
  };

  const auto lanes = static_cast<double>(plan.lanes);
  const auto at = [&](double q) {  // split e^{hq}, exactly four times as much from lanes steps on
    const double rounds = std::floor(q / lanes);
    return plan.split * std::exp2(2 * rounds) * std::exp2(2 * (q - rounds * lanes) / lanes);
  };
  for (Index q = 1; q <= rule.chain; ++q) {
    const double t = at(static_cast<double>(q));
    add(t, h * nu.weight(t));
  }
  std::vector<Atom> low;
  double mass = 0;
  for (double q = 0; h * q < 40; ++q) {
    const double t = at(-q);
    low.push_back({t / plan.split, h * nu.density(t, plan.split)});
    mass += low.back().mass;
  }
  low.push_back({0, low.back().mass / std::expm1(nu.power * h)});  // the rest is geometric
  mass += low.back().mass;
  for (const auto& [t, weight] : gauss_rule(low, gauss_count(nu, plan, mass, budget)))
    add(t * plan.split, weight * std::pow(plan.split, nu.power - 1) / t);

  if (plan.jump) {
    const double t = at(static_cast<double>(rule.chain + 1));
    double beyond = 0;
    if (nu.bend == 0) beyond = h * nu.weight(t) / -std::expm1(-nu.fall * h);
    for (double q = 0; nu.bend > 0 && t * std::exp(h * q) < 745; ++q)
      beyond += h * nu.weight(t * std::exp(h * q));
    add(kInfinity, beyond);
  }
  return rule;
}

}  // namespace surefield
