#include "surefield/bounds/elbo/edge_decomposition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

PairwiseField grid(std::uint32_t side, double bias_low, double bias_high, double coupling,
                   std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(side * side);
  for (double& b : bias) b = random.uniform(bias_low, bias_high);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t j = 0; j < side; ++j) {
      const std::uint32_t k = i * side + j;
      if (j + 1 < side) edges.push_back({k, k + 1, random.uniform(-coupling, 0)});
      if (i + 1 < side) edges.push_back({k, k + side, random.uniform(-coupling, 0)});
    }
  return make_pairwise_field(bias, edges);
}

Box any_box(Index n, Random& random) {
  Box box = unit_box(n);
  for (Index i = 0; i < n; ++i) {
    const double a = random.uniform(), b = random.uniform();
    switch (random.below(8)) {
      case 0:
        box.fix(i, a);
        break;
      case 1:
        box.fix(i, 0);
        break;
      case 2:
        box.fix(i, 1);
        break;
      case 3:
        box.low[i] = std::min(a, b), box.high[i] = std::max(a, b);
        break;
      default:
        break;
    }
  }
  return box;
}

// A node whose many neighbours are all in: equal couplings round the same way, up or down by the coupling. The best ELBO
// of the one node that is free is log(1 + e^bias) with a bias that a long double holds.
TEST(EdgeDecomposition, CountsTheRoundingOfManyFixedNeighbours) {
  constexpr std::uint32_t kNeighbours = 100000;
  for (const double coupling : {-0.1, -0.3, -0.7, -1.1, -1.7}) {
    std::vector<double> bias(kNeighbours + 1, 0);
    bias[0] = -std::round(coupling * kNeighbours);
    std::vector<Edge> edges;
    for (std::uint32_t k = 1; k <= kNeighbours; ++k) edges.push_back({0, k, coupling});
    Box box = unit_box(kNeighbours + 1);
    for (std::uint32_t k = 1; k <= kNeighbours; ++k) box.fix(k, 1);
    const long double exact = bias[0] + static_cast<long double>(coupling) * kNeighbours;
    const long double best = std::log1p(std::exp(exact));
    const double bound = edge_dual_bound(make_pairwise_field(bias, edges), box, -kInfinity).bound;
    EXPECT_GE(bound, best) << coupling;
    EXPECT_LE(bound, best + 1e-5) << coupling;
  }
}

TEST(EdgeDecomposition, IsNeverBelowTheBestElboOfSmallFields) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(7);
    std::vector<double> bias(n);
    const double size = random.chance(0.2) ? std::pow(10, random.uniform(-6, 4)) : 1;
    for (double& b : bias) b = random.chance(0.1) ? 0 : size * random.uniform(-2, 5);
    auto edges = testing::random_edges(n, random.uniform(), -4 * size, 0, random);
    if (seed % 5 == 0)  // couplings of either sign are bounded all the same
      for (Edge& edge : edges) edge.weight = random.chance(0.5) ? edge.weight : -edge.weight;
    const PairwiseField model = make_pairwise_field(bias, edges, random.uniform(-1, 1));
    const Box box = random.chance(0.5) ? unit_box(n) : any_box(n, random);
    const double best = testing::best_field_elbo(model, box, seed);
    // the least of 61 values, each of which must be a bound
    const auto report = edge_dual_bound(model, box, -kInfinity, {.iterations = 60});
    EXPECT_GE(report.bound, best);
    EXPECT_TRUE(std::isfinite(report.bound));
    ASSERT_EQ(report.point.size(), n);
    require_inside(box, report.point);
    if (size == 1) worst = std::max(worst, (report.bound - best) / (1 + std::abs(best)));
  }
  EXPECT_LT(worst, 0.2);
}

TEST(EdgeDecomposition, IsExactWithoutEdgesForOneEdgeAndForFixedNodes) {
  EXPECT_NEAR(edge_dual_bound(make_pairwise_field({}, {}, 1.5), unit_box(0), 0).bound, 1.5, 1e-12);
  EXPECT_NEAR(edge_dual_bound(make_pairwise_field({0.7}, {}, 1), unit_box(1), 0).bound,
              1 + softplus(0.7), 1e-12);
  const std::vector<Edge> edges{{0, 1, -3.0}, {1, 2, -2.0}};
  const PairwiseField path = make_pairwise_field({1.0, 2.0, 0.5}, edges);
  Box box = unit_box(3);
  box.fix(1, 0.25);  // 2 / 4 + H(1/4), and the ends see 1 - 3/4 and 1/2 - 1/2
  const auto split = edge_dual_bound(path, box, -kInfinity);
  EXPECT_NEAR(split.bound, 0.5 + entropy(0.25) + softplus(0.25) + softplus(0), 1e-12);
  EXPECT_EQ(split.status, Status::kConverged);
  EXPECT_EQ(split.point, (std::vector{sigmoid(0.25), 0.25, 0.5}));
  box = unit_box(3);
  box.fix(2, 1);  // one edge left: its own maximum, at the first evaluation
  EXPECT_NEAR(edge_dual_bound(path, box, -kInfinity, {.iterations = 0}).bound,
              testing::best_field_elbo(path, box, 1), 1e-9);
  box = {{1, 0, 0.5}, {1, 0, 0.5}};
  EXPECT_NEAR(edge_dual_bound(path, box, -kInfinity).bound, 1 + 0.25 + entropy(0.5), 1e-12);
}

TEST(EdgeDecomposition, EvenSharesByHand) {
  // A path of three nodes, couplings -2, bias 0: the middle gives half its entropy to either edge.
  const std::vector<Edge> edges{{0, 1, -2.0}, {1, 2, -2.0}};
  const PairwiseField path = make_pairwise_field({0.0, 1.0, 0.0}, edges);
  double part = -kInfinity;  // max of -2 x y + y / 2 + H(x) + H(y) / 2
  for (int i = 0; i <= 2000; ++i) {
    const double y = i / 2000.0;
    part = std::max(part, softplus(-2 * y) + y / 2 + entropy(y) / 2);
  }
  const double bound = edge_dual_bound(path, unit_box(3), -kInfinity, {.iterations = 0}).bound;
  EXPECT_NEAR(bound, 2 * part, 1e-5);
  EXPECT_GE(bound, 2 * part);
}

TEST(EdgeDecomposition, ClosesTheGapOnSoftGridsAndTrees) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const PairwiseField soft = grid(6, -1, 1, 1, seed);
    const double best = testing::climb(soft, unit_box(36), std::vector<double>(36, 0.5));
    const auto report = edge_dual_bound(soft, unit_box(36), best, {.iterations = 300});
    EXPECT_GE(report.bound, best);
    EXPECT_LE(report.bound, best + 1e-5 * best);
    EXPECT_NEAR(testing::climb(soft, unit_box(36), report.point), best, 1e-9);

    Random random(seed);
    std::vector<Edge> edges;
    std::vector<double> bias(30);
    for (double& b : bias) b = random.uniform(-1, 1);
    for (std::uint32_t i = 1; i < 30; ++i)
      edges.push_back({static_cast<std::uint32_t>(random.below(i)), i, random.uniform(-1, 0)});
    const PairwiseField tree = make_pairwise_field(bias, edges);
    const double top = testing::climb(tree, unit_box(30), std::vector<double>(30, 0.5));
    const double bound = edge_dual_bound(tree, unit_box(30), top, {.iterations = 300}).bound;
    EXPECT_GE(bound, top);
    EXPECT_LE(bound, top + 1e-5 * top);
  }
}

TEST(EdgeDecomposition, LeavesLittleOnAHardGridAndFindsItsBestPoint) {
  const PairwiseField hard = grid(8, 0, 4, 4, 1);
  const Box box = unit_box(64);
  double best = -kInfinity;
  for (const double from : {0.0, 0.5, 1.0})
    best = std::max(best, testing::climb(hard, box, std::vector<double>(64, from)));
  const auto report = edge_dual_bound(hard, box, best, {.iterations = 300});
  const double from_dual = testing::climb(hard, box, report.point);
  EXPECT_GE(from_dual, best - 1e-9);
  EXPECT_GE(report.bound, from_dual);
  EXPECT_LE(report.bound, from_dual * 1.01);
  EXPECT_EQ(report.status, Status::kEpochLimit);
  EXPECT_EQ(report.iterations, 300U);
}

TEST(EdgeDecomposition, DoesNotDependOnTheNumberOfThreads) {
  const PairwiseField model = grid(20, 0, 4, 4, 2);
  const auto one = edge_dual_bound(model, unit_box(400), 0, {.iterations = 20, .threads = 1});
  const auto two = edge_dual_bound(model, unit_box(400), 0, {.iterations = 20, .threads = 2});
  EXPECT_EQ(one.bound, two.bound);
  EXPECT_EQ(one.point, two.point);
  EXPECT_EQ(one.multipliers.slope, two.multipliers.slope);
  EXPECT_EQ(one.multipliers.entropy, two.multipliers.entropy);
}

TEST(EdgeDecomposition, ContinuesFromMultipliersOnTheSameAndOnASmallerBox) {
  const PairwiseField model = grid(6, 0, 4, 4, 3);
  Box box = unit_box(36);
  const auto first = edge_dual_bound(model, box, 0, {.iterations = 200});
  const auto again = edge_dual_bound(model, box, 0, {.iterations = 0}, {}, &first.multipliers);
  EXPECT_NEAR(again.bound, first.bound, 1e-9 * first.bound);
  box.low[7] = 0.5, box.high[8] = 0.5;
  const auto inside = edge_dual_bound(model, box, 0, {.iterations = 0}, {}, &first.multipliers);
  EXPECT_LE(inside.bound, first.bound * (1 + 1e-12));
  box.fix(7, 1), box.fix(8, 0);
  const auto fixed = edge_dual_bound(model, box, 0, {.iterations = 5}, {}, &first.multipliers);
  EXPECT_GE(fixed.bound, testing::climb(model, box, box.low));
  EXPECT_LT(fixed.bound, first.bound * 1.05);
}

TEST(EdgeDecomposition, StopsAtTheWantedGapAndWhenTheObserverSaysSo) {
  const PairwiseField model = grid(6, -1, 1, 1, 1);
  const double best = testing::climb(model, unit_box(36), std::vector<double>(36, 0.5));
  const auto near = edge_dual_bound(model, unit_box(36), best, {.wanted_gap = 0.001});
  EXPECT_EQ(near.status, Status::kConverged);
  EXPECT_LE(near.bound, best * 1.001);
  EXPECT_LT(near.iterations, 200U);
  std::vector<double> bounds;
  const auto stopped =
      edge_dual_bound(model, unit_box(36), 0, {}, [&](std::size_t iteration, double bound) {
        EXPECT_EQ(iteration, bounds.size());
        bounds.push_back(bound);
        return bounds.size() < 5;
      });
  EXPECT_EQ(stopped.status, Status::kInterrupted);
  EXPECT_EQ(bounds.size(), 5U);
  EXPECT_EQ(stopped.bound, bounds.back());
  EXPECT_TRUE(std::is_sorted(bounds.rbegin(), bounds.rend()));  // the best so far never rises
}

TEST(EdgeDecomposition, NamesWhatItRefuses) {
  const std::vector<Edge> edges{{0, 1, -1.0}};
  const PairwiseField model = make_pairwise_field({0.0, 0.0}, edges);
  const auto refusal_of = [&](const EdgeDualOptions& options, double best = 0,
                              const EdgeMultipliers* start = nullptr) {
    return testing::refusal([&] { edge_dual_bound(model, unit_box(2), best, options, {}, start); });
  };
  EXPECT_EQ(refusal_of({.wanted_gap = -1}),
            "edge dual bound: the wanted gap is -1, which must be finite and >= 0");
  EXPECT_EQ(refusal_of({.step = 0}),
            "edge dual bound: the step is 0, which must be finite and > 0");
  EXPECT_EQ(refusal_of({.smoothing = -0.5}),
            "edge dual bound: the smoothing is -0.5, which must be finite and >= 0");
  EXPECT_EQ(refusal_of({.threads = 0}),
            "edge dual bound: the number of threads is 0, which must be >= 1");
  EXPECT_EQ(refusal_of({}, kInfinity),
            "edge dual bound: the best known value is inf, which must be a number below infinity");
  const EdgeMultipliers three{{0, 0, 0}, {1, 1}};
  EXPECT_EQ(refusal_of({}, 0, &three),
            "edge dual bound: there are 3 slopes and 2 entropies to start from, which must be 2: "
            "two an edge");
  const EdgeMultipliers broken{{0, kInfinity}, {1, 1}};
  EXPECT_EQ(refusal_of({}, 0, &broken),
            "edge dual bound: multiplier 1 to start from is inf, 1, which must be finite");
}

}  // namespace
}  // namespace surefield
