#include "surefield/core/lane_sums.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace surefield {
namespace {

TEST(LaneSums, AddEveryTermOnceForAnyCount) {
  for (std::size_t count = 0; count <= 40; ++count) {
    const auto term = [](std::size_t k) { return static_cast<double>(k * k + 1); };
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += term(k);
    EXPECT_EQ(sum_over_lanes<1>(count, term), sum);
    EXPECT_EQ(sum_over_lanes<4>(count, term), sum);
    EXPECT_EQ(sum_over_lanes<8>(count, term), sum);
  }
}

/// Lanes 0 to 3 get {1e16, 1}, {1, 1}, {-1e16, 1}, {1}: each term of 1 in lane 0 or 2 is lost against 1e16, those of 1 and 3 are not,
/// and pairs, (lane 0 + lane 1) + (lane 2 + lane 3), lose or round the rest.
TEST(LaneSums, GoLaneByLaneAndThenInPairs) {
  const std::vector<double> terms{1e16, 1, -1e16, 1, 1, 1, 1};
  const auto term = [&](std::size_t k) { return terms[k]; };
  const double lanes[] = {1e16 + 1, 2, -1e16 + 1, 1};
  EXPECT_EQ(sum_over_lanes<4>(7, term), (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
  EXPECT_EQ(sum_over_lanes<1>(7, term), 4);
}

}  // namespace
}  // namespace surefield
