// surefield reproduce, as a user types it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

TEST(Reproduce, TheInstancesOfCoverageAreThoseOfTheSeed) {
  const Program surefield;
  const auto rows = [&](const std::string& seed) {
    const Json json =
        Json::parse(surefield("reproduce coverage --seconds 0 --format json" + seed).out);
    std::vector<double> elbos;
    for (const Json& row : json["rows"]) elbos.push_back(row["elbo"]);
    return elbos;
  };
  const auto usual = rows("");
  ASSERT_EQ(usual.size(), 4U);
  EXPECT_NE(rows(" --seed 2"), usual);
}

TEST(Reproduce, AllWithoutDataIsTheSyntheticExperimentAndSaysWhatItLeavesOut) {
  const Program surefield;
  const Outcome all = surefield("reproduce all --format json -o paper.json");
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_NE(all.err.find("wrote paper.json\n"), std::string::npos);
  EXPECT_NE(all.err.find("left out: table1: it needs the authors' models; name their folder with "
                         "--data\n"),
            std::string::npos);
  const Json json = Json::parse(surefield.read("paper.json"));
  EXPECT_EQ(json["experiment"], "all");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["left_out"].size(), 2U);
  ASSERT_EQ(json["experiments"].size(), 1U);
  EXPECT_EQ(json["experiments"][0]["experiment"], "synthetic");
  EXPECT_EQ(json["experiments"][0]["charts"].size(), 6U);
  EXPECT_EQ(json["experiments"][0]["values"].size(), 19U * 9);
}

TEST(Reproduce, FiguresNameADamagedFileAndEndShort) {
  SUREFIELD_NEEDS_DATA("flid");
  const Program surefield;
  std::filesystem::copy_file(testing::shared_data("flid/gear_flid_d_2_fold_1.txt"),
                             surefield.path("gear_flid_d_2_fold_1.txt"));
  surefield.write("gear_flid_d_3_fold_1.txt", "oops");
  const Outcome csv = surefield("reproduce figures --data . --format csv --log-z 0");
  EXPECT_EQ(csv.exit_code, 1);
  EXPECT_NE(csv.err.find("not reproduced: ./gear_flid_d_3_fold_1.txt:1: "), std::string::npos);
  EXPECT_NE(csv.out.find("\nelbo-gear-D2,DG-MeanField-1/2,1,3.47"), std::string::npos);
}

TEST(Reproduce, RefusesWhatItCannotDo) {
  const Program surefield;
  for (const char* what : {"table1", "figures", "certified"}) {
    const Outcome none = surefield(std::string("reproduce ") + what);
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_NE(none.err.find("it needs the authors' models; name their folder with --data"),
              std::string::npos);
  }
  EXPECT_EQ(surefield("reproduce").exit_code, 2);
  EXPECT_EQ(surefield("reproduce poems").exit_code, 2);
  EXPECT_EQ(surefield("reproduce figures --data /no/such/folder").exit_code, 2);
  EXPECT_EQ(surefield("reproduce table1 --data . --log-z -1").exit_code, 2);
}

TEST(Reproduce, InterruptedItLeavesAValidPartialResult) {
  const Program surefield;
  const Outcome stopped =
      surefield.interrupted_after(300, "reproduce hard-grid --format json -o grids.json");
  EXPECT_EQ(stopped.exit_code, 1);
  const Json json = Json::parse(surefield.read("grids.json"));
  EXPECT_EQ(json["complete"], false);
  EXPECT_LT(json["rows"].size(), 5U);
  EXPECT_TRUE(testing::has(stopped.err, "reproduce: interrupted"));
}

}  // namespace
}  // namespace surefield
