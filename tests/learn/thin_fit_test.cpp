// Fields of small treewidth: which couplings, the exact likelihood, and the fit.
#include "surefield/learn/thin_fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/exact/term_tables.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/field_likelihood.hpp"
#include "surefield/learn/pseudo_likelihood.hpp"
#include "surefield/learn/thin_support.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

SetCollection random_sets(Index items, Index count, std::uint64_t seed, bool empty) {
  Random random(seed);
  SetCollection data{.items = items, .sets = {}, .names = {}};
  while (data.sets.size() < count) {
    std::vector<std::uint32_t> set;
    const double often = random.uniform(0.1, 0.6);
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(often)) set.push_back(i);
    if (empty || !set.empty()) data.sets.push_back(std::move(set));
  }
  return data;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const PairSupport& support) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < support.items(); ++i)
    for (auto e = support.start[i]; e < support.start[i + 1]; ++e)
      if (support.neighbour[e] > i) pairs.emplace_back(i, support.neighbour[e]);
  return pairs;
}

/// The largest sum of (gain - 1)+ over all trees, by trying every set of n - 1 pairs or fewer.
double best_forest(const std::vector<PairGain>& gains, Index items) {
  double best = 0;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << gains.size(); ++code) {
    std::vector<std::uint32_t> root(items);
    for (std::uint32_t i = 0; i < items; ++i) root[i] = i;
    double sum = 0;
    bool forest = true;
    for (Index p = 0; p < gains.size() && forest; ++p) {
      if ((code >> p & 1) == 0) continue;
      const auto from = root[gains[p].i], to = root[gains[p].j];
      forest = from != to;
      for (auto& r : root)
        if (r == from) r = to;
      sum += gains[p].gain - 1;
    }
    if (forest) best = std::max(best, sum);
  }
  return best;
}

TEST(ThinSupport, OfWidthOneIsTheBestTreeAndWiderOnesKeepTheirTables) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 5;
    std::vector<PairGain> gains;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = i + 1; j < n; ++j)
        gains.push_back({i, j, random.uniform(seed % 2 == 0 ? 0 : -6, 6)});
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> worth;
    for (const auto& [i, j, gain] : gains) worth[{i, j}] = gain - 1;
    for (Index width = 1; width <= 4; ++width) {
      const PairSupport support = thin_support(gains, n, width);
      double sum = 0;
      std::vector<Edge> edges;
      for (const auto& pair : pairs_of(support)) {
        EXPECT_GT(worth[pair], 0);
        sum += worth[pair];
        edges.push_back({pair.first, pair.second, -1});
      }
      if (width == 1) {
        EXPECT_NEAR(sum, best_forest(gains, n), 1e-12);
      }
      if (width == n - 1) {  // every pair that pays
        EXPECT_EQ(edges.size(), static_cast<std::size_t>(std::ranges::count_if(
                                    gains, [](const PairGain& pair) { return pair.gain > 1; })));
      }
      const auto field = make_pairwise_field(std::vector<double>(n, 0.0), edges);
      EXPECT_LE(elimination_order(term_tables(AnyModel(field))).width, width + 1);
    }
  }
  EXPECT_EQ(testing::refusal([] { thin_support({}, 3, 0); }),
            "thin: the width is 0, which must be at least 1");
}

TEST(ThinSupport, GainsOfPairsByHand) {
  // Ten sets of two items: {0, 1} four times, {0} three times, {1} three times. By itself each item is in a set with
  // chance q; were they so, given that no set is empty, 10 q^2 / (1 - (1 - q)^2) sets would hold both.
  SetCollection data{.items = 2, .sets = {}, .names = {}};
  for (int k = 0; k < 4; ++k) data.sets.push_back({0, 1});
  for (int k = 0; k < 3; ++k) data.sets.push_back({0});
  for (int k = 0; k < 3; ++k) data.sets.push_back({1});
  const DistinctSets sets = distinct_sets(flat_sets(data));
  const PairSupport pairs = pair_support(sets, 2, 0);
  EXPECT_EQ(times_met(sets, pairs), std::vector<double>{4});
  const double q = 0.5, expected = 10 * 0.25 / 0.75;
  const auto given = pair_gains(sets, pairs, {q, q}, true);
  EXPECT_NEAR(given[0].gain, 4 * std::log(4 / expected) - 4 + expected, 1e-12);
  const auto all = pair_gains(sets, pairs, {q, q}, false);
  EXPECT_NEAR(all[0].gain, 4 * std::log(4 / 2.5) - 4 + 2.5, 1e-12);
}

TEST(FieldLikelihood, ValueAndGradientAreThoseOfEnumeration) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 6;
    const bool given = seed % 2 == 0;
    const SetCollection data = random_sets(n, 40, seed, !given);
    const DistinctSets sets = distinct_sets(flat_sets(data));
    const PairSupport support = pair_support(sets, n, seed % 3 == 0 ? 4 : 0);
    FieldLikelihood loss(sets, support, 1.5, given);
    ASSERT_EQ(loss.parameters(), n + support.pairs());
    Random random(seed);
    std::vector<double> theta(loss.parameters());
    for (double& t : theta) t = random.uniform(-1, 1);
    const auto written_out = [&](const std::vector<double>& at) {
      const PairwiseField field = field_of(at, support);
      const auto values = reference::all_values(field);
      double z = 0;
      for (std::size_t code = given ? 1 : 0; code < values.size(); ++code)
        z += std::exp(values[code]);
      double sum = 0;
      for (const auto& set : data.sets) {
        std::size_t code = 0;
        for (const auto i : set) code |= std::size_t{1} << i;
        sum += std::log(z) - values[code];
      }
      for (Index i = 0; i < n; ++i) sum += 1.5 * (2 * std::log1p(std::exp(at[i])) - at[i]);
      for (Index k = n; k < at.size(); ++k) sum += 0.7 / 2 * at[k] * at[k];
      return sum;
    };
    std::vector<double> gradient(theta.size());
    EXPECT_NEAR(loss(theta, gradient, 0.7), written_out(theta), 1e-9);
    for (Index k = 0; k < theta.size(); ++k) {
      auto up = theta, down = theta;
      up[k] += 1e-5;
      down[k] -= 1e-5;
      EXPECT_NEAR(gradient[k], (written_out(up) - written_out(down)) / 2e-5, 1e-6) << k;
    }
  }
}

TEST(ThinFit, OfAllPairsIsTheMaximumOfTheLikelihood) {
  const SetCollection data = random_sets(4, 300, 3, false);
  const ThinFit fit = fit_thin(data, {.width = 3, .share = 0, .tolerance = 1e-12});
  EXPECT_NE(fit.status, Status::kInterrupted);
  EXPECT_NEAR(fit.log_z, reference::log_z(reference::all_values(fit.model)), 1e-12);
  const DistinctSets sets = distinct_sets(flat_sets(data));
  std::vector<std::vector<std::uint32_t>> partners(4);
  for (const Edge& edge : fit.model.edges()) partners[edge.from].push_back(edge.to);
  const PairSupport support = support_of(partners);
  ASSERT_EQ(support.pairs(), fit.pairs);
  std::vector<double> theta = fit.model.bias, slope;
  for (const Edge& edge : fit.model.edges()) theta.push_back(edge.weight);
  slope.resize(theta.size());
  FieldLikelihood loss(sets, support, 1, true);
  const double least = loss(theta, slope, 3);
  for (const double s : slope) EXPECT_NEAR(s, 0, 0.02);
  EXPECT_NEAR(-fit.objective * (300 + 2), least, 1e-9 * least);
}

TEST(ThinFit, HalfOfEachIsTheMinimumOfTheirMean) {
  const SetCollection data = random_sets(5, 200, 4, true);
  const ThinFit fit = fit_thin(data, {.width = 4, .share = 0.5, .tolerance = 1e-12});
  const DistinctSets sets = distinct_sets(flat_sets(data));
  std::vector<std::vector<std::uint32_t>> partners(5);
  for (const Edge& edge : fit.model.edges()) partners[edge.from].push_back(edge.to);
  const PairSupport support = support_of(partners);
  std::vector<double> theta = fit.model.bias;
  for (const Edge& edge : fit.model.edges()) theta.push_back(edge.weight);
  std::vector<double> one(theta.size()), other(theta.size());
  FieldLikelihood(sets, support, 1, false)(theta, one, 3);
  PseudoLikelihood(sets, support, 1, false)(theta, other, 3);
  for (Index k = 0; k < theta.size(); ++k) EXPECT_NEAR(one[k] + other[k], 0, 0.04) << k;
}

TEST(ThinFit, TakesAsManyIterationsAsCanBePaid) {
  const SetCollection data = random_sets(6, 3000, 4, true);
  const ThinFit whole = fit_thin(data, {.width = 4, .tolerance = 1e-9});
  ASSERT_GT(whole.pairs, 5U);
  EXPECT_GT(whole.operations, 0);
  EXPECT_EQ(whole.status, Status::kConverged);
  for (const double paid : {0.5, 2.5}) {
    const ThinFit part = fit_thin(data, {.width = 4, .work = {paid * whole.operations}});
    EXPECT_EQ(part.status, Status::kEpochLimit);
    EXPECT_LT(part.objective, whole.objective);
    const std::size_t iterations = paid < 1 ? 1 : 2;
    EXPECT_EQ(part.objective, fit_thin(data, {.width = 4, .iterations = iterations}).objective);
  }
}

TEST(ThinFit, LinesAreSearchedByHalvesWhereLogZExplodes) {
  // Nine items that come together in one set of twenty: once their couplings win, log Z grows with all of them at once. By parabolas 20
  // iterations took 65 evaluations and came no further.
  Random random(3);
  SetCollection data{.items = 9, .sets = {}, .names = {}};
  for (int k = 0; k < 600; ++k) {
    auto& set = data.sets.emplace_back();
    const double often = random.chance(0.05) ? 0.5 : 0.01;
    for (std::uint32_t i = 0; i < 9; ++i)
      if (random.chance(often)) set.push_back(i);
  }
  const ThinFit found = fit_thin(data, {.share = 0, .penalty = 0.3, .iterations = 20});
  EXPECT_LT(found.evaluations, 40U);
  EXPECT_GT(found.objective, -1.01425);
}

TEST(ThinFit, IsRefusedWhereFewerIterationsArePaidThanAreOfUse) {
  const SetCollection data = random_sets(6, 300, 4, true);
  const double evaluation = fit_thin(data, {.width = 4}).operations;
  EXPECT_THROW(fit_thin(data, {.width = 4, .work = {4.9 * evaluation, 5}}), TooMuch);
  EXPECT_TRUE(
      fit_thin(data, {.width = 4, .work = {5.1 * evaluation, 5}, .tolerance = 1e-12}).unpaid);
  EXPECT_FALSE(fit_thin(data, {.width = 4}).unpaid);
}

TEST(ThinFit, SaysWhatItRefusesAndEndsWhenTold) {
  const SetCollection data = random_sets(4, 30, 5, false);
  const auto refused = [&](const ThinFitOptions& how) {
    return testing::refusal([&] { fit_thin(data, how); });
  };
  EXPECT_EQ(refused({.width = 0}), "thin: the width is 0, which must be from 1 to 15");
  EXPECT_EQ(refused({.width = 16}), "thin: the width is 16, which must be from 1 to 15");
  EXPECT_EQ(refused({.share = 2}),
            "thin: the share of the pseudo-likelihood is 2, which must be from 0 to 1");
  EXPECT_EQ(refused({.penalty = 0}), "thin: the penalty is 0, which must be finite and > 0");
  EXPECT_EQ(refused({.smoothing = 0}), "thin: the smoothing is 0, which must be finite and > 0");
  ThinFitOptions how;
  how.observer = [](std::size_t, double) { return false; };
  const ThinFit told = fit_thin(data, how);
  EXPECT_EQ(told.status, Status::kInterrupted);
  EXPECT_EQ(told.model.size(), 4U);
}

}  // namespace
}  // namespace surefield
