#include "surefield/learn/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/learning_data.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;
using testing::sets_of;

TEST(Calibration, FourItemsByHand) {
  // Four sets; items come 2, 1, 4, 0 times: f = 1/2, 1/4, 1, 0.
  const auto data = sets_of(4, {{0, 2}, {2, 0}, {1, 2}, {2}});
  const auto found = calibrate(std::vector{0.5, 0.1, 0.8, 0.0}, data, 2);
  EXPECT_EQ(found.sets, 4U);
  EXPECT_DOUBLE_EQ(found.items[0].z, 0);
  EXPECT_DOUBLE_EQ(found.items[1].z, (0.25 - 0.1) / std::sqrt(0.1 * 0.9 / 4));  // 1
  EXPECT_DOUBLE_EQ(found.items[2].z, (1 - 0.8) / std::sqrt(0.8 * 0.2 / 4));     // 1
  EXPECT_EQ(found.items[3].z, 0);
  EXPECT_NEAR(found.mean_square_z, 2.0 / 4, 1e-12);
  ASSERT_EQ(found.bins.size(), 2U);  // by p: {3, 1} and {0, 2}
  EXPECT_DOUBLE_EQ(found.bins[0].predicted, 0.05);
  EXPECT_DOUBLE_EQ(found.bins[0].observed, 0.125);
  EXPECT_EQ(found.bins[0].range, (Interval{0, 0.1}));
  EXPECT_DOUBLE_EQ(found.bins[0].standard_error, std::sqrt(0.1 * 0.9 / 4) / 2);
  EXPECT_DOUBLE_EQ(found.bins[1].standard_error, std::sqrt((0.5 * 0.5 + 0.8 * 0.2) / 4) / 2);
  EXPECT_DOUBLE_EQ(found.bins[1].predicted, 0.65);
  EXPECT_DOUBLE_EQ(found.bins[1].observed, 0.75);
  EXPECT_NEAR(found.expected_error, (0.075 + 0.1) / 2, 1e-15);
  EXPECT_NEAR(found.worst_bin_error, 0.1, 1e-15);
  EXPECT_EQ(found.impossible, 0U);
}

TEST(Calibration, TheExpectedErrorIsAMeanOverItems) {
  // f = 1/2, 1/2, 1, 0, 0; by p the bins hold two items and three, or three and two.
  const auto data = sets_of(5, {{0, 2}, {1, 2}});
  const auto found = calibrate(std::vector{0.6, 0.7, 0.8, 0.1, 0.2}, data, 2);
  ASSERT_EQ(found.bins.size(), 2U);
  ASSERT_NE(found.bins[0].items, found.bins[1].items);
  double errors = 0;
  for (const auto& bin : found.bins)
    errors += static_cast<double>(bin.items) * std::abs(bin.predicted - bin.observed);
  EXPECT_NEAR(found.expected_error, errors / 5, 1e-15);
}

TEST(Calibration, ATrueModelHasScoresOfAboutOneAndAFalseOneHasNot) {
  Random random(3);
  const Index n = 200;
  std::vector<double> p(n);
  for (double& q : p) q = random.uniform(0.01, 0.5);
  auto data = sets_of(n, {});
  for (Index k = 0; k < 3000; ++k) {
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i)
      if (random.chance(p[i])) set.push_back(i);
  }
  const auto good = calibrate(p, data);
  EXPECT_NEAR(good.mean_square_z, 1, 0.4);  // 200 independent squares: standard deviation 0.1
  EXPECT_LT(good.expected_error, 0.01);
  EXPECT_EQ(good.bins.size(), 10U);
  for (const auto& bin : good.bins) {
    EXPECT_EQ(bin.items, 20U);
    EXPECT_NEAR(bin.observed, bin.predicted, 5 * bin.standard_error);
  }
  for (double& q : p) q = std::min(1.0, q * 1.5);
  const auto bad = calibrate(p, data);
  EXPECT_GT(bad.mean_square_z, 20);
  EXPECT_GT(bad.expected_error, 0.05);
}

TEST(Calibration, WhatCannotBeIsCountedNotAdded) {
  const auto found = calibrate(std::vector{0.0, 1.0, 1.0}, sets_of(3, {{0, 1}, {1}}));
  EXPECT_EQ(found.items[0].z, kInfinity);
  EXPECT_EQ(found.items[1].z, 0);
  EXPECT_EQ(found.items[2].z, -kInfinity);
  EXPECT_EQ(found.impossible, 2U);
  EXPECT_EQ(found.mean_square_z, 0);
  EXPECT_EQ(found.bins.size(), 3U);
}

TEST(Calibration, NoItemsIsAnAnswerAndNoSetsIsNot) {
  const auto none = calibrate({}, sets_of(0, {{}, {}}));
  EXPECT_TRUE(none.bins.empty());
  EXPECT_EQ(none.expected_error, 0);
  EXPECT_EQ(none.mean_square_z, 0);
  EXPECT_EQ(refusal([] { calibrate({}, sets_of(0, {})); }),
            "calibration: there is no set to judge by");
  EXPECT_EQ(refusal([] { calibrate(std::vector{0.5}, sets_of(2, {{1}})); }),
            "calibration: there are 1 marginals for 2 items, which must be one each");
  EXPECT_EQ(refusal([] { calibrate(std::vector{1.5}, sets_of(1, {{0}})); }),
            "calibration: item 0 has marginal 1.5, which must be in [0, 1]");
  EXPECT_EQ(refusal([] { calibrate(std::vector{0.5}, sets_of(1, {{3}})); }),
            "calibration: a set holds item 3, which must be below 1");
  EXPECT_EQ(refusal([] { calibrate(std::vector{0.5}, sets_of(1, {{0}}), 0); }),
            "calibration: there are 0 bins, which must be at least 1");
}

TEST(Calibration, WhatCannotBeIsCountedAndLeftOutOfTheMeanSquare) {
  // Item 0: f = 1, z = 0.5 / sqrt(0.25 / 2), z^2 = 2. Item 1 is impossible and was seen.
  const auto found = calibrate(std::vector{0.5, 0.0}, sets_of(2, {{0, 1}, {0}}), 1);
  EXPECT_EQ(found.impossible, 1U);
  EXPECT_DOUBLE_EQ(found.mean_square_z, 2);
}

}  // namespace
}  // namespace surefield
