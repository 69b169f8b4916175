#include "surefield/learn/extension_derivatives.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "surefield/core/random.hpp"
#include "surefield/learn/elbo_gradient.hpp"
#include "surefield/learn/parameters.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

static_assert(DifferentiableModel<Flid> && DifferentiableModel<FacilityLocation> &&
              DifferentiableModel<Coverage> && DifferentiableModel<PairwiseField> &&
              DifferentiableModel<WeightedSum>);
static_assert(!DifferentiableModel<BlackBox>);

/// Inside, and at 0 and 1.
std::vector<double> random_point(Index n, Random& random) {
  std::vector<double> x(n);
  for (double& one : x) one = random.chance(0.2) ? 0 : random.chance(0.2) ? 1 : random.uniform();
  return x;
}

template <class M>
double extension(const M& model, std::span<const double> x) {
  return model.at(x).value();
}

/// All three derivatives by differences. m is linear in each parameter but for kinks at ties, so a
/// difference is exact to rounding as long as no two weights change places.
template <class M>
void check_derivatives(const M& model, std::uint64_t seed, bool kinks = false) {
  SCOPED_TRACE(::testing::Message() << M::kKind << " seed " << seed);
  Random random(seed);
  const Index n = model.size();
  const std::vector<double> x = random_point(n, random);
  const std::vector<double> theta = parameters(model);
  const auto derivatives = derivatives_of(model);
  const std::vector<double> found = parameter_gradient(model, x);
  ASSERT_EQ(found.size(), theta.size());
  std::vector<double> v(n);
  for (double& one : v) one = random.uniform(-1, 1);
  const std::vector<double> along = derivatives.in_parameters_along(x, v);
  ASSERT_EQ(along.size(), theta.size());
  constexpr double kStep = 1e-6;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    std::vector<double> up = theta, down = theta;
    up[p] += kStep;
    down[p] -= kStep;
    const M high = with_parameters(model, up), low = with_parameters(model, down);
    const double here = extension(model, x);
    const double right = (extension(high, x) - here) / kStep;
    const double left = (here - extension(low, x)) / kStep;
    if (kinks && std::abs(right - left) > 1e-7) {  // a tie: convex, between the two
      EXPECT_GE(found[p], left - 1e-7) << p;
      EXPECT_LE(found[p], right + 1e-7) << p;
      continue;
    }
    EXPECT_NEAR(found[p], (right + left) / 2, 2e-8) << p;
    std::vector<double> gradient_high(n), gradient_low(n);
    high.at(x).gradient(gradient_high);
    low.at(x).gradient(gradient_low);
    double expected = 0;
    bool kink = false;
    std::vector<double> gradient(n);
    model.at(x).gradient(gradient);
    for (Index i = 0; i < n; ++i) {
      expected += v[i] * (gradient_high[i] - gradient_low[i]) / (2 * kStep);
      kink |= std::abs(gradient_high[i] - 2 * gradient[i] + gradient_low[i]) > 1e-12;
    }
    if (!kinks || !kink) {
      EXPECT_NEAR(along[p], expected, 2e-8) << p;
    }
  }
  // tau . (dg/dtheta)^T v is the same number from either side.
  std::vector<double> tau(theta.size());
  for (double& one : tau) one = random.uniform(-1, 1);
  const std::vector<double> moved = derivatives.gradient_along(x, tau);
  ASSERT_EQ(moved.size(), n);
  EXPECT_NEAR(std::inner_product(moved.begin(), moved.end(), v.begin(), 0.0),
              std::inner_product(along.begin(), along.end(), tau.begin(), 0.0), 1e-10);
  if constexpr (requires { derivatives.add_back(x, Index{}, 0.0, v, tau); }) {
    for (Index i = 0; i < n; ++i) {  // one coordinate is a direction
      std::vector<double> one(n, 0.0), slope(n, 1.0), parameters(theta.size(), 2.0);
      one[i] = 0.7;
      derivatives.add_back(x, i, 0.7, slope, parameters);
      const auto onward = derivatives.hessian_times(x, one);
      const auto share = derivatives.in_parameters_along(x, one);
      for (Index j = 0; j < n; ++j) EXPECT_NEAR(slope[j] - 1, onward[j], 1e-12) << i << " " << j;
      for (std::size_t p = 0; p < theta.size(); ++p)
        EXPECT_NEAR(parameters[p] - 2, share[p], 1e-12) << i << " " << p;
    }
  }
  // The Hessian, column by column: exact differences, since g is linear in each coordinate.
  std::vector<double> product = derivatives.hessian_times(x, v), wanted(n, 0.0);
  for (Index j = 0; j < n; ++j) {
    std::vector<double> at_one = x, at_zero = x, high(n), low(n);
    at_one[j] = 1;
    at_zero[j] = 0;
    model.at(at_one).gradient(high);
    model.at(at_zero).gradient(low);
    for (Index i = 0; i < n; ++i)
      if (i != j) wanted[i] += v[j] * (high[i] - low[i]);
  }
  for (Index i = 0; i < n; ++i) EXPECT_NEAR(product[i], wanted[i], 1e-10) << i;
}

/// All weights different, so that a small step changes no order.
Flid flid_without_ties(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(-1, 2);
  for (double& w : weights) w = random.uniform(0, 2);
  return make_flid(utility, weights, dimensions);
}

TEST(ExtensionDerivatives, OfAFlidAreItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    check_derivatives(flid_without_ties(1 + seed % 7, seed % 4, seed), seed);
}

TEST(ExtensionDerivatives, OfAFlidWithTiesAreSubgradients) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    check_derivatives(testing::random_flid(1 + seed % 7, 1 + seed % 4, seed), seed, true);
}

TEST(ExtensionDerivatives, OfAFacilityLocationAreItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    FacilityLocation model = testing::random_facility(1 + seed % 7, seed % 5, seed, seed % 2 == 0);
    std::vector<double> theta = parameters(model);  // shake ties apart and sizes into range
    Random random(seed);
    for (double& one : theta) one = std::clamp(one, -3.0, 3.0) + random.uniform(0.001, 0.01);
    check_derivatives(with_parameters(model, theta), seed);
  }
}

TEST(ExtensionDerivatives, OfACoverageAreItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Coverage model = testing::random_coverage(1 + seed % 7, seed % 5, seed, seed % 2 == 0);
    std::vector<double> theta = parameters(model);
    for (double& one : theta) one = std::min(one, 5.0);
    check_derivatives(with_parameters(model, theta), seed);
  }
}

TEST(ExtensionDerivatives, OfAPairwiseFieldAreItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    check_derivatives(testing::random_pairwise(1 + seed % 8, 0.6, seed), seed);
}

TEST(ExtensionDerivatives, OfASumOfAllFamiliesAreItsDifferences) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Index n = 2 + seed % 4;
    std::vector<WeightedSum::Term> terms;
    Random random(seed);
    terms.push_back({random.uniform(0, 2), flid_without_ties(n, 2, seed)});
    for (const Index kind : {3, 4, 5, 6}) {
      AnyModel model = testing::random_basic_model(kind, n, seed);
      if (kind == 4) model = make_graph_cut(std::vector<double>(n, 0.5), {{0, 1, 1.5}});
      terms.push_back({random.uniform(0, 2), std::move(model)});
    }
    check_derivatives(make_weighted_sum(n, std::move(terms)), seed);
  }
}

TEST(ExtensionDerivatives, TwoItemsByHand) {
  // One dimension, w = (1, 3), x = (0.5, 0.25): m = u.x + E max - w.x,
  // E max = 3 * 0.25 + 1 * 0.5 * 0.75.
  const Flid model = make_flid({0.0, 0.0}, {1.0, 3.0}, 1);
  const std::vector<double> x{0.5, 0.25};
  const std::vector<double> gradient = parameter_gradient(model, x);
  EXPECT_DOUBLE_EQ(gradient[0], 0.5);          // u_0: x_0
  EXPECT_DOUBLE_EQ(gradient[1], 0.25);         // u_1: x_1
  EXPECT_DOUBLE_EQ(gradient[2], 0.375 - 0.5);  // w_0: best with chance 0.5 * 0.75, minus x_0
  EXPECT_DOUBLE_EQ(gradient[3], 0.25 - 0.25);  // w_1: best whenever it is in
  const auto column = derivatives_of(model).hessian_times(x, std::vector{0.0, 1.0});
  EXPECT_DOUBLE_EQ(column[0], -1);  // -P_{>1} (w_0 - 0)
  EXPECT_DOUBLE_EQ(column[1], 0);
}

TEST(ExtensionDerivatives, AtATieTheHigherIndexIsOnTop) {
  const Flid model = make_flid({0.0, 0.0}, {1.0, 1.0}, 1);
  const std::vector<double> gradient = parameter_gradient(model, std::vector{0.5, 0.5});
  EXPECT_DOUBLE_EQ(gradient[2], 0.25 - 0.5);  // in and the other out
  EXPECT_DOUBLE_EQ(gradient[3], 0.5 - 0.5);   // in
}

TEST(ElboGradient, IsTheDerivativeOfTheElboInTemperatureToo) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Flid model = flid_without_ties(5, 2, seed);
    Random random(seed);
    const std::vector<double> x = random_point(5, random);
    const ElboGradient found = elbo_gradient(model, x, 1.5);
    const double step = 1e-6;
    const double difference =
        (Elbo(model.at(x), 1.5 + step).value() - Elbo(model.at(x), 1.5 - step).value()) /
        (2 * step);
    EXPECT_NEAR(found.inverse_temperature, difference, 1e-7) << seed;
    EXPECT_DOUBLE_EQ(found.value, Elbo(model.at(x), 1.5).value());
    EXPECT_DOUBLE_EQ(found.parameters[0], 1.5 * x[0]);
  }
}

TEST(Parameters, ComeBackAsTheModel) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const Index kind : {0, 1, 2, 3}) {
      const AnyModel model = testing::random_basic_model(kind, 6, seed);
      const auto comes_back = [&](const auto* one) {
        if (one != nullptr) {
          EXPECT_TRUE(testing::same(*one, with_parameters(*one, parameters(*one)))) << seed;
        }
      };
      comes_back(model.as<Flid>());
      comes_back(model.as<FacilityLocation>());
      comes_back(model.as<Coverage>());
      comes_back(model.as<PairwiseField>());
    }
}

TEST(Parameters, RefuseAWrongCountAndAPointOutside) {
  const Flid model = make_flid({0.0, 0.0}, {1.0, 1.0}, 1);
  EXPECT_EQ(testing::refusal([&] {
              with_parameters(model, std::vector{1.0, 2.0, 3.0});
            }),
            "parameters: there are 3 numbers for a flid of 2 items, which has 4");
  EXPECT_NE(testing::refusal([&] {
              parameter_gradient(model, std::vector{1.5, 0.0});
            }),
            "(nothing was refused)");
  const WeightedSum sum = make_weighted_sum(3, {{1.0, AnyModel(testing::random_log_det(3, 1))}});
  EXPECT_EQ(testing::refusal([&] { parameter_gradient(sum, std::vector<double>(3, 0.5)); }),
            "gradient: term 0 of the sum is a log-det, whose extension is estimated by sampling; "
            "it has no exact derivatives");
}

}  // namespace
}  // namespace surefield
