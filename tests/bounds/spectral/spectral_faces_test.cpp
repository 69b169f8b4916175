#include "surefield/bounds/spectral/spectral_faces.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/bounds/spectral/face_rounds.hpp"
#include "surefield/bounds/spectral/field_contraction.hpp"
#include "surefield/bounds/spectral/mirror.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/bounds/spectral/random_signed_field.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/random_box.hpp"

namespace surefield {
namespace {

PairwiseField faces_cut(Index n, double density, double times, Random& random) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (random.chance(density))
        edges.push_back({i, j, times * static_cast<double>(1 + random.below(4))});
  return make_graph_cut(std::vector<double>(n, 0), edges, false).field;
}

/// log sum over all sets e^F, in quadruple precision.
double summed_log_z(const PairwiseField& field) {
  const Index n = field.size();
  __float128 sum = 0;
  double high = -kInfinity;
  std::vector<double> values;
  for (std::size_t code = 0; code < std::size_t{1} << n; ++code) {
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i) x[i] = static_cast<double>(code >> i & 1);
    values.push_back(Elbo(field.at(x)).value());
    high = std::max(high, values.back());
  }
  for (const double value : values) sum += std::exp(value - high);
  return high + std::log(static_cast<double>(sum));
}

TEST(SpectralFaces, AreNeverBelowTheBestElbo) {
  int closed = 0, mirrored = 0;
  constexpr int kCases = 300;
  for (std::uint64_t seed = 1; seed <= kCases; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(8);
    const bool cut = random.chance(0.4);
    const PairwiseField field =
        cut ? faces_cut(n, 0.7, random.chance(0.5) ? 1 : 0.25, random)
            : testing::random_signed_field(n, random, testing::random_scale(random));
    Box box = random.chance(0.7) ? unit_box(n) : testing::random_box(n, random);
    if (cut && random.chance(0.2))  // a mirror, but no item is whole
      for (Index i = 0; i < n; ++i) box.low[i] = 0.25, box.high[i] = 0.75;
    mirrored += cut && n > 0 && is_its_mirror(field, box) && box.low[0] == 0;
    const double best = testing::best_field_elbo(field, box, seed);
    const auto report = spectral_faces(
        field, box, box.low, {.absolute_gap = random.uniform(0, 4), .nodes = 1 + random.below(40)});
    EXPECT_GE(report.bound, best - 1e-14 * (1 + std::abs(best)));
    EXPECT_LE(report.value, best + 1e-9 * (1 + std::abs(best)));
    require_inside(box, report.point);
    closed += report.status == Status::kConverged;
  }
  EXPECT_GE(closed, kCases / 2);
  EXPECT_GE(mirrored, 30);
}

// Split to the end every set is a face, and the log of their sum is log Z; the bounds of larger faces can only be lower. Faces cut off unseen, at most one
// an item and visit, are 8 nats below the rest.
TEST(SpectralFaces, SplitToTheEndAreAtMostLogZ) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(5);
    const PairwiseField field =
        seed % 2 == 0 ? faces_cut(n, 0.8, 1, random) : testing::random_signed_field(n, random, 1);
    const auto report = spectral_faces(field, unit_box(n), std::vector<double>(n, 0),
                                       {.relative_gap = 0, .absolute_gap = 1e-9, .nodes = 200});
    EXPECT_LE(report.bound, summed_log_z(field) + 0.02);
    EXPECT_GE(report.bound, testing::best_field_elbo(field, unit_box(n), seed) - 1e-12);
  }
}

// Thirty nodes, every second pair an edge, at beta = 40: eight nats are 0.15 %.
TEST(SpectralFaces, CloseAFrustratedCutWithTheSameBitsOnAnyNumberOfThreads) {
  Random random(11);
  const PairwiseField field = faces_cut(30, 0.5, 10, random);
  ASSERT_TRUE(is_its_mirror(field, unit_box(30)));
  const auto run = [&](unsigned threads) {
    return spectral_faces(
        field, unit_box(30), std::vector<double>(30, 0.5),
        {.relative_gap = 2e-3, .nodes = 200, .budget = Budget().with_threads(threads)});
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.status, Status::kConverged);
  EXPECT_LE(one.bound - one.value, 2e-3 * one.value);
  EXPECT_EQ(one.bound, three.bound);
  EXPECT_EQ(one.point, three.point);
  EXPECT_EQ(one.nodes, three.nodes);
}

// As many faces wait as may: the others are given up into the sum.
TEST(FaceRounds, GiveUpTheLeastIntoTheSum) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 6;
    const PairwiseField field = testing::random_signed_field(n, random, 1);
    const auto report =
        spectral_faces(field, unit_box(n), std::vector<double>(n, 0),
                       {.relative_gap = 0, .absolute_gap = 1e-9, .nodes = 100, .open_nodes = 5});
    EXPECT_GE(report.bound, testing::best_field_elbo(field, unit_box(n), seed) - 1e-12);
  }
  OpenBoxes<BoxNode<int>, SummedBound> open(4);
  for (const double bound : {3.0, 1.0, 2.0, 5.0, 4.0}) open.push({bound, unit_box(1), nullptr});
  EXPECT_EQ(open.size(), 4U);
  EXPECT_EQ(open.settled().value(), 1);
  open.settle(1);
  EXPECT_NEAR(open.settled().value(), 1 + std::log(2), 1e-15);
}

TEST(SpectralFaces, StopAtOnceAndKeepWhatIsKnown) {
  Random random(3);
  const PairwiseField field = testing::random_signed_field(20, random, 1);
  const auto report = spectral_faces(field, unit_box(20), std::vector<double>(20, 0.5),
                                     {.known_bound = 1e6, .budget = Budget().within(0)});
  EXPECT_EQ(report.status, Status::kInterrupted);
  EXPECT_EQ(report.bound, 1e6);
  EXPECT_THROW(spectral_faces(field, unit_box(20), std::vector<double>(20, 0.5),
                              {.budget = Budget().with_operations(100)}),
               TooMuch);
}

TEST(Mirror, IsKnownWithoutRoundingOrNotAtAll) {
  const std::vector<Edge> edges = {{0, 1, 1}, {1, 2, 3}, {0, 2, 0.5}};
  const PairwiseField cut = make_graph_cut(std::vector<double>(3, 0), edges, false).field;
  EXPECT_TRUE(is_its_mirror(cut, unit_box(3)));
  EXPECT_EQ(most_coupled(cut), 1U);
  Box box = unit_box(3);
  box.low[0] = 0.25;
  EXPECT_FALSE(is_its_mirror(cut, box));
  box.high[0] = 0.75;
  EXPECT_TRUE(is_its_mirror(cut, box));
  box.fix(2, 0);
  EXPECT_FALSE(is_its_mirror(cut, box));
  PairwiseField biased = cut;
  biased.bias[2] += 1e-15;
  EXPECT_FALSE(is_its_mirror(biased, unit_box(3)));
  // The sum is zero only because it loses 1: the mirror is another field.
  const PairwiseField lost =
      make_pairwise_field({-0x1p60, 0x1p60, -0.5}, std::vector<Edge>{{0, 1, 0x1p61}, {0, 2, 1}});
  EXPECT_FALSE(is_its_mirror(lost, unit_box(3)));
}

}  // namespace
}  // namespace surefield
