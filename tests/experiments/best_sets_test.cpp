// Best sets of a tiny folder beside what is known of them, in all formats.
#include "surefield/experiments/best_sets.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

TEST(BestSets, OfATinyFolderStandBesideTheBestKnown) {
  const testing::TemporaryFolder folder("best-sets");
  std::filesystem::create_directory(folder.path() / "orlib_scp");
  folder.write("G2.txt", "3 3\n1 2 1\n2 3 1\n1 3 1\n");  // a triangle: two of three edges
  folder.write("G10.txt", "2 1\n1 2 5\n");
  folder.write("best_known.txt", "G2 2\n");
  folder.write("G2_best_cut_vector.txt", "0 1 1\n");
  // Three rows, column 2 covers all; its cost of 9 does not count.
  folder.write("orlib_scp/scp1.txt", "3 3\n1 9 1\n2\n1 2\n2\n2 3\n1\n2\n");
  folder.write("orlib_scp/scp2.txt", "nonsense\n");
  folder.write("orlib_scp/unicost_best_known.csv", "# sizes\nscp1.txt,3,3,1\n");
  const BestSets sets = best_sets({.folder = folder.text(), .seconds = 20});
  EXPECT_TRUE(sets.complete);
  ASSERT_EQ(sets.faults.size(), 1U);
  EXPECT_NE(sets.faults[0].find("scp2.txt"), std::string::npos);
  ASSERT_EQ(sets.rows.size(), 3U);
  const char* const names[] = {"G2", "G10", "scp1"};
  const double best[] = {2, 5, 3 - 1};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(sets.rows[k].name, names[k]);
    EXPECT_NEAR(sets.rows[k].value, best[k], 1e-12);
    ASSERT_TRUE(sets.rows[k].upper.has_value());
    EXPECT_GE(*sets.rows[k].upper, best[k]);
    EXPECT_NEAR(*sets.rows[k].upper, best[k], 1e-5);
  }
  EXPECT_EQ(sets.rows[0].best_known, 2);
  EXPECT_FALSE(sets.rows[1].best_known.has_value());
  EXPECT_EQ(sets.rows[2].best_known, 3 - 1);  // a cover of one column is known
  const auto json = nlohmann::json::parse(best_sets_json(sets));
  EXPECT_EQ(json["experiment"], "best-sets");
  EXPECT_TRUE(json["rows"][1]["best_known"].is_null());
  EXPECT_TRUE(
      best_sets_csv(sets).starts_with("instance,n,value,best_known,upper,gap,seconds\nG2,3,"));
  EXPECT_NE(best_sets_text(sets).find("not certified: "), std::string::npos);
}

TEST(BestSets, StopWhenToldToAndRefuseAFolderWithoutInstances) {
  const testing::TemporaryFolder folder("no-best-sets");
  EXPECT_THROW(best_sets({.folder = folder.text()}), Error);
  EXPECT_THROW(best_sets({.folder = folder.text() + "/nobody"}), Error);
  folder.write("G1.txt", "2 1\n1 2 1\n");
  const BestSets sets =
      best_sets({.folder = folder.text(), .budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(sets.complete);
  EXPECT_TRUE(sets.rows.empty());
}

}  // namespace
}  // namespace surefield
