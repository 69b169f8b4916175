#include "surefield/api/log_z.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z_methods.hpp"
#include "surefield/api/log_z_task.hpp"
#include "surefield/bounds/log_z/harris/harris_search.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(LogZ, EveryMethodIsOnItsSideInEveryFamily) {
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const AnyModel any =
        testing::random_any_model(seed % (testing::kBasicKinds + 1), seed % 7, seed);
    SCOPED_TRACE(::testing::Message() << kind_of(any) << ", seed " << seed);
    const double beta = seed % 3 == 0 ? 0.7 : 1;
    const Problem problem = make_problem(any, {}, {}, {.no_guarantee = true});
    const auto values = reference::all_values(any);
    const double exact = reference::log_z(values, beta);
    double scale = 1;
    for (const double value : values) scale = std::max(scale, std::abs(value));
    const LogZResult result =
        log_z(problem, {.inverse_temperature = beta, .conditioned = 2, .estimates = false});
    ASSERT_EQ(result.failure, "");
    EXPECT_TRUE(result.exact || any.facts().value_error > 1e-8) << "seven items can be enumerated";
    for (const auto& value : result.values) {
      SCOPED_TRACE(value.method);
      ++checked;
      if (value.side == Side::kLower) {
        EXPECT_LE(value.value, exact + 1e-12 * scale);
      }
      if (value.side == Side::kUpper) {
        EXPECT_GE(value.value, exact - 1e-12 * scale);
      }
      if (value.side == Side::kExact) {
        EXPECT_NEAR(value.value, exact, 1e-9 * scale);
      }
    }
    const auto quick = log_z(problem, {.goal = LogZGoal::kQuick, .inverse_temperature = beta});
    if (quick.upper) {
      EXPECT_GE(*quick.upper, exact - 1e-12 * scale);
    }
  }
  EXPECT_GT(checked, 500U);
}

TEST(LogZ, IsInTheResultOfInferenceFromBothSides) {
  const Problem problem = make_problem(generate("flid", {.items = 12, .groups = 3, .seed = 4}));
  const auto values = reference::all_values(problem.model);
  const Result result = infer(problem, {});
  EXPECT_LE(*result.log_z_lower, reference::log_z(values));
  EXPECT_GE(*result.log_z_upper, reference::log_z(values));
  const Result dpp = infer(make_problem(generate("log-det", {.items = 8})), {});
  EXPECT_TRUE(dpp.log_z_exact);
}

// Marginals that go with inference: of models too large for the exact methods of that goal, so that a short
// branch and bound gives them; the truth is by enumeration.
TEST(LogZ, MarginalsThatGoWithInferenceContainTheTruth) {
  for (const char* family : {"fldc", "cut", "coverage"}) {
    const AnyModel model = generate(family, {.items = 19, .groups = 8, .seed = 3});
    const Problem problem = make_problem(model, {}, {}, {.no_guarantee = true});
    const LogZResult quick = log_z(problem, {.goal = LogZGoal::kQuick, .marginals = true});
    const LogZResult truth =
        log_z(problem, {.goal = LogZGoal::kExact, .marginals = true});  // 2^19 sets
    ASSERT_TRUE(truth.marginals_exact) << family;
    ASSERT_EQ(quick.marginals.size(), 19U) << family;
    double width = 0;
    for (Index i = 0; i < 19; ++i) {
      EXPECT_LE(quick.marginals[i].low, truth.marginals[i].high) << family << i;
      EXPECT_GE(quick.marginals[i].high, truth.marginals[i].low) << family << i;
      width += quick.marginals[i].width() / 19;
    }
    EXPECT_LT(width, 0.2) << family;
  }
}

// Best items beyond the exact methods: the width asked for by Harris' inequality; branch and bound is left to the
// marginals.
TEST(LogZ, BestItemsGoByHarris) {
  const Problem problem = make_problem(generate("flid", {.items = 50, .groups = 8, .seed = 3}));
  const LogZResult narrow = log_z(problem, {.goal = LogZGoal::kWidth, .width = 1e-5});
  EXPECT_LE(narrow.width(), 1e-5);
  EXPECT_EQ(narrow.lower_method, "harris");
  EXPECT_EQ(narrow.upper_method, "harris");
  EXPECT_TRUE(narrow.marginals_method.empty());
  // As narrow as asked for, and no narrower: what Harris' search itself says, to the bit.
  for (const double width : {1e-2, 1e-5}) {
    const LogZResult found = log_z(problem, {.goal = LogZGoal::kWidth, .width = width});
    const Interval alone = harris_log_z(problem.model, nullptr, {.width = width}).log_z;
    EXPECT_EQ(found.lower, alone.low);
    EXPECT_EQ(found.upper, alone.high);
  }
  const LogZResult quick = log_z(problem, {.goal = LogZGoal::kQuick});
  EXPECT_LE(quick.width(), 0.05);
  const LogZResult with =
      log_z(problem, {.goal = LogZGoal::kWidth, .width = 0.1, .marginals = true});
  EXPECT_EQ(with.marginals_method, "branch and bound");
}

// Fields as baskets of many items give: no two items far apart are joined, so all sets are added up, however many.
TEST(LogZ, AThinFieldOfManyItemsIsExact) {
  constexpr Index n = 60'000;
  std::vector<double> bias(n);
  std::vector<Edge> edges;
  double out = 1, in = 0, log_scale = 0;  // sums over the items so far, the last one out or in
  for (Index i = 0; i < n; ++i) {
    bias[i] = 0.25 * static_cast<double>(i % 7) - 0.75;
    const double w = i == 0 ? 0 : 0.5 * static_cast<double>(i % 5) - 1;
    if (i > 0)
      edges.push_back({static_cast<std::uint32_t>(i - 1), static_cast<std::uint32_t>(i), w});
    const double next = std::exp(bias[i]) * (out + in * std::exp(w));
    out = out + in;
    in = next;
    const double scale = out + in;
    log_scale += std::log(scale);
    out /= scale;
    in /= scale;
  }
  const auto found =
      log_z(make_problem(make_pairwise_field(bias, edges), {}, {}, {.no_guarantee = true}),
            {.goal = LogZGoal::kExact});
  ASSERT_TRUE(found.exact);
  EXPECT_LE(*found.lower, log_scale + 1e-9);
  EXPECT_GE(*found.upper, log_scale - 1e-9);
  EXPECT_LE(*found.upper - *found.lower, 1e-4) << "rounding";
}

TEST(LogZ, RefusesABoxThatIsNotOfSets) {
  Box box = unit_box(2);
  box.high[1] = 0.5;
  const Problem problem = make_problem(make_pairwise_field({0, 0}, {}), {}, box);
  EXPECT_EQ(testing::refusal([&] { log_z(problem, {}); }),
            "log Z: item 1 is bounded to [0, 0.5]; only in, out or free has a meaning for sets");
}

TEST(LogZ, AnEstimateIsOutsideWhatIsProvedBeyondThreeStandardErrors) {
  const Problem problem = make_problem(generate("flid", {.items = 3}));
  const LogZOptions options;
  const auto outside = [&](double estimate) {
    LogZTask task(problem, options);
    task.attempt("by hand", {}, [&](LogZTask& now) {
      now.at_least(1, Basis::kProved);
      now.at_most(2, Basis::kProved);
      now.estimate(estimate, 0.5);
    });
    return task.finish().values.back().outside;
  };
  for (const double inside : {-0.4, 0.0, 1.5, 3.0, 3.4}) EXPECT_FALSE(outside(inside)) << inside;
  for (const double far : {-0.6, 3.6}) EXPECT_TRUE(outside(far)) << far;
}

// A field whose values may be off by 1/4, at beta 2: every bound leaves room for 1/2 beyond the truth of the numbers it holds.
TEST(LogZ, EveryMethodLeavesRoomForWhatTheModelInherited) {
  std::map<std::string, int> checked;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    PairwiseField field = testing::random_pairwise(6, seed % 3 == 0 ? 0 : 0.6, seed);
    const double exact = reference::log_z(reference::all_values(AnyModel(field)), 2);
    field.inherited_error = 0.25;
    const LogZResult result =
        log_z(make_problem(AnyModel(field)),
              {.inverse_temperature = 2, .conditioned = 2, .estimates = false, .marginals = true});
    EXPECT_FALSE(result.exact);
    EXPECT_FALSE(result.marginals_exact);
    for (const auto& value : result.values) {
      SCOPED_TRACE(value.method);
      ++checked[value.method];
      if (value.side == Side::kUpper) {
        EXPECT_GE(value.value, exact + 0.5 - 1e-9);
      } else if (value.side == Side::kLower) {
        EXPECT_LE(value.value, exact - 0.5 + 1e-9);
      } else {
        EXPECT_GE(value.error, 0.5 - 1e-9);
      }
    }
  }
  EXPECT_EQ(checked["spectral"], 12);
  EXPECT_GE(checked.size(), 8U);
}

// Half of eight items that are worth 3 each are out: a bound of all sets is above 24, one of those left near 12.
TEST(LogZ, GivesEveryMethodTheBox) {
  std::map<std::string, int> checked;
  std::vector<Edge> repel, both;
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t j = i + 1; j < 8; ++j) {
      repel.push_back({i, j, -0.05});
      both.push_back({i, j, (i + j) % 3 == 0 ? 0.05 : -0.05});
    }
  const std::vector<double> worth(8, 3), weights(16, 0.05);
  const std::vector<AnyModel> models{
      make_pairwise_field(worth, repel), make_pairwise_field(worth, both),
      make_graph_cut(worth, repel, false), make_flid(worth, weights, 2),
      make_log_det(20 * Eigen::MatrixXd::Identity(8, 8), 8)};
  Box box = unit_box(8);
  for (Index i = 0; i < 4; ++i) box.fix(i, 0);
  for (const AnyModel& model : models) {
    const Problem problem = make_problem(model, {}, box, {.no_guarantee = true});
    const LogZResult result = log_z(problem, {.conditioned = 2, .compare = true});
    ASSERT_EQ(result.failure, "");
    for (const auto& value : result.values) {
      EXPECT_LT(value.value, 18) << value.method << " of " << kind_of(model);
      ++checked[value.method];
    }
  }
  EXPECT_GE(checked.size(), log_z_methods().size() - 2);
}

TEST(LogZ, EstimatesGoByTheSeed) {
  const Problem problem = make_problem(AnyModel(testing::random_pairwise(8, 0.6, 1)));
  const auto estimate = [&](std::uint64_t seed) {
    for (const auto& value : log_z(problem, {.compare = true, .seed = seed}).values)
      if (value.side == Side::kEstimate) return value.value;
    return 0.0;
  };
  EXPECT_EQ(estimate(1), estimate(1));
  EXPECT_NE(estimate(1), estimate(2));
}

// Forests are for fields; of another model of many items Hoelder's bound goes with inference. In one dimension the truth is a sum over the best item:
// Z = 1 + sum_i exp(u_i) prod_{j before i} (1 + exp(u_j - w_j)), by ascending w.
TEST(LogZ, OfManyItemsHasAnUpperEndInInference) {
  constexpr Index kItems = 3000;
  std::vector<double> utility, weight;
  long double product = 0, log_z = 0;  // logarithms
  Random random(1);
  for (Index i = 0; i < kItems; ++i) {
    weight.push_back(static_cast<double>(i) / kItems);
    utility.push_back(random.uniform(-6, 0));
    const long double one = product + utility[i];
    log_z = std::max(log_z, one) + std::log1p(std::exp(-std::abs(log_z - one)));
    product += std::log1p(std::exp(static_cast<long double>(utility[i]) - weight[i]));
  }
  const Result result = infer(make_problem(make_flid(utility, weight, 1)), {});
  ASSERT_TRUE(result.log_z_lower && result.log_z_upper);
  EXPECT_LE(*result.log_z_lower, log_z);
  EXPECT_GE(*result.log_z_upper, log_z);
  EXPECT_LT(*result.log_z_upper, log_z + 0.1L);
}

}  // namespace
}  // namespace surefield
