// What long work tells on the way: every end told is true, and telling changes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/quad_log_z.hpp"

namespace surefield {
namespace {

struct Told {
  std::vector<double> low, high;
  BoundsWatcher watcher() {
    return [this](const BoundsNow& now) {
      if (now.low) low.push_back(*now.low);
      if (now.high) high.push_back(*now.high);
    };
  }
};

/// The largest value of many ascents: attained, so no upper end may be below it but for its own rounding.
double best_attained(const Problem& problem, double beta) {
  double best = -kInfinity;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    best = std::max(best, infer(problem, {.algorithm = "coordinate-ascent",
                                          .inverse_temperature = beta,
                                          .start = "random",
                                          .seed = seed})
                              .elbo_lower.value_or(-kInfinity));
  return best;
}

TEST(Watch, EveryEndToldOfTheBestElboIsTrue) {
  std::size_t lows = 0, highs = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    testing::for_each_exact_family(7, seed, [&](const char* name, const AnyModel& model) {
      SCOPED_TRACE(::testing::Message() << name << ", seed " << seed);
      const double beta = 0.5 + 0.5 * static_cast<double>(seed % 4);
      const Problem problem = make_problem(model);
      Told told;
      const Result watched =
          infer(problem, {.inverse_temperature = beta, .certify = 60, .watcher = told.watcher()});
      // No ELBO is above log Z, which is known by enumeration in quadruple precision.
      const auto truth = testing::quad_log_z(model, unit_box(model.size()), beta);
      for (const double low : told.low) EXPECT_LE(low, truth.log_z + truth.slack());
      // Nothing told is more than the answer claims in the end; a point's value is computed afresh there.
      const double room = 1e-9 * std::max(1.0, std::abs(watched.elbo));
      for (const double low : told.low) EXPECT_LE(low, *watched.elbo_lower + room);
      for (const double high : told.high) EXPECT_GE(high, *watched.upper_bound);
      const double best = best_attained(problem, beta);
      for (const double high : told.high) EXPECT_GE(high, best);
      lows += told.low.size();
      highs += told.high.size();
      const Result alone = infer(problem, {.inverse_temperature = beta, .certify = 60});
      EXPECT_EQ(watched.elbo, alone.elbo);
      EXPECT_EQ(watched.upper_bound, alone.upper_bound);
      EXPECT_EQ(watched.marginals, alone.marginals);
    });
  EXPECT_GT(lows, 200);
  EXPECT_GT(highs, 200);
}

TEST(Watch, EveryEndToldOfLogZIsTrue) {
  std::size_t ends = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    testing::for_each_exact_family(8, seed, [&](const char* name, const AnyModel& model) {
      SCOPED_TRACE(::testing::Message() << name << ", seed " << seed);
      Told told;
      log_z(make_problem(model), {.enumerable = 0, .estimates = false, .watcher = told.watcher()});
      const auto truth = testing::quad_log_z(model, unit_box(model.size()), 1);
      for (const double low : told.low) EXPECT_LE(low, truth.log_z + truth.slack());
      for (const double high : told.high) EXPECT_GE(high, truth.log_z - truth.slack());
      ends += told.low.size() + told.high.size();
    });
  EXPECT_GT(ends, 500);
}

TEST(Watch, BestTellsEachStartByName) {
  std::vector<std::string> names;
  std::vector<std::size_t> epochs;
  InferOptions how{.trace = true};
  how.start_watcher = [&](std::string_view name) {
    names.emplace_back(name);
    epochs.push_back(0);
  };
  how.observer = [&](TracePoint&) {
    if (!epochs.empty()) ++epochs.back();
    return true;
  };
  infer(make_problem(generate("hard-grid", {.items = 49, .seed = 2})), how);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  ASSERT_GE(names.size(), 5U);
  EXPECT_EQ(names.front(), "double greedy, first item first");
  EXPECT_EQ(names.back(), "ascent from an annealed set");
  for (const std::size_t count : epochs) EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace surefield
