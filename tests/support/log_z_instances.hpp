// Small random problems for bounds of log Z: every family, any inverse temperature, items forced in
// and out, and what breaks careless code: no item, one item, ties, zeros, huge and tiny numbers.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "surefield/models/any_model.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/random_any_model.hpp"

namespace surefield::testing {

struct LogZInstance {
  AnyModel model;
  Box box;
  double beta = 1;
};

inline constexpr std::array<std::string_view, 15> kLogZFamilies{
    "flid",    "facility",       "coverage", "sure_coverage",  "pairwise",
    "cut",     "hypergraph_cut", "gibbs",    "concave",        "sum",
    "log_det", "black_box",      "scaled",   "not_submodular", "fldc"};

/// All numbers alike or zero: every order of the items is a tie.
inline AnyModel model_of_ties(Index n, Random& random) {
  const double cost = random.chance(0.5) ? 0 : 0.5;
  const double weight = random.chance(0.3) ? 0 : 1;
  switch (random.below(5)) {
    case 0:
      return make_flid(std::vector<double>(n, cost), std::vector<double>(2 * n, weight), 2);
    case 1: {
      std::vector<Entry> all;
      for (std::uint32_t i = 0; i < n; ++i) all.push_back({i, weight});
      return make_coverage(std::vector<double>(n, cost), {weight, weight},
                           std::vector<std::vector<Entry>>{all, all});
    }
    case 2: {
      std::vector<Edge> edges;
      for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = i + 1; j < n; ++j) edges.push_back({i, j, -weight});
      return make_pairwise_field(std::vector<double>(n, cost), edges);
    }
    case 3: {
      std::vector<Edge> edges;
      for (std::uint32_t i = 0; i + 1 < n; ++i) edges.push_back({i, i + 1, weight});
      return make_graph_cut(std::vector<double>(n, -cost), edges);
    }
    default: {
      std::vector<Entry> all;
      for (std::uint32_t i = 0; i < n; ++i) all.push_back({i, weight});
      return make_concave_over_modular(std::vector<double>(n, -cost),
                                       {{weight, {Concave::Kind::kPower, 0.5}}},
                                       std::vector<std::vector<Entry>>{all});
    }
  }
}

inline AnyModel log_z_model(std::string_view family, Index n, std::uint64_t seed) {
  Random random(seed * 31 + 5);
  const Index groups = n == 0 ? 0 : seed % 5;
  if (family == "flid") return random_flid(n, groups, seed, seed % 5 == 0);
  if (family == "fldc")
    return random_fldc(n, groups / 2, n == 0 ? 0 : 1 + seed % 3, seed, seed % 5 == 0);
  if (family == "facility") return random_facility(n, groups, seed);
  if (family == "coverage") return random_coverage(n, groups, seed);
  if (family == "sure_coverage") return random_coverage(n, groups, seed, true);
  if (family == "pairwise") return random_pairwise(n, static_cast<double>(seed % 5) / 4, seed);
  if (family == "cut") return random_cut(n, seed);
  if (family == "hypergraph_cut") return random_hypergraph_cut(n, groups, seed);
  if (family == "gibbs") return random_submodular_gibbs(n, groups, seed);
  if (family == "concave") return random_concave(n, seed % 7 == 0 ? 6 : 2, seed);
  if (family == "log_det") return make_log_det(random_kernel(n, seed), 2);
  if (family == "black_box") {
    const FacilityLocation inner = random_facility(n, 2, seed);
    return make_black_box(
        n, [inner](Subset chosen) { return inner.evaluate(chosen); }, 2);
  }
  if (family == "sum")
    return make_weighted_sum(n,
                             {{random.uniform(0, 2), AnyModel(random_flid(n, 2, seed))},
                              {random.uniform(0, 2), AnyModel(random_pairwise(n, 0.5, seed))},
                              {seed % 3 == 0 ? 0.0 : 1.0, AnyModel(random_coverage(n, 1, seed))}});
  if (family == "scaled") {  // ties and zeros, or numbers from 1e-12 to 1e12
    if (seed % 3 == 0) return model_of_ties(n, random);
    const double scale = std::pow(10, random.uniform(-12, 12));
    return make_weighted_sum(
        n, {{scale, random_basic_model(seed % 3 == 1 ? random.below(3) : 5 + 2 * random.below(2), n,
                                       seed)},
            {1, AnyModel(random_pairwise(n, 0.5, seed))}});
  }
  constexpr std::array<Index, 3> kEitherSign{3, 4, 6};  // flips may mend them, or not
  return random_any_model(kEitherSign[seed % 3], n, seed);
}

/// Number `seed` of a family. A tenth has no item or one, a quarter an extreme temperature.
inline LogZInstance log_z_instance(std::string_view family, std::uint64_t seed) {
  Random random(seed * 7 + 3);
  const Index n = random.chance(0.1) ? random.below(2) : 2 + random.below(5);
  constexpr std::array kUsual{0.3, 1.0, 1.0, 2.5};
  constexpr std::array kExtreme{1e-9, 1e-3, 30.0, 1e4, 1e9};
  return {log_z_model(family, n, seed),
          random.chance(0.5) ? unit_box(n) : random_fixing(n, seed * 11 + 1),
          random.chance(0.75) ? kUsual[random.below(kUsual.size())]
                              : kExtreme[random.below(kExtreme.size())]};
}

}  // namespace surefield::testing
