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
  EXPECT_TRUE(
      has(csv.out, "rank,index,item,marginal,gain,exact,replaces,complements\n1,2,pram,0.73"))
      << csv.out;
  EXPECT_TRUE(has(surefield("recommend nursery.json --method mean-field").out, "mean field, elbo"));
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
