// Random models of every kind a file can hold, and whether two hold the same data.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "surefield/models/families.hpp"
#include "tests/support/random_concave.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_facility.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_hypergraph.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield::testing {

inline constexpr Index kBasicKinds = 9;  // then sums of them, then FLDCs
inline constexpr Index kAllKinds = kBasicKinds + 2;

inline LogDet random_log_det(Index n, std::uint64_t seed) {
  Random random(seed);
  const auto side = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd root(side, side);
  for (Eigen::Index i = 0; i < side; ++i)
    for (Eigen::Index j = 0; j < side; ++j) root(i, j) = random.normal();
  Eigen::MatrixXd kernel = root * root.transpose() + Eigen::MatrixXd::Identity(side, side);
  kernel = (0.5 * (kernel + kernel.transpose())).eval();
  return make_log_det(kernel, 1 + random.below(500), random.bits());
}

inline AnyModel random_basic_model(Index kind, Index n, std::uint64_t seed) {
  Random random(seed);
  switch (kind) {
    case 0:
      return random_flid(n, n == 0 ? 0 : 1 + seed % 4, seed, seed % 2 == 0);
    case 1:
      return random_facility(n, seed % 5, seed);
    case 2:
      return random_coverage(n, seed % 5, seed, seed % 2 == 0);
    case 3:
      return random_pairwise(n, 0.5, seed);
    case 4: {
      std::vector<double> bias(n);
      for (double& b : bias) b = random.uniform(-1e3, 1e-3);
      return make_graph_cut(bias, random_edges(n, 0.5, -1, 2, random), seed % 2 == 0);
    }
    case 5:
      return random_hypergraph_cut(n, n == 0 ? 0 : seed % 5, seed);
    case 6:
      return random_gibbs(n, n == 0 ? 0 : seed % 7, seed);
    case 7:
      return random_concave(n, 3, seed);
    default:
      return random_log_det(n, seed);
  }
}

inline AnyModel random_any_model(Index kind, Index n, std::uint64_t seed) {
  if (kind < kBasicKinds) return random_basic_model(kind, n, seed);
  if (kind > kBasicKinds)
    return random_fldc(n, n == 0 ? 0 : seed % 3, n == 0 ? 0 : 1 + seed % 2, seed, seed % 2 == 0);
  std::vector<WeightedSum::Term> terms;
  for (Index t = 0; t <= seed % 3; ++t)
    terms.push_back({0.1 * static_cast<double>(t + seed),
                     random_basic_model((seed + t) % kBasicKinds, n, seed + t)});
  return make_weighted_sum(n, std::move(terms));
}

inline bool same(const Incidence& a, const Incidence& b) {
  bool equal = a.items() == b.items() && a.groups() == b.groups();
  for (Index g = 0; equal && g < a.groups(); ++g)
    equal = std::ranges::equal(a.of_group(g), b.of_group(g));
  return equal;
}

inline bool same(const Flid& a, const Flid& b) {
  return a.utility == b.utility && a.weights == b.weights &&
         (a.dimensions == b.dimensions ||
          a.utility.empty());  // no item has a row that would say it
}
inline bool same(const Fldc& a, const Fldc& b) {
  return a.utility == b.utility && a.weights == b.weights && a.coherence == b.coherence &&
         (a.utility.empty() || (a.dimensions == b.dimensions && a.concepts == b.concepts));
}
inline bool same(const FacilityLocation& a, const FacilityLocation& b) {
  return a.cost == b.cost && same(a.benefit, b.benefit);
}
inline bool same(const Coverage& a, const Coverage& b) {
  return a.cost == b.cost && a.concept_weight == b.concept_weight && same(a.members, b.members);
}
inline bool same(const PairwiseField& a, const PairwiseField& b) {
  return a.constant == b.constant && a.bias == b.bias && a.edges() == b.edges();
}
inline bool same(const GraphCut& a, const GraphCut& b) {
  return a.bias == b.bias && a.edges == b.edges && a.directed == b.directed;
}
inline bool same(const HypergraphCut& a, const HypergraphCut& b) {
  return a.bias == b.bias && a.hyperedges == b.hyperedges;
}
inline bool same(const GibbsField& a, const GibbsField& b) {
  return a.constant == b.constant && a.bias == b.bias && a.terms() == b.terms();
}
inline bool same(const ConcaveOverModular& a, const ConcaveOverModular& b) {
  return a.modular == b.modular && a.tolerance == b.tolerance && same(a.members, b.members) &&
         std::ranges::equal(a.groups, b.groups, [](const auto& x, const auto& y) {
           return x.weight == y.weight && x.shape == y.shape;
         });
}
inline bool same(const LogDet& a, const LogDet& b) {
  return a.kernel == b.kernel && a.samples == b.samples && a.seed == b.seed;
}
inline bool same(const BlackBox&, const BlackBox&) { return false; }

bool same(const AnyModel& a, const AnyModel& b);

inline bool same(const WeightedSum& a, const WeightedSum& b) {
  return a.items == b.items &&
         std::ranges::equal(a.terms, b.terms, [](const auto& x, const auto& y) {
           return x.weight == y.weight && same(x.model, y.model);
         });
}

namespace detail {

template <class... Families>
bool same_of(const AnyModel& a, const AnyModel& b) {
  return ((a.as<Families>() && b.as<Families>() && same(*a.as<Families>(), *b.as<Families>())) ||
          ...);
}

}  // namespace detail

/// The same kind with the same data.
inline bool same(const AnyModel& a, const AnyModel& b) {
  return detail::same_of<Flid, Fldc, FacilityLocation, Coverage, PairwiseField, GraphCut,
                         HypergraphCut, GibbsField, ConcaveOverModular, LogDet, WeightedSum>(a, b);
}

}  // namespace surefield::testing
