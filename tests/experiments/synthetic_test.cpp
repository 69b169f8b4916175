#include "surefield/experiments/synthetic.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using Json = nlohmann::json;

TEST(Synthetic, EveryValueIsBelowTheExactLogZ) {
  const Synthetic synthetic = reproduce_synthetic({.repeats = 2, .largest = 14});
  EXPECT_TRUE(synthetic.complete);
  ASSERT_EQ(synthetic.log_z.size(), 7U + 6);  // odd D from 3 to 15, and from 9 to 19
  ASSERT_EQ(synthetic.values.size(), 13U * 9);
  std::map<std::pair<Index, Index>, double> log_z;
  for (const auto& row : synthetic.log_z) log_z[{row.items, row.dimensions}] = row.mean;
  for (const auto& row : synthetic.values)
    EXPECT_LT(row.mean, log_z.at({row.items, row.dimensions})) << row.algorithm;
  ASSERT_EQ(synthetic.charts.size(), 4U);
  EXPECT_EQ(synthetic.charts[0].id, "synthetic-n10-D7");
  EXPECT_EQ(synthetic.charts[3].id, "synthetic-n14-D15");
  for (const auto& chart : synthetic.charts) {
    ASSERT_TRUE(chart.log_z && chart.log_z->is_point());
    for (const auto& series : chart.series) {
      ASSERT_EQ(series.points.size(), 7U);
      EXPECT_LT(series.last(), chart.log_z->low);
    }
  }
}

TEST(Synthetic, TheCornersAreTheValuesOfTheEmptyAndTheFullSet) {
  const Synthetic synthetic = reproduce_synthetic({.repeats = 1, .largest = 10});
  for (const auto& chart : synthetic.charts) {
    EXPECT_EQ(chart.series[0].algorithm, "CoordinateAscent-0");
    EXPECT_EQ(chart.series[0].points[0].second, 0);  // F(empty) = 0, and no entropy at a corner
    // F(V) = sum u + sum_d (max W_d - sum_i W_id) < 0: D = 7, 11 of ten items, 0.05 D - 0.41 D each
    EXPECT_LT(chart.series[1].points[0].second, -5);
    EXPECT_EQ(chart.series[3].points[0].second, 0) << "double greedy begins at the better corner";
  }
}

TEST(Synthetic, TheSameForEveryNumberOfThreads) {
  const Synthetic one = reproduce_synthetic({.seed = 5, .repeats = 2, .largest = 10});
  const Synthetic two = reproduce_synthetic(
      {.seed = 5, .repeats = 2, .largest = 10, .budget = Budget().with_threads(2)});
  EXPECT_EQ(synthetic_csv(one), synthetic_csv(two));
  const Synthetic other = reproduce_synthetic({.seed = 6, .repeats = 2, .largest = 10});
  EXPECT_NE(synthetic_csv(one), synthetic_csv(other));
}

TEST(Synthetic, TheDeviationIsThatOfThePopulation) {
  // Of one repeat it is 0; of two, half their distance.
  const Synthetic one = reproduce_synthetic({.repeats = 1, .largest = 10});
  const Synthetic two = reproduce_synthetic({.repeats = 2, .largest = 10});
  for (std::size_t r = 0; r < one.log_z.size(); ++r) {
    EXPECT_EQ(one.log_z[r].deviation, 0);
    EXPECT_NEAR(two.log_z[r].deviation, std::abs(two.log_z[r].mean - one.log_z[r].mean), 1e-12);
  }
}

TEST(Synthetic, JsonHasANumberWhereOneIsDue) {
  const Synthetic synthetic = reproduce_synthetic({.repeats = 2, .largest = 10});
  const std::string text = synthetic_json(synthetic);
  EXPECT_EQ(text.find("null"), std::string::npos);
  const Json json = Json::parse(text);
  EXPECT_EQ(json["surefield"], "1");
  EXPECT_EQ(json["command"], "reproduce");
  EXPECT_EQ(json["experiment"], "synthetic");
  EXPECT_EQ(json["complete"], true);
  ASSERT_EQ(json["charts"].size(), 2U);
  EXPECT_EQ(json["charts"][0]["folds"], Json::array());
  EXPECT_EQ(json["charts"][0]["one_epoch"], 1);
  EXPECT_EQ(json["values"][0]["algorithm"], "DR-DoubleGreedy");
  EXPECT_EQ(json["values"][0]["mean"].get<double>(), synthetic.values[0].mean);
  EXPECT_EQ(json["log_z"][0], (Json{{"n", 10},
                                    {"D", 3},
                                    {"mean", synthetic.log_z[0].mean},
                                    {"std", synthetic.log_z[0].deviation}}));
}

TEST(Synthetic, StopsWhenToldWithWholeRows) {
  std::atomic<bool> stop = false;
  std::vector<double> fractions;
  const Synthetic synthetic = reproduce_synthetic({.repeats = 2,
                                                   .largest = 10,
                                                   .budget = Budget().stopped_by(stop),
                                                   .progress = [&](double done) {
                                                     fractions.push_back(done);
                                                     stop = fractions.size() == 5;
                                                   }});
  EXPECT_FALSE(synthetic.complete);
  EXPECT_EQ(synthetic.log_z.size(), 2U);  // five instances are two whole pairs of repeats
  EXPECT_EQ(fractions, (std::vector{1 / 14.0, 2 / 14.0, 3 / 14.0, 4 / 14.0, 5 / 14.0}));
  EXPECT_NE(synthetic_text(synthetic).find("stopped early"), std::string::npos);
}

TEST(Synthetic, RefusesNoRepeats) {
  EXPECT_EQ(testing::refusal([] { reproduce_synthetic({.repeats = 0}); }),
            "synthetic: there are 0 repeats, but it takes at least 1");
}

}  // namespace
}  // namespace surefield
