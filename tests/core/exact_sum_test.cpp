#include "surefield/core/exact_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

__extension__ using Wide = __int128;

ExactSum sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

TEST(ExactSum, NothingAddsUpToZero) {
  EXPECT_EQ(ExactSum().value(), 0);
  EXPECT_EQ(ExactSum().sign(), 0);
  EXPECT_EQ(ExactSum().rest(), 0);
}

// Whole numbers below 2^112 with the bits of a double: 128 bits hold every sum, and their
// conversion to double is correctly rounded. Each term comes back negated but for a few, so that
// sums cancel.
TEST(ExactSum, AgreesWithWholeNumbersOf128Bits) {
  Random random(1);
  int inexact = 0;
  int zero = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    ExactSum sum;
    Wide truth = 0;
    const Index count = 1 + random.below(12);
    for (Index k = 0; k < count; ++k) {
      const auto bits = static_cast<std::int64_t>(random.below(Index{1} << (1 + random.below(53))));
      const auto shift = static_cast<int>(random.below(60));
      const int sign = random.chance(0.5) ? 1 : -1;
      sum.add(sign * std::ldexp(static_cast<double>(bits), shift));
      truth += sign * (static_cast<Wide>(bits) << shift);
      if (random.chance(0.6)) {
        sum.add(-sign * std::ldexp(static_cast<double>(bits), shift));
        truth -= sign * (static_cast<Wide>(bits) << shift);
      }
    }
    ASSERT_EQ(sum.value(), static_cast<double>(truth)) << "trial " << trial;
    ASSERT_EQ(sum.sign(), (truth > 0) - (truth < 0)) << "trial " << trial;
    const Wide left = truth - static_cast<Wide>(sum.value());
    const double rest = static_cast<double>(left < 0 ? -left : left);
    ASSERT_GE(sum.rest(), rest);
    ASSERT_LE(sum.rest(), rest * (1 + 1e-15));
    inexact += left != 0;
    zero += truth == 0;
  }
  EXPECT_GT(inexact, 1000);
  EXPECT_GT(zero, 100);
}

TEST(ExactSum, TiesAreDecidedByWhatLiesFarBelow) {
  EXPECT_EQ(sum_of({1, 0x1p-53}).value(), 1);  // to even
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-1074}).value(), 1 + 0x1p-52);
  EXPECT_EQ(sum_of({1, 0x1p-53, -0x1p-1074}).value(), 1);
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}).value(), 1 + 0x1p-51);
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53, -0x1p-1000}).value(), 1 + 0x1p-52);
}

TEST(ExactSum, FromTheSmallestToTheLargestNumber) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of({largest, 1, largest, 0x1p-1074, -largest, -1, -largest}).value(), 0x1p-1074);
  EXPECT_EQ(sum_of({largest, 1e-300, largest, -largest, -largest}).value(), 1e-300);
  EXPECT_EQ(sum_of({largest, largest}).value(), HUGE_VAL);
  EXPECT_EQ(sum_of({-largest, -largest}).sign(), -1);
  EXPECT_EQ(sum_of({0x1p1000, -0x1p999, 0x1p-1074}).value(), 0x1p999);
  EXPECT_EQ(sum_of({0x1p970, -0x1p970, 0x1p959, -0x1p958}).value(), 0x1p958);
  // A tie at 2^1010, settled by the smallest number there is.
  EXPECT_EQ(sum_of({0x1p1010, 0x1p957}).value(), 0x1p1010);
  EXPECT_EQ(sum_of({0x1p1010, 0x1p957, 0x1p-1074}).value(), 0x1p1010 + 0x1p958);
  EXPECT_EQ(sum_of({0x1p1010, 0x1p957, -0x1p-1074}).value(), 0x1p1010);
  EXPECT_GE(sum_of({0x1p1010, 0x1p957}).rest(), 0x1p957);
}

TEST(ExactSum, PassesOnWhatIsNotFinite) {
  EXPECT_EQ(sum_of({1, HUGE_VAL}).value(), HUGE_VAL);
  EXPECT_TRUE(std::isnan(sum_of({HUGE_VAL, 1, -HUGE_VAL}).value()));
}

}  // namespace
}  // namespace surefield
