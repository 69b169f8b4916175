// surefield select on the command line: from sets to a verdict and a model.
#include <nlohmann/json.hpp>

#include "gtest/gtest.h"
#include "tests/cli/program.hpp"

namespace surefield::testing {
namespace {

TEST(SelectCommand, WritesTheTableTheVerdictAndTheModel) {
  const Program surefield;
  ASSERT_EQ(surefield("generate registries --items 12 --sets 300 --dims 3 --seed 4 -o sets.csv")
                .exit_code,
            0);
  const Outcome text =
      surefield("select sets.csv --dims 1,3 --folds 3 --epochs 10 --model best.json");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "posterior agreement")) << text.out;
  EXPECT_TRUE(has(text.err, "wrote best.json")) << text.err;
  EXPECT_EQ(surefield("infer best.json --top 3").exit_code, 0);
  // The one that leads, wherever it stands in the list.
  const Outcome second = surefield(
      "select sets.csv --dims 0,3 --by likelihood --folds 3 --epochs 30 --model second.json "
      "--format json");
  EXPECT_EQ(nlohmann::json::parse(second.out)["winner"]["dims"], 3) << second.out;
  EXPECT_EQ(nlohmann::json::parse(surefield.read("second.json"))["weights"][0].size(), 3u);

  const Outcome json = surefield("select sets.csv --dims 1,3 --folds 3 --epochs 10 --format json");
  const auto result = nlohmann::json::parse(json.out);
  EXPECT_EQ(result["command"], "select");
  ASSERT_EQ(result["rows"].size(), 2u);
  EXPECT_LE(result["rows"][0]["pa_lower"].get<double>(),
            result["rows"][0]["pa_upper"].get<double>());
  EXPECT_EQ(result["decided"].get<bool>(), !result["winner"].is_null());

  const Outcome csv = surefield("select sets.csv --dims 1,3 --folds 3 --epochs 10 --format csv");
  EXPECT_TRUE(has(csv.out, "dims,beta,pa_lower,pa_upper,")) << csv.out;
}

TEST(SelectCommand, ComparesDimensionsAndFamiliesUnlessOneIsAskedFor) {
  const Program surefield;
  ASSERT_EQ(
      surefield("generate registries --items 8 --sets 120 --dims 2 --seed 4 -o sets.csv").exit_code,
      0);
  const Outcome both = surefield(
      "select sets.csv --folds 2 --epochs 5 --starts 1 --seconds 1 --format json --model "
      "best.json");
  EXPECT_EQ(both.exit_code, 0) << both.err;
  const auto found = nlohmann::json::parse(both.out);
  EXPECT_EQ(found["rows"].size(), 6u);
  const std::string winner = found["families"]["winner"];
  EXPECT_TRUE(has(both.err, "wrote best.json, " + winner + ", trained on all sets")) << both.err;
  const Outcome one = surefield("select sets.csv --dims 0,1 --folds 2 --epochs 5 --format json");
  EXPECT_FALSE(nlohmann::json::parse(one.out).contains("families"));
  const Outcome table =
      surefield("select sets.csv --folds 2 --epochs 5 --starts 1 --seconds 1 --format csv");
  EXPECT_FALSE(has(table.out, "modular")) << table.out;
}

TEST(SelectCommand, RefusesInOneLine) {
  const Program surefield;
  surefield.write("empty.csv", "");
  const Outcome empty = surefield("select empty.csv");
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_TRUE(has(empty.err, "empty.csv")) << empty.err;
  surefield.write("two.csv", "1,2\n2,3\n");
  const Outcome folds = surefield("select two.csv --folds 5");
  EXPECT_EQ(folds.exit_code, 2);
  EXPECT_TRUE(has(folds.err, "5")) << folds.err;
  EXPECT_EQ(surefield("select two.csv --dims 1,1 --folds 2").exit_code, 2);
  EXPECT_EQ(surefield("select two.csv --model best.txt.unknown --folds 2").exit_code, 2);
}

}  // namespace
}  // namespace surefield::testing
