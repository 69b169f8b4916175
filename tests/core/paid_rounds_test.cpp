#include "surefield/core/paid_rounds.hpp"

#include <gtest/gtest.h>

#include "surefield/core/budget.hpp"

namespace surefield {
namespace {

TEST(PaidRounds, AreThoseThatTheWorkPaysForAtMostThoseAskedFor) {
  // 100 operations at 30 a round: three whole ones, the fourth would be more.
  EXPECT_EQ(paid_rounds({.operations = 100}, 30, 50, "epochs"), 3U);
  EXPECT_EQ(paid_rounds({.operations = 90}, 30, 50, "epochs"), 3U);
  EXPECT_EQ(paid_rounds({.operations = 100}, 30, 2, "epochs"), 2U);
  EXPECT_EQ(paid_rounds({}, 30, 50, "epochs"), 50U);
}

TEST(PaidRounds, AtLeastOneIsMadeWhateverItCosts) {
  EXPECT_EQ(paid_rounds({.operations = 29}, 30, 50, "epochs"), 1U);
  EXPECT_EQ(paid_rounds({.operations = 0}, 30, 50, "epochs"), 1U);
  EXPECT_EQ(paid_rounds({.operations = -1e9}, 30, 50, "epochs"), 1U);  // more was spent than stated
  EXPECT_EQ(paid_rounds({.operations = 7}, 0, 50, "epochs"),
            7U);  // a round is an operation at least
}

TEST(PaidRounds, FewerThanAreOfUseAreRefused) {
  const auto refused = [](RoundsWork work, std::size_t asked) -> std::string {
    try {
      paid_rounds(work, 30, asked, "epochs");
    } catch (const TooMuch& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({.operations = 149, .fewest = 5}, 50),
            "5 epochs are more than 1.5e+02 operations");
  EXPECT_EQ(refused({.operations = 150, .fewest = 5}, 50), "");
  EXPECT_EQ(refused({.operations = 60, .fewest = 5}, 2), "");  // no more were asked for
  EXPECT_NE(refused({.operations = 59, .fewest = 5}, 2), "");
}

}  // namespace
}  // namespace surefield
