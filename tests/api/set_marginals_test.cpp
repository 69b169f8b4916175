#include "surefield/api/set_marginals.hpp"

#include <gtest/gtest.h>

#include "surefield/api/log_z.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/families.hpp"

namespace surefield {
namespace {

/// Two items by themselves: mean field has P = sigmoid(0) and sigmoid(3) = 0.953.
SetMarginals with(const std::vector<Interval>& intervals, bool exact = false) {
  LogZResult found;
  found.marginals = intervals;
  found.marginals_exact = exact;
  if (!intervals.empty()) found.marginals_method = "boxes";
  return set_marginals(make_problem(make_flid({0, 3}, {}, 0)), found);
}

TEST(SetMarginals, AreTheMiddlesOfNarrowIntervals) {
  const SetMarginals found = with({{0.25, 0.25}, {0.5, 0.515625}});
  EXPECT_EQ(found.values, (std::vector<double>{0.25, 0.5078125}));
  EXPECT_EQ(found.error, 0.0078125);
  EXPECT_EQ(found.method, "boxes");
  EXPECT_EQ(with({{0.25, 0.25}, {0.5, 0.5}}, true).error, 0);
}

TEST(SetMarginals, AreMeanFieldMovedIntoWideIntervals) {
  const SetMarginals found = with({{0.125, 0.75}, {0.25, 0.875}});
  EXPECT_NEAR(found.values[0], 0.5, 1e-9);
  EXPECT_EQ(found.values[1], 0.875);
  EXPECT_EQ(found.error, 0.625);  // the second at its upper end: as far as the whole interval
  EXPECT_EQ(found.method, "mean field, moved into the intervals of boxes");
}

TEST(SetMarginals, WithoutIntervalsHaveNoBound) {
  const SetMarginals found = with({});
  EXPECT_NEAR(found.values[1], sigmoid(3), 1e-9);
  EXPECT_EQ(found.error, kInfinity);
  EXPECT_EQ(found.method, "mean field");
}

}  // namespace
}  // namespace surefield
