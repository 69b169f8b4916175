// Random Gibbs fields of order up to five, with repeated sets, zeros and ties.
#pragma once

#include <algorithm>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"

namespace surefield::testing {

/// `count` different variables of n, in random order.
inline std::vector<std::uint32_t> random_variables(Index n, Index count, Random& random) {
  std::vector<std::uint32_t> all(n);
  for (std::uint32_t i = 0; i < n; ++i) all[i] = i;
  random.shuffle(std::span(all));
  all.resize(std::min(n, count));
  return all;
}

/// Coefficients in [-2, 2], a fifth of them 0 or -1; sets of 0 to 5 variables, some listed twice.
inline std::vector<Monomial> random_monomials(Index n, Index count, Random& random) {
  std::vector<Monomial> terms;
  for (Index t = 0; t < count; ++t) {
    const double c = random.chance(0.1) ? 0 : random.chance(0.1) ? -1 : random.uniform(-2, 2);
    terms.push_back({random_variables(n, random.below(6), random), c});
    if (random.chance(0.2)) {
      terms.push_back(terms.back());
      std::reverse(terms.back().variables.begin(), terms.back().variables.end());
    }
  }
  return terms;
}

inline GibbsField random_gibbs(Index n, Index count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.chance(0.1) ? 0 : random.uniform(-2, 3);
  return make_gibbs_field(bias, random_monomials(n, count, random), random.uniform(-1, 1));
}

/// Every positive coefficient of three or more variables is paid for by each of its pairs, so that
/// no pair ever attracts.
inline GibbsField random_submodular_gibbs(Index n, Index count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 4);
  std::vector<Monomial> terms;
  for (Monomial& term : random_monomials(n, count, random)) {
    if (term.variables.size() == 2) term.coefficient = -std::abs(term.coefficient);
    for (Index a = 0; a < term.variables.size() && term.coefficient > 0; ++a)
      for (Index b = a + 1; b < term.variables.size(); ++b)
        terms.push_back({{term.variables[a], term.variables[b]}, -term.coefficient});
    terms.push_back(std::move(term));
  }
  return make_gibbs_field(bias, terms, random.uniform(-1, 1));
}

}  // namespace surefield::testing
