#include "surefield/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "surefield/core/assert.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Error, MessagesAreMadeOfAnything) {
  EXPECT_EQ(message(), "");
  EXPECT_EQ(
      message("edge ", 3U, "-", -4, ": ", std::string("weight "), 0.1, ' ', std::string_view("ok")),
      "edge 3--4: weight 0.1 ok");
  EXPECT_EQ(message(std::uint8_t{7}, " ", std::numeric_limits<std::uint64_t>::max(), " ",
                    std::numeric_limits<std::int64_t>::min()),
            "7 18446744073709551615 -9223372036854775808");
}

TEST(Error, NumbersAreShortestThatReadBack) {
  EXPECT_EQ(message(1.0), "1");
  EXPECT_EQ(message(-0.2), "-0.2");
  EXPECT_EQ(message(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(message(1e300), "1e+300");
  EXPECT_EQ(message(INFINITY, " ", -INFINITY), "inf -inf");
  EXPECT_EQ(message(NAN, " ", -NAN), "nan nan");
}

TEST(Error, RequireThrowsOnlyWhenBroken) {
  EXPECT_EQ(testing::refusal([] { require(true, "never"); }), "(nothing was refused)");
  EXPECT_EQ(testing::refusal([] { require(false, "value is ", 2, ", which must be 1"); }),
            "value is 2, which must be 1");
  EXPECT_EQ(testing::refusal([] { fail("always ", 'x'); }), "always x");
}

#ifdef SUREFIELD_ASSERTIONS
TEST(Assert, NamesTheConditionAndIsNoError) {
  const auto broken = [] { SUREFIELD_ASSERT(1 + 1 == 3); };
  try {
    broken();
    FAIL() << "the assertion is dead";
  } catch (const Error&) {
    FAIL() << "a bug was reported as bad input";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "surefield: a bug: 1 + 1 == 3 does not hold");
  }
}
#endif

}  // namespace
}  // namespace surefield
