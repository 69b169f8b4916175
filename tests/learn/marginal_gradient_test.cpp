#include <gtest/gtest.h>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/elbo_gradient.hpp"
#include "surefield/learn/implicit.hpp"
#include "surefield/learn/unrolled.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

template <class M>
std::vector<double> mean_field(const M& model, std::vector<double> start, double beta,
                               const Box& box) {
  return coordinate_ascent(Elbo(model.at(start), beta), box, Order::natural(model.size()),
                           {.epochs = 100000, .tolerance = 1e-15})
      .point;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// The implicit and the unrolled gradient of slope . x* against differences, near the fixed point
/// that coordinate ascent finds. Returns whether the instance was regular enough to compare.
template <class M>
bool check_gradients(const M& model, std::uint64_t seed, double beta, const Box& box) {
  SCOPED_TRACE(::testing::Message() << M::kKind << " seed " << seed);
  Random random(seed + 1000);
  const Index n = model.size();
  std::vector<double> slope(n), middle(n);
  for (double& one : slope) one = random.uniform(-1, 1);
  for (Index i = 0; i < n; ++i) middle[i] = (box.low[i] + box.high[i]) / 2;
  const std::vector<double> x = mean_field(model, middle, beta, box);
  const MarginalGradient found =
      implicit_gradient(model, x, slope, {.inverse_temperature = beta}, &box);
  if (found.status != GradientStatus::kDone || found.condition > 100) return false;
  const std::vector<double> theta = parameters(model);
  EXPECT_EQ(found.parameters.size(), theta.size());

  // Conjugate gradients in place of the factor.
  const MarginalGradient iterated =
      implicit_gradient(model, x, slope, {.inverse_temperature = beta, .dense_items = 0}, &box);
  EXPECT_EQ(iterated.status, GradientStatus::kDone);
  // Coordinate ascent from the fixed point itself: every sweep is one more term of the series.
  const UnrolledAscent ascent =
      unrolled_ascent(model, x, Order::natural(n),
                      {.inverse_temperature = beta, .sweeps = 400, .tolerance = 0}, &box);
  const MarginalGradient unrolled = unrolled_gradient(model, ascent, slope);
  EXPECT_EQ(unrolled.free_coordinates, found.free_coordinates);

  constexpr double kStep = 1e-5;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    std::vector<double> up = theta, down = theta;
    up[p] += kStep;
    down[p] -= kStep;
    const auto high = mean_field(with_parameters(model, up), x, beta, box);
    const auto low = mean_field(with_parameters(model, down), x, beta, box);
    EXPECT_NEAR(found.parameters[p], (dot(slope, high) - dot(slope, low)) / (2 * kStep), 2e-6) << p;
    EXPECT_NEAR(iterated.parameters[p], found.parameters[p], 1e-9) << p;
    EXPECT_NEAR(unrolled.parameters[p], found.parameters[p], 1e-8) << p;
  }
  const double difference = (dot(slope, mean_field(model, x, beta + kStep, box)) -
                             dot(slope, mean_field(model, x, beta - kStep, box))) /
                            (2 * kStep);
  EXPECT_NEAR(found.inverse_temperature, difference, 2e-6);
  EXPECT_NEAR(iterated.inverse_temperature, found.inverse_temperature, 1e-9);
  EXPECT_NEAR(unrolled.inverse_temperature, found.inverse_temperature, 1e-8);
  return true;
}

Flid soft_flid(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(-1, 2);
  for (double& w : weights) w = random.uniform(0, 1.5);
  return make_flid(utility, weights, dimensions);
}

TEST(MarginalGradient, OfAFlidIsThatOfDifferencesThreeWays) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed)
    compared += check_gradients(soft_flid(2 + seed % 6, 1 + seed % 3, seed), seed,
                                seed % 2 == 0 ? 1 : 0.7, unit_box(2 + seed % 6));
  EXPECT_GE(compared, 20);
}

TEST(MarginalGradient, OfCoverageFieldFacilityAndSumToo) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Index n = 2 + seed % 5;
    Random random(seed);
    const Box box = unit_box(n);
    compared += check_gradients(testing::random_pairwise(n, 0.5, seed), seed, 0.8, box);
    Coverage coverage = testing::random_coverage(n, 3, seed);
    std::vector<double> theta = parameters(coverage);
    for (double& one : theta) one = std::clamp(one, -1.0, 2.0);
    coverage = with_parameters(coverage, theta);
    compared += check_gradients(coverage, seed, 1, box);
    FacilityLocation facility = testing::random_facility(n, 3, seed);
    theta = parameters(facility);
    for (double& one : theta) one = std::clamp(one, -1.0, 2.0) + random.uniform(0.001, 0.01);
    compared += check_gradients(with_parameters(facility, theta), seed, 1, box);
    compared += check_gradients(
        make_weighted_sum(
            n, {{0.5, AnyModel(coverage)},
                {0.8, AnyModel(soft_flid(n, 2, seed))},
                {0.3, AnyModel(make_graph_cut(std::vector<double>(n, 0.1), {{0, 1, 0.5}}))}}),
        seed, 1, box);
  }
  EXPECT_GE(compared, 45);
}

TEST(MarginalGradient, CoordinatesAtABoundDoNotMove) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 4;
    Box box = unit_box(n);
    box.fix(0, seed % 2 == 0 ? 1 : 0);  // an item forced in or out
    box.high[1] = 0.05;                 // and one held below where it would go
    compared += check_gradients(soft_flid(n, 2, seed), seed, 1, box);
  }
  EXPECT_GE(compared, 15);
  // With everything held, nothing moves at all.
  const Flid model = soft_flid(3, 1, 1);
  Box fixed = unit_box(3);
  for (Index i = 0; i < 3; ++i) fixed.fix(i, 0.5);
  const std::vector<double> x(3, 0.5), slope(3, 1.0);
  const MarginalGradient found = implicit_gradient(model, x, slope, {}, &fixed);
  EXPECT_EQ(found.status, GradientStatus::kDone);
  EXPECT_EQ(found.free_coordinates, 0U);
  for (const double one : found.parameters) EXPECT_EQ(one, 0);
}

TEST(MarginalGradient, OfOneItemByHand) {
  // x = sigmoid(beta u), L = x: dL/du = beta x (1 - x), dL/dbeta = u x (1 - x).
  const Flid model = make_flid({0.4}, {}, 0);
  const double x = sigmoid(2 * 0.4);
  const MarginalGradient found =
      implicit_gradient(model, std::vector{x}, std::vector{1.0}, {.inverse_temperature = 2});
  EXPECT_NEAR(found.parameters[0], 2 * x * (1 - x), 1e-15);
  EXPECT_NEAR(found.inverse_temperature, 0.4 * x * (1 - x), 1e-15);
}

TEST(MarginalGradient, OfFewSweepsIsThatOfThoseSweeps) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Index n = 5;
    const Flid model = soft_flid(n, 2, seed);
    const Box box = unit_box(n);
    const std::vector<double> start(n, 0.5);
    Random random(seed);
    std::vector<double> slope(n);
    for (double& one : slope) one = random.uniform(-1, 1);
    const UnrolledOptions options{.inverse_temperature = 1.2, .sweeps = 2, .tolerance = 0};
    const auto order = Order::shuffled(n, seed);
    const MarginalGradient found =
        unrolled_gradient(model, unrolled_ascent(model, start, order, options), slope);
    const std::vector<double> theta = parameters(model);
    constexpr double kStep = 1e-6;
    for (std::size_t p = 0; p < theta.size(); ++p) {
      std::vector<double> up = theta, down = theta;
      up[p] += kStep;
      down[p] -= kStep;
      const auto high = unrolled_ascent(with_parameters(model, up), start, order, options).point;
      const auto low = unrolled_ascent(with_parameters(model, down), start, order, options).point;
      EXPECT_NEAR(found.parameters[p], (dot(slope, high) - dot(slope, low)) / (2 * kStep), 1e-8)
          << "seed " << seed << " parameter " << p;
    }
  }
}

TEST(MarginalGradient, GoesBackAlongAColouredOrderClassByClass) {
  // A path 0 - 1 - 2 - 3: even and odd nodes are two classes.
  const PairwiseField model = make_pairwise_field(
      {0.3, -0.2, 0.5, 0.1}, std::vector<Edge>{{0, 1, -1}, {1, 2, -0.5}, {2, 3, -1.5}});
  const std::vector<Index> list{0, 2, 1, 3};
  const std::vector<double> start(4, 0.5), slope{1, -2, 0.5, 0.25};
  const UnrolledOptions options{.sweeps = 3, .tolerance = 0};
  const auto by_class =
      unrolled_ascent(model, start, Order::coloured(4, {list, {2, 4}, {2}, {1}}), options);
  const auto one_by_one = unrolled_ascent(model, start, Order::given(4, {list}), options);
  EXPECT_EQ(by_class.class_end.size(), 6U);
  EXPECT_EQ(one_by_one.class_end.size(), 12U);
  const auto a = unrolled_gradient(model, by_class, slope);
  const auto b = unrolled_gradient(model, one_by_one, slope);
  for (std::size_t p = 0; p < a.parameters.size(); ++p)
    EXPECT_NEAR(a.parameters[p], b.parameters[p], 1e-15) << p;
}

TEST(ImplicitGradient, SaysWhereThereIsNone) {
  // Two items that repel each other: x_0 = x_1 = 1/2 is a fixed point for bias = c/2. With c < 4 it
  // is the maximum (A has eigenvalues 1 -+ c/4), with c > 4 a saddle, at c = 4 it splits in two.
  const auto field = [](double c) {
    return make_pairwise_field({c / 2, c / 2}, std::vector<Edge>{{0, 1, -c}});
  };
  const std::vector<double> half(2, 0.5), slope{1.0, 0.0}, apart{1.0, -1.0};
  for (const Index dense : {Index{500}, Index{0}}) {
    const ImplicitOptions options{.dense_items = dense};
    const MarginalGradient fine = implicit_gradient(field(3.9), half, slope, options);
    EXPECT_EQ(fine.status, GradientStatus::kDone);
    EXPECT_NEAR(fine.condition, 7.9 / 0.1, 1);  // (1 + 3.9/4) / (1 - 3.9/4)
    // d(x_0)/d(bias_0) = sum of the two modes: 1/4 (1/2) (1 / (1 + c/4) + 1 / (1 - c/4)).
    EXPECT_NEAR(fine.parameters[0], 0.125 * (1 / 1.975 + 1 / 0.025), 1e-9);
    const MarginalGradient edge = implicit_gradient(field(4 - 1e-12), half, slope, options);
    EXPECT_NE(edge.status, GradientStatus::kDone);
    EXPECT_TRUE(edge.parameters.empty());
    const MarginalGradient saddle = implicit_gradient(field(5), half, apart, options);
    EXPECT_EQ(saddle.status, GradientStatus::kNotMaximum);
    EXPECT_TRUE(saddle.parameters.empty());
    const MarginalGradient elsewhere =
        implicit_gradient(field(3), std::vector{0.3, 0.3}, slope, options);
    EXPECT_EQ(elsewhere.status, GradientStatus::kNotStationary);
    EXPECT_TRUE(elsewhere.parameters.empty());
  }
  const MarginalGradient stopped =
      implicit_gradient(field(3), half, slope, {.dense_items = 0, .iterations = 0});
  EXPECT_EQ(stopped.status, GradientStatus::kNotSolved);
  EXPECT_EQ(text_of(GradientStatus::kIllConditioned), "near a bifurcation");
}

TEST(ImplicitGradient, OfALargeSparseFieldAgreesWithTheDenseOne) {
  Random random(5);
  const Index side = 15, n = side * side;
  std::vector<Edge> edges;
  std::vector<double> bias(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    bias[i] = random.uniform(0, 2);
    if (i % side + 1 < side) edges.push_back({i, i + 1, -random.uniform()});
    if (i + side < n) edges.push_back({i, static_cast<std::uint32_t>(i + side), -random.uniform()});
  }
  const PairwiseField model = make_pairwise_field(bias, edges);
  const auto x = mean_field(model, std::vector<double>(n, 0.5), 1, unit_box(n));
  std::vector<double> slope(n);
  for (double& one : slope) one = random.uniform(-1, 1);
  const auto dense = implicit_gradient(model, x, slope);
  const auto sparse = implicit_gradient(model, x, slope, {.dense_items = 10});
  ASSERT_EQ(dense.status, GradientStatus::kDone);
  ASSERT_EQ(sparse.status, GradientStatus::kDone);
  for (std::size_t p = 0; p < dense.parameters.size(); ++p)
    ASSERT_NEAR(dense.parameters[p], sparse.parameters[p], 1e-9) << p;
  EXPECT_GT(sparse.condition, 1);
}

TEST(EnvelopeTheorem, TheBestElboMovesAsItsPartialDerivative) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const Flid model = soft_flid(5, 2, seed);
    const Box box = unit_box(5);
    const auto x = mean_field(model, std::vector<double>(5, 0.5), 1, box);
    const ElboGradient found = elbo_gradient(model, x);
    const std::vector<double> theta = parameters(model);
    constexpr double kStep = 1e-5;
    const auto best = [&](const Flid& moved) {
      return Elbo(moved.at(mean_field(moved, x, 1, box))).value();
    };
    for (std::size_t p = 0; p < theta.size(); ++p) {
      std::vector<double> up = theta, down = theta;
      up[p] += kStep;
      down[p] -= kStep;
      const double difference =
          (best(with_parameters(model, up)) - best(with_parameters(model, down))) / (2 * kStep);
      EXPECT_NEAR(found.parameters[p], difference, 1e-8) << "seed " << seed << " parameter " << p;
    }
  }
}

TEST(MarginalGradient, RefusesWhatDoesNotFit) {
  const Flid model = soft_flid(3, 1, 1);
  const std::vector<double> x(3, 0.5), slope(2, 1.0), fitting(3, 1.0);
  EXPECT_EQ(testing::refusal([&] { implicit_gradient(model, x, slope); }),
            "implicit gradient: the loss has 2 slopes, which must be one for each of 3 items");
  EXPECT_EQ(
      testing::refusal([&] { implicit_gradient(model, x, fitting, {.inverse_temperature = 0}); }),
      "implicit gradient: the inverse temperature is 0, which must be finite and > 0");
  EXPECT_EQ(testing::refusal([&] {
              implicit_gradient(model, x, std::vector{1.0, std::nan(""), 0.0});
            }),
            "implicit gradient: the slope of the loss along item 1 is nan, which must be finite");
  EXPECT_EQ(testing::refusal([&] { unrolled_ascent(model, x, Order::natural(2)); }),
            "unrolled gradient: the order has 2 items, the model 3");
  const auto ascent = unrolled_ascent(model, x, Order::natural(3));
  EXPECT_EQ(testing::refusal([&] { unrolled_gradient(model, ascent, slope); }),
            "unrolled gradient: the loss has 2 slopes and the path 3 items, which must be one for "
            "each of 3 items");
}

}  // namespace
}  // namespace surefield
