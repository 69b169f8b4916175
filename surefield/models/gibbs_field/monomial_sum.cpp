#include "surefield/models/gibbs_field/monomial_sum.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/assert.hpp"

namespace surefield {

std::vector<Edge> Polynomial::edges() const {
  std::vector<Edge> result;
  result.reserve(terms.size());
  for (const auto& [variables, coefficient] : terms) {
    SUREFIELD_ASSERT(variables.size() == 2);
    result.push_back({variables[0], variables[1], coefficient});
  }
  return result;
}

void MonomialSum::add(const std::vector<std::uint32_t>& variables, double coefficient, double error,
                      double noise) {
  SUREFIELD_ASSERT(std::is_sorted(variables.begin(), variables.end()));
  if (variables.empty())
    constant_.add(coefficient, error, noise);
  else if (variables.size() == 1)
    singles_.push_back({variables[0], coefficient, error, noise});
  else if (variables.size() == 2)
    pairs_.push_back({std::uint64_t{variables[0]} << 32 | variables[1], coefficient, error, noise});
  else
    higher_[variables].add(coefficient, error, noise);
}

template <class Visit>
void MonomialSum::by_key(std::vector<Term> terms, Visit&& visit) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const Term& a, const Term& b) { return a.key < b.key; });
  for (Index t = 0; t < terms.size();) {
    const std::uint64_t key = terms[t].key;
    Sum sum;
    for (; t < terms.size() && terms[t].key == key; ++t)
      sum.add(terms[t].value, terms[t].error, terms[t].noise);
    visit(key, sum);
  }
}

Polynomial MonomialSum::polynomial(Index n) const {
  Polynomial result;
  result.constant = constant_.value.value();
  result.inherited = constant_.error;
  result.bias.assign(n, 0);
  by_key(singles_, [&](std::uint64_t key, const Sum& sum) {
    result.bias[key] = sum.value.value();
    result.inherited += sum.error;
  });
  const auto keep = [&](std::vector<std::uint32_t> variables, const Sum& sum) {
    const double value = sum.value.value();
    result.inherited += sum.error;
    if (std::abs(value) <= sum.error + sum.noise) {
      result.inherited += std::abs(value);
      return;
    }
    result.terms.push_back({std::move(variables), value});
    result.noise.push_back(sum.error + sum.noise + sum.value.rest());
  };
  by_key(pairs_, [&](std::uint64_t key, const Sum& sum) {
    keep({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key)}, sum);
  });
  std::vector<decltype(higher_)::const_iterator> order;
  for (auto at = higher_.begin(); at != higher_.end(); ++at) order.push_back(at);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a->first.size() < b->first.size(); });
  for (const auto& at : order) keep(at->first, at->second);
  return result;
}

}  // namespace surefield
