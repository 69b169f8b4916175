#include "surefield/bounds/elbo/cut_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/bounds/elbo/edge_decomposition.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/balanced_field.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::balanced_field;

TEST(CutBound, FindsAndCertifiesTheOptimumOfSmallBalancedFields) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(7);
    const double size = random.chance(0.2) ? std::pow(10, random.uniform(-6, 4)) : 1;
    const PairwiseField model = balanced_field(n, size, random);
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i) {
      const double a = random.uniform(), b = random.uniform();
      if (random.chance(0.1)) box.fix(i, a);
      if (random.chance(0.1)) box.fix(i, random.chance(0.5));
      if (random.chance(0.1)) box.low[i] = std::min(a, b), box.high[i] = std::max(a, b);
    }
    const double best = testing::best_field_elbo(model, box, seed);
    const auto report = cut_bound(model, box, {.rounds = 40, .wanted_gap = 1e-7});
    EXPECT_GE(report.bound, best);
    EXPECT_LE(report.bound, best + 1e-6 * std::max(1.0, std::abs(best)));
    EXPECT_GE(report.value, best - 1e-6 * std::max(1.0, std::abs(best)));
    EXPECT_LE(report.value, report.bound);
    require_inside(box, report.point);
    // the very first bound, from the coarsest polygon, is one too
    EXPECT_GE(cut_bound(model, box, {.rounds = 1, .spacing = 4}).bound, best);
  }
}

TEST(CutBound, OneNodeAndNoneAreClosedForm) {
  const auto none = cut_bound(make_pairwise_field({}, {}, 1.5), unit_box(0));
  EXPECT_NEAR(none.bound, 1.5, 1e-11);
  EXPECT_EQ(none.value, 1.5);
  EXPECT_EQ(none.status, Status::kConverged);
  const auto one = cut_bound(make_pairwise_field({0.7}, {}, 1), unit_box(1));
  EXPECT_GE(one.bound, 1 + softplus(0.7));
  EXPECT_NEAR(one.bound, 1 + softplus(0.7), 4e-6);
  EXPECT_NEAR(one.point[0], sigmoid(0.7), 1e-6);
}

TEST(CutBound, CertifiesAHardGridThatTheEdgesLeaveOpen) {
  constexpr std::uint32_t kSide = 12;
  Random random(3);
  std::vector<double> bias(kSide * kSide);
  for (double& b : bias) b = random.uniform(0, 4);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < kSide; ++i)
    for (std::uint32_t j = 0; j < kSide; ++j) {
      const std::uint32_t k = i * kSide + j;
      if (j + 1 < kSide) edges.push_back({k, k + 1, random.uniform(-4, 0)});
      if (i + 1 < kSide) edges.push_back({k, k + kSide, random.uniform(-4, 0)});
    }
  const PairwiseField model = make_pairwise_field(bias, edges);
  const Box box = unit_box(kSide * kSide);
  const auto cut = cut_bound(model, box, {.wanted_gap = 1e-5});
  EXPECT_EQ(cut.status, Status::kConverged);
  EXPECT_LE(cut.bound, cut.value * (1 + 1e-5));
  EXPECT_NEAR(Elbo(model.at(cut.point)).value(), cut.value, 1e-9);
  const auto dual = edge_dual_bound(model, box, cut.value, {.iterations = 100});
  EXPECT_GE(dual.bound, cut.value);  // two methods that share nothing
  EXPECT_GE(cut.bound,
            coordinate_ascent(Elbo(model.at(dual.point)), box, Order::natural(model.size())).value);
}

TEST(CutBound, KnowsWhichFieldsAreBalanced) {
  const auto flips = [](std::vector<Edge> edges, Box box = unit_box(3)) {
    return attracting_flips(make_pairwise_field({0, 0, 0}, edges), box);
  };
  using Flips = std::vector<std::uint8_t>;
  EXPECT_EQ(flips({{0, 1, -1}, {1, 2, -1}}), (Flips{0, 1, 0}));
  EXPECT_EQ(flips({{0, 1, 1}, {1, 2, -1}}), (Flips{0, 0, 1}));
  EXPECT_EQ(flips({{0, 1, 1}, {1, 2, 1}, {0, 2, 1}}), (Flips{0, 0, 0}));
  EXPECT_EQ(flips({{0, 1, -1}, {1, 2, -1}, {0, 2, -1}}), std::nullopt);
  EXPECT_EQ(flips({{0, 1, -1}, {1, 2, -1}, {0, 2, 0}}), (Flips{0, 1, 0}));
  Box box = unit_box(3);
  box.fix(2, 0.3);  // a fixed node cuts the cycle
  EXPECT_EQ(flips({{0, 1, -1}, {1, 2, -1}, {0, 2, -1}}, box), (Flips{0, 1, 0}));
}

TEST(CutBound, StopsWhenTheObserverSaysSo) {
  Random random(5);
  const PairwiseField model = balanced_field(6, 1, random);
  std::size_t calls = 0;
  const auto report = cut_bound(model, unit_box(6), {.wanted_gap = 0},
                                [&](std::size_t round, double bound, double value) {
                                  EXPECT_EQ(round, ++calls);
                                  EXPECT_GE(bound, value);
                                  return calls < 3;
                                });
  EXPECT_EQ(report.status, Status::kInterrupted);
  EXPECT_EQ(report.rounds, 3U);
}

TEST(CutBound, NamesWhatItRefuses) {
  const std::vector<Edge> triangle{{0, 1, -1.0}, {1, 2, -1.0}, {0, 2, -1.0}};
  const PairwiseField odd = make_pairwise_field({0, 0, 0}, triangle);
  EXPECT_EQ(testing::refusal([&] { cut_bound(odd, unit_box(3)); }),
            "cut bound: the field has an odd cycle of couplings < 0, which must not be: flipping "
            "nodes cannot make all couplings >= 0");
  const PairwiseField one = make_pairwise_field({0}, {});
  const auto refusal_of = [&](const CutBoundOptions& options) {
    return testing::refusal([&] { cut_bound(one, unit_box(1), options); });
  };
  EXPECT_EQ(refusal_of({.rounds = 0}), "cut bound: the number of rounds is 0, which must be >= 1");
  EXPECT_EQ(refusal_of({.wanted_gap = -1}),
            "cut bound: the wanted gap is -1, which must be finite and >= 0");
  EXPECT_EQ(refusal_of({.spacing = 0}), "cut bound: the spacing is 0, which must lie in [0.01, 4]");
}

TEST(CutBound, KeepsTheBoundOfTheRoundsThatFittedIntoMemory) {
  const AnyModel any =
      generate("hard-grid", {.items = 12 * 12, .groups = {}, .density = {}, .seed = 5});
  const PairwiseField& model = *any.as<PairwiseField>();
  const Box box = unit_box(model.size());
  const CutBoundReport whole = cut_bound(model, box, {});
  std::optional<CutBoundReport> first;  // with as little memory as one round takes
  for (double bytes = 1e5; !first; bytes *= 1.1) try {
      first = cut_bound(model, box, {.budget = Budget().with_bytes(bytes)});
    } catch (const TooMuch&) {
    }
  EXPECT_EQ(first->status, Status::kInterrupted);
  EXPECT_LT(first->rounds, whole.rounds);
  EXPECT_GE(first->bound, whole.value);
  EXPECT_LT(first->bound, 1.05 * whole.bound);
}

}  // namespace
}  // namespace surefield
