#include "surefield/learn/extension_derivatives.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <type_traits>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

std::vector<Dual> duals(std::span<const double> x, std::span<const double> v) {
  std::vector<Dual> both;
  both.reserve(x.size());
  for (Index i = 0; i < x.size(); ++i) both.emplace_back(x[i], v[i]);
  return both;
}

std::vector<double> tangents(const std::vector<Dual>& both) {
  std::vector<double> result;
  result.reserve(both.size());
  for (const Dual& one : both) result.push_back(one.tangent);
  return result;
}

/// Column j of H is g at x_j = 1 minus g at x_j = 0: for families known by their states alone.
template <class M>
std::vector<double> hessian_times_by_states(const M& model, std::span<const double> x,
                                            std::span<const double> v) {
  std::vector<double> result(x.size(), 0.0), high(x.size()), low(x.size());
  auto state = model.at(x);
  for (Index j = 0; j < x.size(); ++j) {
    if (v[j] == 0) continue;
    state.set(j, 1);
    state.gradient(high);
    state.set(j, 0);
    state.gradient(low);
    state.set(j, x[j]);
    for (Index i = 0; i < x.size(); ++i)
      if (i != j) result[i] += v[j] * (high[i] - low[i]);
  }
  return result;
}

}  // namespace

template <class T>
std::vector<T> CoverageDerivatives::in_parameters_at(const std::vector<T>& x) const {
  std::vector<T> result;
  for (const T& one : x) result.push_back(T(0) - one);
  for (Index c = 0; c < model_->concept_weight.size(); ++c) {
    T missed(1);
    for (const auto& [item, p] : model_->members.of_group(c)) missed *= T(1) - T(p) * x[item];
    result.push_back(T(1) - missed);
  }
  return result;
}

std::vector<double> CoverageDerivatives::in_parameters(std::span<const double> x) const {
  return in_parameters_at(std::vector<double>(x.begin(), x.end()));
}

std::vector<double> CoverageDerivatives::in_parameters_along(std::span<const double> x,
                                                             std::span<const double> v) const {
  return tangents(in_parameters_at(duals(x, v)));
}

std::vector<double> CoverageDerivatives::gradient_along(std::span<const double> x,
                                                        std::span<const double> tau) const {
  std::vector<double> result;
  for (const double one : tau.first(x.size())) result.push_back(-one);
  std::vector<double> before;  // products of the members before each; no division
  for (Index c = 0; c < model_->concept_weight.size(); ++c) {
    const auto members = model_->members.of_group(c);
    before.resize(members.size());
    double missed = 1;
    for (std::size_t k = 0; k < members.size(); ++k) {
      before[k] = missed;
      missed *= 1 - members[k].value * x[members[k].index];
    }
    double after = tau[x.size() + c];
    for (std::size_t k = members.size(); k-- > 0;) {
      const auto& [item, p] = members[k];
      result[item] += p * before[k] * after;
      after *= 1 - p * x[item];
    }
  }
  return result;
}

std::vector<double> CoverageDerivatives::hessian_times(std::span<const double> x,
                                                       std::span<const double> v) const {
  const std::vector<Dual> point = duals(x, v);
  std::vector<double> result(x.size(), 0.0);
  std::vector<Dual> before;  // products of the members before each; no division
  for (Index c = 0; c < model_->concept_weight.size(); ++c) {
    const auto members = model_->members.of_group(c);
    before.resize(members.size());
    Dual missed(1);
    for (std::size_t k = 0; k < members.size(); ++k) {
      before[k] = missed;
      missed *= Dual(1) - Dual(members[k].value) * point[members[k].index];
    }
    Dual after(1);
    for (std::size_t k = members.size(); k-- > 0;) {
      const auto& [item, p] = members[k];
      result[item] += model_->concept_weight[c] * p * (before[k] * after).tangent;
      after *= Dual(1) - Dual(p) * point[item];
    }
  }
  return result;
}

std::vector<double> PairwiseDerivatives::in_parameters(std::span<const double> x) const {
  std::vector<double> result(x.begin(), x.end());
  for (const auto& [i, j, weight] : edges_) result.push_back(x[i] * x[j]);
  return result;
}

std::vector<double> PairwiseDerivatives::in_parameters_along(std::span<const double> x,
                                                             std::span<const double> v) const {
  std::vector<double> result(v.begin(), v.end());
  for (const auto& [i, j, weight] : edges_) result.push_back(v[i] * x[j] + x[i] * v[j]);
  return result;
}

std::vector<double> PairwiseDerivatives::gradient_along(std::span<const double> x,
                                                        std::span<const double> tau) const {
  std::vector<double> result(tau.begin(), tau.begin() + static_cast<std::ptrdiff_t>(items_));
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    result[edges_[e].from] += tau[items_ + e] * x[edges_[e].to];
    result[edges_[e].to] += tau[items_ + e] * x[edges_[e].from];
  }
  return result;
}

std::vector<double> PairwiseDerivatives::hessian_times(std::span<const double>,
                                                       std::span<const double> v) const {
  std::vector<double> result(items_, 0.0);
  for (const auto& [i, j, weight] : edges_) {
    result[i] += weight * v[j];
    result[j] += weight * v[i];
  }
  return result;
}

namespace {

using HessianTimes =
    std::function<std::vector<double>(std::span<const double>, std::span<const double>)>;

/// By the family's own formula where there is one, else by differences of states.
HessianTimes hessian_of_term(const AnyModel& term, std::size_t t) {
  require(!is_estimated(term), "gradient: term ", t, " of the sum is a ", term.kind(),
          ", whose extension is estimated by sampling; it has no exact derivatives");
  const auto by_formula = [](const auto& model) -> HessianTimes {
    return
        [of_term = derivatives_of(model)](auto x, auto v) { return of_term.hessian_times(x, v); };
  };
  if (const auto* flid = term.as<Flid>()) return by_formula(*flid);
  if (const auto* facility = term.as<FacilityLocation>()) return by_formula(*facility);
  if (const auto* coverage = term.as<Coverage>()) return by_formula(*coverage);
  if (const auto* field = term.as<PairwiseField>()) return by_formula(*field);
  return [term](auto x, auto v) { return hessian_times_by_states(term, x, v); };
}

}  // namespace

SumDerivatives::SumDerivatives(const WeightedSum& model) : model_(&model) {
  for (std::size_t t = 0; t < model.terms.size(); ++t)
    terms_.push_back(hessian_of_term(model.terms[t].model, t));
}

std::vector<double> SumDerivatives::in_parameters(std::span<const double> x) const {
  std::vector<double> result;
  for (const auto& term : model_->terms) result.push_back(term.model.at(x).value());
  return result;
}

std::vector<double> SumDerivatives::in_parameters_along(std::span<const double> x,
                                                        std::span<const double> v) const {
  std::vector<double> result, gradient(x.size());
  for (const auto& term : model_->terms) {
    term.model.at(x).gradient(gradient);
    result.push_back(std::inner_product(v.begin(), v.end(), gradient.begin(), 0.0));
  }
  return result;
}

std::vector<double> SumDerivatives::gradient_along(std::span<const double> x,
                                                   std::span<const double> tau) const {
  std::vector<double> result(x.size(), 0.0), gradient(x.size());
  for (std::size_t t = 0; t < model_->terms.size(); ++t) {
    model_->terms[t].model.at(x).gradient(gradient);
    for (Index i = 0; i < x.size(); ++i) result[i] += tau[t] * gradient[i];
  }
  return result;
}

std::vector<double> SumDerivatives::hessian_times(std::span<const double> x,
                                                  std::span<const double> v) const {
  std::vector<double> result(x.size(), 0.0);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const std::vector<double> one = terms_[t](x, v);
    for (Index i = 0; i < x.size(); ++i) result[i] += model_->terms[t].weight * one[i];
  }
  return result;
}

}  // namespace surefield
