#include "surefield/experiments/safety_folds.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "surefield/learn/held_out.hpp"
#include "surefield/learn/modular.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

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

TEST(SafetyFolds, EveryNumberIsInItsColumn) {
  const SafetyFold fold{.dimensions = 2,
                        .fold = 3,
                        .elbo = 4,
                        .best_elbo = 5,
                        .log_z_lower = 6,
                        .log_z_upper = 7,
                        .log_z_estimate = 8,
                        .likelihood_lower = -10,
                        .likelihood_upper = -9,
                        .modular_likelihood = -11,
                        .seconds = 12};
  EXPECT_TRUE(safety_folds_csv({fold}).ends_with("\n2,3,4,5,6,7,8,-10,-9,-11,12\n"));
  const auto row = nlohmann::json::parse(safety_folds_json({fold}))["rows"][0];
  EXPECT_EQ(row, nlohmann::json::parse(R"({"D": 2, "fold": 3, "elbo": 4.0, "best_elbo": 5.0,
    "log_z": [6.0, 7.0], "log_z_estimate": 8.0, "test_likelihood_lower": -10.0,
    "test_likelihood_upper": -9.0, "modular_test_likelihood": -11.0, "seconds": 12.0})"));
}

/// Ten sets to learn from and four to be judged by, in which other items are frequent; ids from 1, as in the authors' files.
SetCollection part_of(bool held_out, std::uint32_t fold) {
  SetCollection part{.items = 36, .sets = {}, .names = {}};
  for (std::uint32_t k = 0; k < (held_out ? 4U : 10U); ++k)
    part.sets.push_back({(k + fold) % 5, held_out ? 20 + k : 10 + k % 3});
  return part;
}

TEST(SafetyFolds, LearnsFromOnePartOfAFoldAndIsJudgedByTheOther) {
  const testing::TemporaryFolder folder("safety_folds");
  for (std::uint32_t fold = 1; fold <= 10; ++fold)
    for (const bool held_out : {false, true}) {
      std::string text;
      for (const auto& set : part_of(held_out, fold).sets)
        text += fmt::format("{},{}\n", set[0] + 1, set[1] + 1);
      folder.write(fmt::format("1_100_100_100_safety_regs_{}_fold_{}.csv",
                               held_out ? "test" : "train", fold),
                   text);
    }
  const auto folds = safety_folds({.folder = folder.text(), .seconds = 0.02});
  ASSERT_EQ(folds.size(), 30U);
  for (const SafetyFold& fold : folds) {
    const auto number = static_cast<std::uint32_t>(fold.fold);
    const Flid items = fit_modular(part_of(false, number));
    const double log_z = modular_log_z(items);
    EXPECT_EQ(fold.modular_likelihood, held_out_likelihood(items, part_of(true, number),
                                                           {log_z, log_z}, Support::kNonEmptySets)
                                           .log_likelihood()
                                           .low);
  }
}

TEST(SafetyFolds, NamesTheFolderThatIsNotThere) {
  EXPECT_EQ(testing::refusal([] { safety_folds({.folder = "/no/such/folder"}); }),
            "/no/such/folder: there is no such folder of safety folds");
}

}  // namespace
}  // namespace surefield
