// What the program reads: stdin and pipes once, edge lists with the meaning their name gives them.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using Json = nlohmann::json;
using testing::has;
using testing::Outcome;
using testing::Program;

constexpr const char* kTwoItems = R"({"surefield": "1", "kind": "pairwise", "constant": 0,
    "bias": [1, 2], "edges": [[0, 1, -4]]})";

TEST(CliInput, EveryCommandThatReadsAModelReadsStdin) {
  const Program surefield;
  surefield.write("two.json", kTwoItems);
  surefield.write("sets.csv", "0\n1\n0,1\n1\n");
  const std::vector<std::string> commands{"logz - --format json",
                                          "infer - --format csv",
                                          "sample - -k 3",
                                          "recommend - -k 1 --format csv",
                                          "convert - -",
                                          "evaluate - sets.csv --first-id 0 --format csv",
                                          "agree - two.json --format csv"};
  for (const std::string& command : commands) {
    SCOPED_TRACE(command);
    std::string by_name = command;
    by_name.replace(by_name.find('-'), 1, "two.json");
    const Outcome piped = surefield.with_input(command, "two.json");
    EXPECT_EQ(piped.exit_code, 0) << piped.err;
    if (!has(command, "json")) {
      EXPECT_EQ(piped.out, surefield(by_name).out);
    }
  }
  EXPECT_NEAR(
      Json::parse(surefield.with_input("logz - --format json", "two.json").out)["log_z_lower"],
      std::log(1 + std::exp(1) + std::exp(2) + std::exp(-1)), 1e-12);
  const Outcome sets =
      surefield.with_input("evaluate two.json - --first-id 0 --format csv", "sets.csv");
  EXPECT_EQ(sets.exit_code, 0) << sets.err;
  EXPECT_EQ(surefield.with_input("fit - --model modular --first-id 0", "sets.csv").exit_code, 0);
}

TEST(CliInput, APipeIsReadOnceAndStdinRefusedTheSecondTime) {
  const Program surefield;
  surefield.write("two.json", kTwoItems);
  surefield.write("never.uai", "MARKOV\n2\n2 2\n1\n2 0 1\n4\n1 3 2 0\n");
  surefield.write("never.evid", "1 0 0\n");
  const auto shell = [&](const std::string& command) {
    return surefield.with_input(command, "two.json");
  };
  EXPECT_EQ(shell("logz /dev/stdin --format json").exit_code, 0);
  EXPECT_EQ(shell("infer /dev/stdin").exit_code, 0);
  const Outcome hard = surefield.with_input("logz - --from uai --format json", "never.uai");
  EXPECT_NEAR(Json::parse(hard.out)["log_z_lower"], std::log(6.0), 1e-13) << hard.err;
  const Outcome evidence =
      surefield.with_input("logz never.uai --evidence - --format json", "never.evid");
  EXPECT_NEAR(Json::parse(evidence.out)["log_z_lower"], std::log(4.0), 1e-13) << evidence.err;
  const Outcome twice = shell("agree - -");
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_EQ(twice.err, "surefield: -: stdin has been read already; only one file can be -\n");
}

TEST(CliInput, SparseFilesAreQuadraticsAndOthersCutsUnlessSaid) {
  const Program surefield;
  // x^T Q x with Q_11 = 3, Q_12 = Q_21 = -2: F({1}) = 3, F({2}) = 0, F({1, 2}) = 3 - 4 = -1.
  const std::string text = "2 2\n1 1 3\n1 2 -2\n";
  surefield.write("a.sparse", text);
  surefield.write("b.SPARSE", text);
  const auto log_z = [&](const std::string& arguments) {
    const Outcome outcome = surefield("logz " + arguments + " --format json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out)["log_z_lower"].get<double>();
  };
  const double quadratic = std::log(1 + std::exp(3) + 1 + std::exp(-1));
  EXPECT_NEAR(log_z("a.sparse"), quadratic, 1e-12);
  EXPECT_NEAR(log_z("b.SPARSE"), quadratic, 1e-12);
  EXPECT_NEAR(log_z("a.sparse --edges couplings"), std::log(1 + std::exp(3) + 1 + std::exp(1)),
              1e-12);
  surefield.write("cut.edges", "2 1\n1 2 5\n");
  EXPECT_NEAR(log_z("cut.edges"), std::log(2 + 2 * std::exp(5)), 1e-12);
  surefield.write("cut.sparse", "2 1\n1 2 5\n");
  EXPECT_NEAR(log_z("cut.sparse --edges cut"), std::log(2 + 2 * std::exp(5)), 1e-12);
  EXPECT_NEAR(log_z("cut.edges --edges quadratic"), std::log(3 + std::exp(10)), 1e-12);
  surefield.write("two.json", kTwoItems);
  EXPECT_EQ(
      surefield("infer two.json --edges cut").err,
      "surefield: two.json: a meaning of the numbers (--edges) is for edge lists, but this is "
      "json\n");
  EXPECT_EQ(surefield("infer two.json --row-weight 2").err,
            "surefield: two.json: a row weight is for set covers, but this is json\n");
}

}  // namespace
}  // namespace surefield
