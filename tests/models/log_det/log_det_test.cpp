#include "surefield/models/log_det/log_det.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "tests/support/random_kernel.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/sampled_laws.hpp"
#include "tests/support/set_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<LogDet>);
static_assert(LogDet::kEstimated);

TEST(LogDet, EvaluatesLikeADeterminant) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const LogDet model = make_log_det(testing::random_kernel(6, seed));
    for (std::size_t code = 1; code < 64; ++code) {
      std::vector<Eigen::Index> members;
      for (Eigen::Index i = 0; i < 6; ++i)
        if (code >> i & 1) members.push_back(i);
      const double determinant = model.kernel(members, members).eval().determinant();
      EXPECT_NEAR(model.evaluate(reference::subset(code, 6)), std::log(determinant), 1e-10);
    }
  }
}

TEST(LogDet, StateObeysTheLawsOfItsSampleMean) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const LogDet model = make_log_det(testing::random_kernel(seed % 8, seed), 1 + seed, seed);
    testing::check_sampled_laws(model, seed);
  }
}

TEST(LogDet, StateObeysTheLawsBeyondOneWordOfElements) {
  const LogDet model = make_log_det(testing::random_kernel(70, 5, 1), 4, 9);
  testing::check_sampled_laws(model, 5, {.tolerance = 1e-10, .moves = 4});
}

TEST(LogDet, StateSurvivesAnIllConditionedKernel) {
  Random random(1);
  Eigen::MatrixXd kernel = testing::random_gram(6, 2, random);
  kernel.diagonal().array() += 1e-9;
  const LogDet model = make_log_det(kernel, 20, 3);
  testing::check_sampled_laws(model, 1, {.tolerance = 1e-5});
  testing::check_set_laws(model, 1, 1e-6);
}

TEST(LogDet, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_set_laws(make_log_det(testing::random_kernel(seed % 9, seed, 0.1, seed % 3)),
                            seed);
}

TEST(LogDet, SetDoesNotDrift) {
  const LogDet model = make_log_det(testing::random_kernel(8, 4, 1e-3, 1));
  testing::check_set_laws(model, 4, 1e-10, 2000);
}

TEST(LogDet, TwoElementsByHand) {
  const LogDet model = make_log_det(Eigen::MatrixXd{{2.0, 1.0}, {1.0, 3.0}}, 50);
  // det = 5, so F = 0, log 2, log 3, log 5.
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{0, 0}), 0);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{0, 1}), std::log(3));
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), std::log(5));
  const auto state = model.at(std::vector{1.0, 1.0});
  EXPECT_DOUBLE_EQ(state.value(), std::log(5));
  EXPECT_DOUBLE_EQ(state.partial(0), std::log(5.0 / 3));  // what 0 adds to {1}
  EXPECT_DOUBLE_EQ(state.partial(1), std::log(5.0 / 2));
}

TEST(LogDet, IsExactAtCorners) {
  const LogDet model = make_log_det(testing::random_kernel(6, 2), 7);
  for (std::size_t code = 0; code < 64; ++code) {
    const auto chosen = reference::subset(code, 6);
    const auto state = model.at(std::vector<double>(chosen.begin(), chosen.end()));
    ASSERT_NEAR(state.value(), model.evaluate(chosen), 1e-12);
    for (Index i = 0; i < 6; ++i) {
      const auto with = reference::subset(code | std::size_t{1} << i, 6);
      const auto without = reference::subset(code & ~(std::size_t{1} << i), 6);
      ASSERT_NEAR(state.partial(i), model.evaluate(with) - model.evaluate(without), 1e-12);
    }
  }
}

// The mean of the estimates over many seeds, against enumeration: within 4.5 standard errors, fixed
// seeds.
TEST(LogDet, EstimatesWithoutBias) {
  const Index n = 6;
  const std::vector<double> x{0.1, 0.9, 0.5, 0.3, 1, 0.7};
  const Eigen::MatrixXd kernel = testing::random_kernel(n, 7);
  const auto values = reference::all_values(make_log_det(kernel));
  constexpr int kRuns = 200;
  std::vector<double> sum(n + 1, 0);
  std::vector<double> squares(n + 1, 0);
  for (int run = 0; run < kRuns; ++run) {
    const LogDet model = make_log_det(kernel, 20, static_cast<std::uint64_t>(run));
    const auto state = model.at(x);
    for (Index i = 0; i <= n; ++i) {
      const double estimate = i < n ? state.partial(i) : state.value();
      sum[i] += estimate;
      squares[i] += estimate * estimate;
    }
  }
  for (Index i = 0; i <= n; ++i) {
    auto low = x;
    auto high = x;
    if (i < n) low[i] = 0, high[i] = 1;
    const double truth =
        i < n ? reference::multilinear(values, high) - reference::multilinear(values, low)
              : reference::multilinear(values, x);
    const double mean = sum[i] / kRuns;
    const double error = std::sqrt((squares[i] / kRuns - mean * mean) / (kRuns - 1));
    EXPECT_GT(error, 0);
    EXPECT_NEAR(mean, truth, 4.5 * error) << "along " << i;
  }
}

TEST(LogDet, IsSubmodular) {
  const LogDet model = make_log_det(testing::random_kernel(7, 3));
  EXPECT_LE(reference::submodularity_gap(reference::all_values(model), 7), 1e-12);
  EXPECT_EQ(submodularity_violation(model), std::nullopt);
}

TEST(LogDet, EvensOutAsymmetryOfRounding) {
  const LogDet model = make_log_det(Eigen::MatrixXd{{2.0, 1.0 + 1e-15}, {1.0, 2.0}});
  EXPECT_EQ(model.kernel(0, 1), model.kernel(1, 0));
}

TEST(LogDet, RefusesWhatIsNoKernel) {
  const auto refusal = [](const Eigen::MatrixXd& kernel, Index samples = 10) {
    return testing::refusal([&] { make_log_det(kernel, samples); });
  };
  EXPECT_EQ(refusal(Eigen::MatrixXd(2, 3)),
            "log det: the kernel has 2 rows and 3 columns, but must be square");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0, 0.5}, {0.25, 1.0}}),
            "log det: the kernel has entries 0-1 = 0.5 and 1-0 = 0.25, which must be equal");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0, NAN}, {0.5, 1.0}}),
            "log det: the kernel has entry 0-1 = nan, which must be finite");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0, 2.0}, {2.0, 1.0}}),
            "log det: the kernel is not positive definite: pivot 1 is -3");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{0.0}}),
            "log det: the kernel is not positive definite: pivot 0 is 0");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0, 1.0}, {1.0, 1.0 + 0x1p-51}}),
            "log det: the kernel is not positive definite in double precision: pivot 1 is "
            "4.440892098500626e-16 of a diagonal of 1.0000000000000004");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0}}, 0),
            "log det: the number of samples is 0, which must be >= 1");
  EXPECT_EQ(refusal(Eigen::MatrixXd{{1.0}}, 2'000'000'000),
            "log det: 2000000000 samples of 1 elements ask for more than 1073741824 numbers");
}

TEST(LogDet, NamesTheBlockWhereAnUncheckedKernelFails) {
  const LogDet model{.kernel = Eigen::MatrixXd{{1.0, 2.0}, {2.0, 1.0}}, .samples = 2, .seed = 1};
  EXPECT_EQ(testing::refusal([&] {
              model.at(std::vector{1.0, 1.0}).value();
            }),
            "log det: the block of the kernel over 2 elements is not positive definite");
}

}  // namespace
}  // namespace surefield
