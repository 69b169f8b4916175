#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

/// Cot and bed stand for one another, pram and bib are on their own.
void make_nursery(const Program& surefield) {
  surefield.write("nursery.json", R"({"surefield": "1", "kind": "flid",
    "items": ["cot", "bed", "pram", "bib"], "utility": [2, 2, 1, -1],
    "weights": [[2], [2], [0], [0]]})");
}

TEST(RecommendCommand, SuggestsWhatGoesWithTheBasket) {
  const Program surefield;
  make_nursery(surefield);
  const Outcome answer = surefield("recommend nursery.json --have cot --explain --format json");
  ASSERT_EQ(answer.exit_code, 0) << answer.err;
  const Json json = Json::parse(answer.out);
  EXPECT_EQ(json["command"], "recommend");
  EXPECT_TRUE(json["exact"].get<bool>());
  EXPECT_EQ(json["method"], "exact, by best items");
  EXPECT_EQ(json["have"], Json::array({0}));
  ASSERT_EQ(json["suggestions"].size(), 3U);
  // Given the cot, the bed adds 2 - 2 + max(2, 2) - 2 = 0, the pram 1 and the bib -1.
  EXPECT_EQ(json["suggestions"][0]["name"], "pram");
  EXPECT_NEAR(json["suggestions"][0]["marginal"].get<double>(), 1 / (1 + std::exp(-1)), 1e-9);
  EXPECT_EQ(json["suggestions"][1]["name"], "bed");
  EXPECT_NEAR(json["suggestions"][1]["gain"].get<double>(), 0, 1e-12);
  EXPECT_EQ(json["completion"].size(), 1U);
  EXPECT_EQ(json["completion"][0]["name"], "pram");

  const Outcome text = surefield("recommend nursery.json --explain -k 4");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_TRUE(has(text.out, "have          nothing\n")) << text.out;
  EXPECT_TRUE(has(text.out, "exact, by best items"));
  EXPECT_TRUE(has(text.out, "replaces      bed")) << text.out;
  const Outcome csv = surefield("recommend nursery.json --have 0 -k 1 --format csv");
  EXPECT_TRUE(has(
      csv.out, "rank,index,item,marginal,gain,exact,replaces,complements,because\n1,2,pram,0.73"))
      << csv.out;
  EXPECT_TRUE(has(surefield("recommend nursery.json --method mean-field").out, "mean field, elbo"));
}

TEST(RecommendCommand, AnswersForEveryBasketOfAFile) {
  const Program surefield;
  make_nursery(surefield);
  surefield.write("baskets.csv", "cot,pram\nbib,zebra\n\"\"\n");
  const Outcome refused = surefield("recommend nursery.json --baskets baskets.csv");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(has(refused.err, "baskets.csv:2: found 'zebra'")) << refused.err;
  const std::string command =
      "recommend nursery.json --baskets baskets.csv --skip-unknown --method gain -k 2";
  const Outcome text = surefield(command);
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "\nbed,bib\ncot,bed\ncot,bed\n")) << text.out;
  EXPECT_TRUE(has(text.err, "recommend: 3 baskets, by gain, ")) << text.err;
  const Outcome csv = surefield(command + " --explain --format csv -o answers.csv");
  ASSERT_EQ(csv.exit_code, 0) << csv.err;
  // Given the cot, the bed adds nothing: 2 less than by itself, and that is the cot's doing.
  EXPECT_TRUE(has(surefield.read("answers.csv"), "\n1,1,1,bed,0.5,0,false,cot -2.000000\n"))
      << surefield.read("answers.csv");
  const Outcome json = surefield(command + " --format json");
  const Json first = Json::parse(json.out.substr(0, json.out.find('\n')));
  EXPECT_EQ(first["basket"], 1);
  EXPECT_EQ(first["suggestions"][0]["name"], "bed");
  EXPECT_EQ(surefield("recommend nursery.json --baskets baskets.csv --have cot").exit_code, 2);
}

TEST(RecommendCommand, LabelsMayHoldCommasAndOptionsMayBeRepeated) {
  const Program surefield;
  surefield.write("sea.json", R"({"surefield": "1", "kind": "flid",
    "items": ["Sea Squirts, five", "cot", "pram"], "utility": [2, 2, 1], "weights": [[], [], []]})");
  for (const char* have :
       {"--have 'Sea Squirts, five' --have cot", "--have '\"Sea Squirts, five\",cot'",
        "--have ' cot , \"Sea Squirts, five\"'"}) {
    const Outcome answer = surefield(std::string("recommend sea.json --format json ") + have);
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_EQ(Json::parse(answer.out)["have"], Json::array({0, 1})) << have;
  }
  EXPECT_EQ(surefield("infer sea.json --in 'Sea Squirts, five' --out cot,pram").exit_code, 0);
  const Outcome open = surefield("recommend sea.json --have '\"cot'");
  EXPECT_EQ(open.exit_code, 2);
  EXPECT_TRUE(has(open.err, "--have:1: ")) << open.err;
}

TEST(RecommendCommand, LittleOrNothingLeftIsSaid) {
  const Program surefield;
  make_nursery(surefield);
  const Outcome all = surefield("recommend nursery.json --have cot,bed,pram,bib,cot");
  EXPECT_EQ(all.exit_code, 0);
  EXPECT_TRUE(has(all.out, "nothing is left to suggest"));
  EXPECT_EQ(all.err, "recommend: 5 were asked for, 0 items are left to suggest\n");
  const Outcome few = surefield("recommend nursery.json --have cot,bed --out bib -k 2");
  EXPECT_EQ(few.err, "recommend: 2 were asked for, 1 item is left to suggest\n");
}

TEST(RecommendCommand, SaysWhatIsWrongAndWhatMayBeMeant) {
  const Program surefield;
  make_nursery(surefield);
  const auto complaint = [&](const std::string& arguments) {
    const Outcome refused = surefield(arguments);
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    EXPECT_EQ(refused.out, "");
    return refused.err;
  };
  EXPECT_EQ(complaint("recommend nursery.json --have parm"),
            "surefield: --have: 'parm' is not the name of one of 4 items; did you mean 'pram'?\n");
  EXPECT_EQ(complaint("recommend nursery.json --out Cot"),
            "surefield: --out: 'Cot' is not the name of one of 4 items; did you mean 'cot'?\n");
  EXPECT_EQ(complaint("infer nursery.json --in be"),
            "surefield: --in: 'be' is not the name of one of 4 items; did you mean 'bed'?\n");
  EXPECT_EQ(complaint("recommend nursery.json --have zebra"),
            "surefield: --have: 'zebra' is not the name of one of 4 items\n");
  EXPECT_EQ(complaint("recommend nursery.json --have cot,bed --out bed"),
            "surefield: --have: item 'bed' is left out by --out\n");
  EXPECT_TRUE(has(complaint("recommend nursery.json -k 0"), "--count"));
}

}  // namespace
}  // namespace surefield
