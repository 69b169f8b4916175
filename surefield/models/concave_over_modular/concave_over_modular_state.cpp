// The multilinear extension of ConcaveOverModular: products per group and node, and capped sums
// where psi truncates.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "surefield/models/concave_over_modular/concave_over_modular.hpp"
#include "surefield/models/scaled_products.hpp"

namespace surefield {
namespace {

using Nodes = std::array<double, kMostNodes>;

/// 1 - x (1 - decay_q) for every node: 0, or far from subnormal, since decays are.
void factors(double x, const Nodes& decay, Index count, Nodes& out) {
  const double rest = 1 - x;
  for (Index q = 0; q < count; ++q) out[q] = rest + x * decay[q];
}

}  // namespace

ConcaveOverModular::State ConcaveOverModular::at(std::span<const double> x) const& {
  return {*this, x};
}

ConcaveOverModular::State::State(const ConcaveOverModular& model, std::span<const double> x)
    : model_(&model), x_(x.begin(), x.end()), start_(1, 0), moves_(model.groups.size(), 0) {
  for (Index g = 0; g < model.groups.size(); ++g) {
    const bool truncated = model.truncation_of[g] != kNone;
    start_.push_back(start_.back() +
                     (truncated ? 0 : model.quadratures[model.quadrature_of[g]].size()));
  }
  mantissa_.resize(start_.back());
  exponent_.resize(start_.back());
  for (Index g = 0; g < model.groups.size(); ++g)
    if (model.truncation_of[g] == kNone) rebuild(g);
  std::vector<double> coins;
  for (const Truncation& truncation : model.truncations) {
    coins.clear();
    for (const std::uint32_t item : truncation.items) coins.push_back(x_[item]);
    sums_.emplace_back(truncation.steps, truncation.cap, coins);
  }
}

void ConcaveOverModular::State::rebuild(Index g) {
  const BernsteinQuadrature& rule = model_->quadratures[model_->quadrature_of[g]];
  if (rule.size() == 0) return;
  const std::size_t first = start_[g];
  std::fill_n(mantissa_.begin() + static_cast<std::ptrdiff_t>(first), rule.size(), 1.0);
  std::fill_n(exponent_.begin() + static_cast<std::ptrdiff_t>(first), rule.size(), 0);
  moves_[g] = 0;
  Nodes decay;
  Nodes rise;
  Nodes ones;
  Nodes factor;
  std::fill_n(ones.begin(), rule.size(), 1.0);
  for (const auto& [item, m] : model_->members.of_group(g)) {
    if (m == 0 || x_[item] == 0) continue;
    rule.exponentials(m, decay.data(), rise.data());
    factors(x_[item], decay, rule.size(), factor);
    replace_factors(mantissa_.data() + first, exponent_.data() + first, ones.data(), factor.data(),
                    rule.size());
  }
}

void ConcaveOverModular::State::set(Index i, double v) {
  Nodes decay;
  Nodes rise;
  Nodes before;
  Nodes after;
  const double old = std::exchange(x_[i], v);
  if (old == v) return;
  for (const auto& [g, m] : model_->members.of_item(i)) {
    if (m == 0) continue;
    if (const std::uint32_t t = model_->truncation_of[g]; t != kNone) {
      sums_[t].set(model_->truncations[t].coin_of(static_cast<std::uint32_t>(i)), v);
      continue;
    }
    const BernsteinQuadrature& rule = model_->quadratures[model_->quadrature_of[g]];
    if (rule.size() == 0) continue;
    const std::size_t entries = model_->members.of_group(g).size();
    if (++moves_[g] > moves_until_rebuilt(entries)) {
      rebuild(g);
      continue;
    }
    rule.exponentials(m, decay.data(), rise.data());
    factors(old, decay, rule.size(), before);
    factors(v, decay, rule.size(), after);
    replace_factors(mantissa_.data() + start_[g], exponent_.data() + start_[g], before.data(),
                    after.data(), rule.size());
  }
}

double ConcaveOverModular::State::group_partial(Index g, Index i, double m) const {
  const Concave& shape = model_->groups[g].shape;
  if (const std::uint32_t t = model_->truncation_of[g]; t != kNone) {
    const Truncation& truncation = model_->truncations[t];
    const auto others = sums_[t].without(truncation.coin_of(static_cast<std::uint32_t>(i)));
    double rise = 0;
    for (Index k = 0; k < others.size(); ++k) {
      const double y = truncation.unit * static_cast<double>(k);
      rise += others[k] * std::min(m, shape.parameter - y);
    }
    return rise;
  }
  const BernsteinQuadrature& rule = model_->quadratures[model_->quadrature_of[g]];
  if (rule.size() == 0) return rule.slope * m;
  Nodes decay;
  Nodes factor;
  Nodes rise;
  rule.exponentials(m, decay.data(), rise.data());
  factors(x_[i], decay, rule.size(), factor);
  const double* const mantissa = &mantissa_[start_[g]];
  const std::int64_t* const exponent = &exponent_[start_[g]];
  for (Index q = 0; q < rule.size(); ++q)
    rise[q] *= rule.weight[q] * without_factor(mantissa[q], exponent[q], factor[q]);
  double sum = rule.slope * m;
  for (Index q = 0; q < rule.size(); ++q) sum += rise[q];
  return sum;
}

double ConcaveOverModular::State::partial(Index i) const {
  double sum = model_->modular[i];
  for (const auto& [g, m] : model_->members.of_item(i))
    if (m != 0) sum += model_->groups[g].weight * group_partial(g, i, m);
  return sum;
}

void ConcaveOverModular::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double ConcaveOverModular::State::group_value(Index g) const {
  if (const std::uint32_t t = model_->truncation_of[g]; t != kNone) {
    const double c = model_->groups[g].shape.parameter;
    double value = c * sums_[t].overflow();
    const auto pmf = sums_[t].pmf();
    for (Index k = 0; k < pmf.size(); ++k)
      value += pmf[k] * model_->truncations[t].unit * static_cast<double>(k);
    return value;
  }
  // 1 - prod_i f_i = sum_i (1 - f_i) prod_{j < i} f_j: no cancellation where all x are small.
  const BernsteinQuadrature& rule = model_->quadratures[model_->quadrature_of[g]];
  Nodes decay;
  Nodes rise;
  Nodes factor;
  Nodes product;
  Nodes sum;
  std::fill_n(product.begin(), rule.size(), 1.0);
  std::fill_n(sum.begin(), rule.size(), 0.0);
  double linear = 0;
  for (const auto& [item, m] : model_->members.of_group(g)) {
    const double x = x_[item];
    if (m == 0 || x == 0) continue;
    linear += rule.slope * m * x;
    if (rule.size() == 0) continue;
    rule.exponentials(m, decay.data(), rise.data());
    factors(x, decay, rule.size(), factor);
    for (Index q = 0; q < rule.size(); ++q) {
      sum[q] += product[q] * (x * rise[q]);
      product[q] *= factor[q];
    }
  }
  double value = linear;
  for (Index q = 0; q < rule.size(); ++q) value += rule.weight[q] * sum[q];
  return value;
}

double ConcaveOverModular::State::value() const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i) sum.add(model_->modular[i] * x_[i]);
  for (Index g = 0; g < model_->groups.size(); ++g)
    sum.add(model_->groups[g].weight * group_value(g));
  return sum.value();
}

}  // namespace surefield
