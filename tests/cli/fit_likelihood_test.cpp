// surefield fit --method likelihood, as a user runs it.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

/// Items 1 and 2 are substitutes, 3 goes with either.
constexpr const char* kSets = "1,3\n2,3\n1\n2\n3\n1,3\n2\n1\n2,3\n3\n";

TEST(FitLikelihood, WritesASubmodularModelByEveryLogZ) {
  testing::Program surefield;
  surefield.write("sets.csv", kSets);
  for (const std::string log_z : {"auto", "exact", "hoelder", "mean-field"}) {
    const auto done =
        surefield("fit sets.csv --method likelihood --dims 1 --log-z " + log_z + " -o m.json");
    ASSERT_EQ(done.exit_code, 0) << log_z << done.err;
    EXPECT_NE(done.err.find("by likelihood"), std::string::npos) << done.err;
    const auto model = nlohmann::json::parse(surefield.read("m.json"));
    EXPECT_EQ(model.at("kind"), "flid");
    const auto again = surefield("infer m.json --format json");  // refused if not submodular
    EXPECT_EQ(again.exit_code, 0) << again.err;
  }
}

TEST(FitLikelihood, LearnsAnFldcToo) {
  testing::Program surefield;
  surefield.write("sets.csv", kSets);
  for (const std::string log_z : {"", " --log-z exact", " --log-z hoelder"}) {
    // --concepts alone says that it is an fldc.
    const auto done =
        surefield("fit sets.csv --method likelihood --dims 1 --concepts 1" + log_z + " -o m.json");
    ASSERT_EQ(done.exit_code, 0) << log_z << done.err;
    EXPECT_NE(done.err.find("fldc, items: 3, learned by likelihood"), std::string::npos)
        << done.err;
    EXPECT_EQ(nlohmann::json::parse(surefield.read("m.json")).at("kind"), "fldc");
  }
  const auto refused =
      surefield("fit sets.csv --model fldc --method likelihood --log-z mean-field --dims 1");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err.substr(refused.err.rfind("surefield: ")),
            "surefield: likelihood fit: the ELBO as log Z learns no fldc; there are exact and "
            "hoelder\n");
}

TEST(FitLikelihood, ADeadlineEndsItWithTheBestSoFar) {
  testing::Program surefield;
  surefield.write("sets.csv", kSets);
  const auto done = surefield("fit sets.csv --deadline 0 -o m.json");
  EXPECT_EQ(done.exit_code, 1) << done.err;
  EXPECT_NE(done.err.find("was not compared: time ran out"), std::string::npos) << done.err;
  EXPECT_NE(done.err.find("what is written is the best so far"), std::string::npos) << done.err;
  EXPECT_EQ(surefield("infer m.json").exit_code, 0);
}

TEST(FitLikelihood, IsTheSameOnEveryThreadCount) {
  testing::Program surefield;
  surefield.write("sets.csv", kSets);
  const std::string fit = "fit sets.csv --method likelihood --dims 2 --seed 3 --quiet --threads ";
  const auto one = surefield(fit + "1");
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_FALSE(one.out.empty());
  EXPECT_EQ(one.out, surefield(fit + "2").out);
}

TEST(FitLikelihood, NamesWhatIsAllowed) {
  testing::Program surefield;
  surefield.write("sets.csv", kSets);
  const auto log_z = surefield("fit sets.csv --method likelihood --log-z guess");
  EXPECT_EQ(log_z.exit_code, 2);
  EXPECT_NE(log_z.err.find("{auto,exact,hoelder,mean-field}"), std::string::npos) << log_z.err;
  const auto starts = surefield("fit sets.csv --method likelihood --starts 0");
  EXPECT_EQ(starts.exit_code, 2);
  const auto model = surefield("fit sets.csv --model modular --method likelihood");
  EXPECT_EQ(model.exit_code, 2);
  EXPECT_NE(model.err.find("flid by likelihood"), std::string::npos) << model.err;
}

}  // namespace
}  // namespace surefield
