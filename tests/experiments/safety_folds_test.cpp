#include "surefield/experiments/safety_folds.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(SafetyFolds, MeansAreOverTheFoldsThatThereAre) {
  SafetyFold one;
  one.dimensions = 2;
  one.fold = 1;
  one.elbo = 2.5;
  one.log_z_lower = 4.25;
  one.log_z_upper = 4.5;
  SafetyFold two = one;
  two.fold = 2;
  two.elbo = 3.5;
  const std::string text = safety_folds_text({one, two});
  EXPECT_NE(text.find("  3.000    2.896  "), std::string::npos) << text;  // ours, printed
  EXPECT_NE(text.find("4.2500 to 4.5000"), std::string::npos) << text;
  EXPECT_NE(text.find("stopped early"), std::string::npos) << text;  // 2 of 30
  const std::string csv = safety_folds_csv({one, two});
  EXPECT_NE(csv.find("\n2,2,3.5,"), std::string::npos) << csv;
}

TEST(SafetyFolds, NamesTheFolderThatIsNotThere) {
  EXPECT_EQ(testing::refusal([] { safety_folds({.folder = "/no/such/folder"}); }),
            "/no/such/folder: there is no such folder of safety folds");
}

}  // namespace
}  // namespace surefield
