#include "surefield/certify/branch_and_bound.hpp"

#include <gtest/gtest.h>

#include "surefield/certify/facility_parts.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/agreement.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_flid.hpp"

namespace surefield {
namespace {

/// Items that exclude one another and are worth about the same: many local optima.
Flid rivals(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(0, 2);
  for (double& w : weights) w = random.uniform(0, 3);
  return make_flid(utility, weights, dimensions);
}

TEST(BranchAndBound, CertifiesTheGlobalMaximum) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(5);
    const double beta = seed % 3 == 0 ? 4 : 1;
    const Flid model = testing::random_flid(n, 1 + random.below(3), seed, seed % 5 == 0);
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i)
      if (random.chance(0.3)) {
        box.low[i] = random.uniform(0, 0.6);
        box.high[i] = random.chance(0.2) ? box.low[i] : random.uniform(box.low[i], 1);
      }
    const auto dual = facility_decomposition(model.facility, beta);
    const Elbo objective(model.at(box.low), beta);
    const auto result = branch_and_bound(objective, dual, box);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return dual.value(x); }, box);
    EXPECT_EQ(result.report.status, Status::kConverged);
    EXPECT_GE(*result.report.upper_bound, best);
    EXPECT_GE(result.report.value, best - 1e-6 * std::abs(best) - 1e-8);
    EXPECT_LE(*result.report.upper_bound - result.report.value,
              std::max(1.001e-9, 1.001e-6 * std::abs(result.report.value)));
    EXPECT_NEAR(dual.value(result.report.point), result.report.value, 1e-9);
    require_inside(box, result.report.point);
  }
}

TEST(BranchAndBound, CertifiesTheAgreementOfTwoModels) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 12;
    const Flid a = testing::random_flid(n, 3, seed), b = testing::random_flid(n, 3, seed + 50);
    const FacilityLocation* const both[] = {&a.facility, &b.facility};
    const auto dual = facility_decomposition(both);
    const std::vector<double> start(n, 0.5);
    const Agreement objective(a.at(start), b.at(start));
    std::vector<BranchAndBoundProgress> seen;
    const auto result = branch_and_bound(objective, dual, unit_box(n), {.relative_gap = 1e-4},
                                         [&](const BranchAndBoundProgress& now) {
                                           seen.push_back(now);
                                           return seen.size() < 400;
                                         });
    Random random(seed);
    double best = -kInfinity;  // of many local searches
    for (int start_number = 0; start_number < 30; ++start_number) {
      std::vector<double> x(n);
      for (double& u : x) u = random.uniform();
      best = std::max(
          best,
          coordinate_ascent(Agreement(a.at(x), b.at(x)), unit_box(n), Order::natural(n)).value);
    }
    EXPECT_GE(*result.report.upper_bound, best);
    EXPECT_GE(result.report.value, best - 1.01e-4 * std::abs(best));
    for (std::size_t k = 0; k < seen.size(); ++k) {
      EXPECT_GE(seen[k].upper_bound, best) << k;
      EXPECT_LE(seen[k].value, *result.report.upper_bound) << k;
      if (k > 0) {
        EXPECT_LE(seen[k].upper_bound, seen[k - 1].upper_bound) << k;
        EXPECT_GE(seen[k].value, seen[k - 1].value) << k;
      }
    }
  }
}

TEST(BranchAndBound, BranchesToTheSameAnswerWhereTheRootDoesNotClose) {
  // No dual iterations but the first two, so that the tree must do the work.
  std::size_t nodes = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const Flid model = rivals(6, 4, seed);
    const auto dual = facility_decomposition(model.facility, 2);
    const Elbo objective(model.at(std::vector<double>(6, 0.5)), 2);
    const auto whole = branch_and_bound(objective, dual, unit_box(6), {.relative_gap = 1e-5});
    const auto tree =
        branch_and_bound(objective, dual, unit_box(6),
                         {.relative_gap = 1e-2, .root_iterations = 2, .node_iterations = 2});
    EXPECT_EQ(tree.report.status, Status::kConverged);
    EXPECT_NEAR(tree.report.value, whole.report.value, 1.1e-2 * std::abs(whole.report.value));
    EXPECT_GE(*tree.report.upper_bound, whole.report.value);
    EXPECT_GE(*whole.report.upper_bound, tree.report.value);
    nodes += tree.nodes;
  }
  EXPECT_GT(nodes, 8u);
}

TEST(BranchAndBound, StopsWhenToldWithAValidInterval) {
  const Flid model = rivals(15, 6, 3);
  const auto dual = facility_decomposition(model.facility, 2);
  const Elbo objective(model.at(std::vector<double>(15, 0.5)), 2);
  const auto stopped = branch_and_bound(objective, dual, unit_box(15), {.relative_gap = 1e-12},
                                        [](const BranchAndBoundProgress&) { return false; });
  EXPECT_EQ(stopped.report.status, Status::kInterrupted);
  EXPECT_TRUE(std::isfinite(*stopped.report.upper_bound));
  const auto limited = branch_and_bound(objective, dual, unit_box(15),
                                        {.relative_gap = 0,
                                         .absolute_gap = 0,
                                         .nodes = 3,
                                         .root_iterations = 3,
                                         .node_iterations = 1});
  EXPECT_EQ(limited.report.status, Status::kEpochLimit);
  EXPECT_LE(limited.nodes, 3u);
  EXPECT_GE(*limited.report.upper_bound, stopped.report.value);
  EXPECT_GE(*stopped.report.upper_bound, limited.report.value);
}

TEST(BranchAndBound, TheThreadsDoNotMatter) {
  const Flid model = rivals(10, 5, 7);
  const auto run = [&](unsigned threads) {
    const auto dual = facility_decomposition(model.facility, 2);
    return branch_and_bound(Elbo(model.at(std::vector<double>(10, 0.5)), 2), dual, unit_box(10),
                            {.relative_gap = 1e-4, .threads = threads});
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.report.value, three.report.value);
  EXPECT_EQ(one.report.point, three.report.point);
  EXPECT_EQ(*one.report.upper_bound, *three.report.upper_bound);
}

}  // namespace
}  // namespace surefield
