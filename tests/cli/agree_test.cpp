#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

void make_folds(const Program& surefield, int count, int items = 12) {
  for (int seed = 1; seed <= count; ++seed) {
    const std::string number = std::to_string(seed);
    ASSERT_EQ(surefield("generate flid --items " + std::to_string(items) + " --groups 3 --seed " +
                        number + " -q -o fold" + number + ".json")
                  .exit_code,
              0);
  }
}

TEST(AgreeCommand, TwoModelsGetTheResultOfTheirProductAndTheBounds) {
  const Program surefield;
  make_folds(surefield, 2);
  const Outcome answer = surefield("agree fold1.json fold2.json --beta 0.5 --format json");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const Json json = Json::parse(answer.out);
  EXPECT_EQ(json["surefield"], "1");
  EXPECT_EQ(json["command"], "agree");
  EXPECT_EQ(json["objective"], "pa-elbo");
  EXPECT_EQ(json["marginals"].size(), 12U);
  EXPECT_TRUE(json["pa_exact"].get<bool>());
  EXPECT_NEAR(json["pa_lower"], json["pa_upper"], 1e-10);
  EXPECT_EQ(json["pa_elbo"], json["elbo"]);
  // PA is the difference of the three log Zs that `logz` finds for the two models and for the sum.
  double rest = json["log_z_lower"].get<double>();
  for (const char* fold : {"fold1", "fold2"}) {
    const Json log_z =
        Json::parse(surefield(std::string("logz ") + fold + ".json --beta 0.5 --format json").out);
    rest -= log_z["log_z_lower"].get<double>();
  }
  EXPECT_NEAR(json["pa_lower"].get<double>(), rest, 1e-9);
  EXPECT_LE(json["pa_elbo_lower"].get<double>(), rest + 1e-9);

  const Outcome text = surefield("agree fold1.json fold2.json --top 3");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(has(text.out, ", exact; log of the mass shared at beta = 1")) << text.out;
  EXPECT_TRUE(has(text.out, "a lower bound of PA"));
  EXPECT_TRUE(has(text.out, "of fold2"));
  EXPECT_TRUE(has(surefield("agree fold1.json fold2.json --format csv").out,
                  "index,item,marginal,at_least,at_most\n0,"));
}

TEST(AgreeCommand, MoreModelsAndBetasGetTheTableOfPairs) {
  const Program surefield;
  make_folds(surefield, 3);
  const Json json = Json::parse(
      surefield("agree fold1.json fold2.json fold3.json --beta 0.5,1 --format json").out);
  ASSERT_EQ(json["tables"].size(), 2U);
  EXPECT_EQ(json["tables"][0]["inverse_temperature"], 0.5);
  EXPECT_EQ(json["tables"][1]["pairs"].size(), 3U);
  EXPECT_EQ(json["tables"][1]["models"].size(), 3U);
  const Json two = Json::parse(surefield("agree fold1.json fold3.json --format json").out);
  EXPECT_NEAR(json["tables"][1]["pairs"][1]["pa_lower"].get<double>(),
              two["pa_lower"].get<double>(), 1e-12);
  const Outcome csv = surefield("agree fold1.json fold2.json --pairs --format csv");
  EXPECT_TRUE(has(csv.out, "\n1,fold1,fold2,-")) << csv.out;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 2);
  const Outcome text = surefield("agree fold1.json fold2.json --beta 0.25,1");
  EXPECT_TRUE(has(text.out, "over 1 pairs at beta = 0.25")) << text.out;
  EXPECT_TRUE(has(text.out, "largest mean at beta = 1, certified")) << text.out;
}

// Each of the two is balanced, their sum is a frustrated triangle.
TEST(AgreeCommand, ASumWithoutGuaranteeIsTakenWhereThatIsAskedFor) {
  const Program surefield;
  surefield.write("path.json", R"({"surefield": "1", "kind": "pairwise", "bias": [0, 0, 0],
    "edges": [[0, 1, -1], [1, 2, -1]]})");
  surefield.write("edge.json", R"({"surefield": "1", "kind": "pairwise", "bias": [0, 0, 0],
    "edges": [[0, 2, 1]]})");
  for (const std::string models : {"path.json edge.json", "path.json edge.json path.json"}) {
    EXPECT_EQ(surefield("agree " + models).exit_code, 2);
    const Outcome taken = surefield("agree " + models + " --no-guarantee");
    EXPECT_EQ(taken.exit_code, 0) << taken.err;
  }
}

TEST(AgreeCommand, TheAnswerDoesNotDependOnTheThreads) {
  const Program surefield;
  make_folds(surefield, 3, 30);
  const auto rows = [&](const std::string& threads) {
    Json json = Json::parse(
        surefield("agree fold1.json fold2.json fold3.json --format json --threads " + threads).out);
    Json kept = Json::array();
    for (const Json& row : json["tables"][0]["pairs"])
      kept.push_back({row["pa_lower"], row["pa_upper"], row["pa_elbo"]});
    return kept;
  };
  EXPECT_EQ(rows("1"), rows("2"));
}

TEST(AgreeCommand, SaysWhatIsWrong) {
  const Program surefield;
  make_folds(surefield, 1);
  ASSERT_EQ(surefield("generate flid --items 5 -q -o small.json").exit_code, 0);
  const auto complaint = [&](const std::string& arguments) {
    const Outcome refused = surefield("agree " + arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    EXPECT_EQ(refused.out, "");
    return refused.err;
  };
  EXPECT_EQ(complaint("fold1.json"), "surefield: agree: it takes at least two models, not 1\n");
  EXPECT_EQ(complaint("fold1.json small.json"),
            "surefield: agreement: one model has 12 items, the other 5; they must be over the same "
            "items\n");
  EXPECT_TRUE(has(complaint("fold1.json missing.json"), "missing.json: cannot be read"));
  EXPECT_TRUE(has(complaint("fold1.json fold1.json --beta 0"), "--beta"));
  // 0 attracts 1 and both repel 2: no flips mend that.
  surefield.write("odd.json", R"({"surefield": "1", "kind": "pairwise", "bias": [0, 0, 0],
    "edges": [[0, 1, 1.0], [1, 2, -1.0], [0, 2, -1.0]]})");
  const Outcome odd = surefield("agree odd.json odd.json --format json");
  ASSERT_EQ(odd.exit_code, 0) << odd.err;
  EXPECT_TRUE(has(odd.out, "\"guarantee\": \"none: ")) << odd.out;
  EXPECT_TRUE(has(odd.err, "no guarantee: the model is not submodular: pair 0-1")) << odd.err;
  EXPECT_EQ(surefield("agree odd.json odd.json --no-guarantee").err, "");
}

}  // namespace
}  // namespace surefield
