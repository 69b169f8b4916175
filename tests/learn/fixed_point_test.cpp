#include "surefield/learn/fixed_point.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

template <class M>
void expect_where_sweeps_end(const M& model, double beta, const Box& box) {
  std::vector<double> middle(model.size());
  for (Index i = 0; i < middle.size(); ++i) middle[i] = (box.low[i] + box.high[i]) / 2;
  const Report slow =
      coordinate_ascent(Elbo(model.at(middle), beta), box, Order::natural(model.size()),
                        {.epochs = 100000, .tolerance = 1e-14});
  const FixedPoint fast = fixed_point(model, derivatives_of(model), middle, box,
                                      {.inverse_temperature = beta, .tolerance = 1e-11});
  ASSERT_EQ(fast.status, Status::kConverged);
  for (Index i = 0; i < middle.size(); ++i) EXPECT_NEAR(fast.point[i], slow.point[i], 1e-8) << i;
}

TEST(FixedPoint, IsWhereSweepsEnd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<double> utility(12), weights(36);
    for (double& u : utility) u = random.uniform(-1, 3);
    for (double& w : weights) w = random.uniform(0, 3);
    Box box = unit_box(12);
    box.fix(seed % 12, seed % 2 == 0 ? 1 : 0);
    box.high[(seed + 3) % 12] = 0.1;
    expect_where_sweeps_end(make_flid(utility, weights, 3), 1.5, box);
    expect_where_sweeps_end(testing::random_pairwise(9, 0.5, seed), 0.5, unit_box(9));
  }
}

TEST(FixedPoint, NewtonSparesMostSweeps) {
  Random random(1);
  std::vector<double> utility(100), weights(1000);
  for (double& u : utility) u = random.uniform(-1, 2);
  for (double& w : weights) w = random.uniform(0, 1.5);
  const Flid model = make_flid(utility, weights, 10);
  const std::vector<double> half(100, 0.5);
  const Report slow = coordinate_ascent(Elbo(model.at(half)), unit_box(100), Order::natural(100),
                                        {.epochs = 1000, .tolerance = 1e-10});
  const FixedPoint fast = fixed_point(model, derivatives_of(model), half, unit_box(100), {});
  EXPECT_LE(2 * fast.epochs, static_cast<std::size_t>(slow.epochs));
}

TEST(FixedPoint, LeavesASaddleAsSweepsDo) {
  // Two spins that repel, u = 4 each and w = -8, beta = 1: x = 1/2 is a saddle, from which sweeps go.
  const std::vector<Edge> edge{{0, 1, -8}};
  const PairwiseField model = make_pairwise_field({4, 4}, edge);
  const FixedPoint found =
      fixed_point(model, derivatives_of(model), {0.5, 0.5 + 1e-7}, unit_box(2), {});
  EXPECT_EQ(found.status, Status::kConverged);
  EXPECT_GT(std::abs(found.point[0] - found.point[1]), 0.9);
}

TEST(FixedPoint, EndsWhenItsEpochsOrItsTimeDo) {
  const Flid model = make_flid({1, 1, 1}, {2, 1.5, 1}, 1);
  const auto run = [&](const FixedPointOptions& options) {
    return fixed_point(model, derivatives_of(model), {0.5, 0.5, 0.5}, unit_box(3), options);
  };
  const FixedPoint one = run({.epochs = 1, .tolerance = 0});
  EXPECT_EQ(one.status, Status::kEpochLimit);
  EXPECT_EQ(one.epochs, 1U);
  EXPECT_LE(run({.epochs = 4, .tolerance = 1e-15}).epochs, 4U);
}

}  // namespace
}  // namespace surefield
