#include "surefield/models/gibbs_field/monomial_sum.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"

namespace surefield {

void MonomialSum::add(const std::vector<std::uint32_t>& variables, double coefficient,
                      double scale) {
  SUREFIELD_ASSERT(variables.size() >= 2);
  SUREFIELD_ASSERT(std::is_sorted(variables.begin(), variables.end()));
  if (variables.size() == 2)
    pairs_.push_back({std::uint64_t{variables[0]} << 32 | variables[1], {coefficient, scale}});
  else
    higher_[variables].add(coefficient, scale);
}

std::vector<Edge> MonomialSum::edges() const {
  auto pairs = pairs_;
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Edge> edges;
  for (Index e = 0; e < pairs.size();) {
    const std::uint64_t key = pairs[e].first;
    Sum sum;
    for (; e < pairs.size() && pairs[e].first == key; ++e)
      sum.add(pairs[e].second.value, pairs[e].second.scale);
    if (!sum.is_rounding())
      edges.push_back(
          {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), sum.value});
  }
  return edges;
}

std::vector<Monomial> MonomialSum::terms() const {
  std::vector<Monomial> terms;
  for (const auto& [from, to, weight] : edges()) terms.push_back({{from, to}, weight});
  for (const auto& [variables, sum] : higher_)
    if (!sum.is_rounding()) terms.push_back({variables, sum.value});
  return terms;
}

}  // namespace surefield
