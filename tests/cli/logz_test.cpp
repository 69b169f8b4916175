// `surefield logz --marginals`: exact or certified, in every format, as a user would read them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using Json = nlohmann::json;
using testing::has;
using testing::Outcome;
using testing::Program;

/// Two items that cannot both be had for long: weights 1, e, e^2 and e^{1 + 2 - 4} of the four
/// sets. Z = 1 + e + e^2 + e^-1 = 11.47521737, P(crib) = (e + e^-1) / Z = 0.2689414214, P(a,b) =
/// (e^2 + e^-1) / Z = 0.6759728632.
constexpr const char* kNamedItems = R"({"surefield": "1", "kind": "pairwise", "constant": 0,
    "items": ["crib", "a,b"], "bias": [1, 2], "edges": [[0, 1, -4]]})";

TEST(LogZCli, ShowsExactMarginalsWithTheItemsNames) {
  const Program surefield;
  surefield.write("two.json", kNamedItems);
  const Outcome text = surefield("logz two.json --marginals");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "marginals P(item in S), exact by elimination")) << text.out;
  EXPECT_TRUE(has(text.out, "  0.6759729  a,b\n  0.2689414  crib\n")) << text.out;
  EXPECT_FALSE(has(surefield("logz two.json").out, "marginal")) << "only where asked for";
  const Outcome csv = surefield("logz two.json --marginals --format csv");
  EXPECT_TRUE(csv.out.starts_with("index,item,lower,upper\n0,crib,0.2689414")) << csv.out;
  EXPECT_TRUE(has(csv.out, "\n1,\"a,b\",0.675972"));
  EXPECT_TRUE(has(surefield("logz two.json --marginals --top 1").out, "and 1 more"));
}

TEST(LogZCli, EndsWithTheFirstExactMethodUnlessAllAreToBeCompared) {
  const Program surefield;
  surefield.write("two.json", kNamedItems);
  const auto methods = [&](const std::string& how) {
    return Json::parse(surefield("logz two.json --format json " + how).out)["methods"];
  };
  const Json one = methods(""), all = methods("--compare");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]["method"], "elimination");
  EXPECT_GT(all.size(), 5U);
  EXPECT_EQ(all[0]["value"], one[0]["value"]);
  // Of a model that no method solves all are run either way.
  ASSERT_EQ(surefield("generate coverage --items 40 -o wide.json").exit_code, 0);
  const auto sides = [&](const std::string& how) {
    return Json::parse(surefield("logz wide.json --width 1e6 --condition 0 --format json " + how)
                           .out)["methods"]
        .size();
  };
  EXPECT_GT(sides(""), 3U);
  EXPECT_EQ(sides(""), sides("--compare"));
}

TEST(LogZCli, SaysInJsonWhetherMarginalsAreExact) {
  const Program surefield;
  surefield.write("two.json", kNamedItems);
  const Json json = Json::parse(surefield("logz two.json --marginals --format json").out);
  EXPECT_EQ(json["model"]["items"][1], "a,b");
  EXPECT_EQ(json["marginals_exact"], true);
  EXPECT_EQ(json["marginals_method"], "elimination");
  EXPECT_NEAR(json["marginals_lower"][0], 0.2689414214, 1e-10);
  EXPECT_NEAR(json["marginals_upper"][0], json["marginals_lower"][0], 1e-12);
  EXPECT_FALSE(
      Json::parse(surefield("logz two.json --format json").out).contains("marginals_exact"));
  const Json fixed =
      Json::parse(surefield("logz two.json --in crib --marginals --format json").out);
  EXPECT_EQ(fixed["marginals_lower"][0], 1.0);
  EXPECT_NEAR(fixed["marginals_lower"][1], 0.1192029220, 1e-10);  // sigmoid(2 - 4)
}

TEST(LogZCli, GivesCertifiedIntervalsWhereNothingIsExact) {
  const Program surefield;
  surefield("generate concave-over-modular --items 20 -g 1 --density 1 --seed 3 -q -o model.json");
  const Json exact = Json::parse(surefield("logz model.json --marginals --format json").out);
  ASSERT_EQ(exact["marginals_exact"], true);
  const Outcome some =
      surefield("logz model.json --marginals --enumerate 11 --width 0.01 --format json");
  EXPECT_EQ(some.exit_code, 0) << some.err;
  const Json json = Json::parse(some.out);
  EXPECT_EQ(json["marginals_exact"], false);
  EXPECT_EQ(json["marginals_method"], "branch and bound");
  ASSERT_EQ(json["marginals_lower"].size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_LE(json["marginals_lower"][i], exact["marginals_lower"][i]);
    EXPECT_GE(json["marginals_upper"][i], exact["marginals_upper"][i]);
    EXPECT_LE(json["marginals_upper"][i].get<double>() - json["marginals_lower"][i].get<double>(),
              0.02);
  }
  EXPECT_TRUE(has(surefield("logz model.json --marginals --enumerate 11").out,
                  "certified intervals by branch and bound"));
}

TEST(LogZCli, AnswersTablesWithZerosByElimination) {
  const Program surefield;
  // Never both: Z = 1 + 3 + 2 = 6, P(x0) = 2/6, P(x1) = 3/6.
  surefield.write("never.uai", "MARKOV\n2\n2 2\n1\n2 0 1\n\n4\n1 3 2 0\n");
  const Outcome text = surefield("logz never.uai --marginals --format json");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(has(text.err, "factor 0 is zero at entry 3")) << text.err;
  const Json json = Json::parse(text.out);
  EXPECT_NEAR(json["log_z_lower"], std::log(6.0), 1e-13);
  EXPECT_NEAR(json["marginals_lower"][0], 2.0 / 6, 1e-13);
  EXPECT_NEAR(json["marginals_lower"][1], 3.0 / 6, 1e-13);
  const Json warm = Json::parse(surefield("logz never.uai --beta 2 --out 0 --format json").out);
  EXPECT_NEAR(warm["log_z_upper"], std::log(10.0), 1e-13);  // 1 + 3^2
  surefield.write("not.uai", "MARKOV\n1\n2\n1\n1 0\n\n2\n0 0\n");
  const Outcome impossible = surefield("logz not.uai");
  EXPECT_EQ(impossible.exit_code, 1);
  EXPECT_TRUE(has(impossible.out, "every set has probability 0")) << impossible.out;
}

TEST(LogZCli, ThePictureHasARowForEveryMethod) {
  const Program surefield;
  surefield.write("two.json", kNamedItems);
  ASSERT_EQ(surefield("logz two.json --format json -o result.json").exit_code, 0);
  const std::string draw = std::string("python3 '") + SUREFIELD_SOURCE_DIR +
                           "/scripts/draw_log_z.py' '" + surefield.path("result.json").string() +
                           "' -o '" + surefield.path("picture.svg").string() + "'";
  ASSERT_EQ(std::system(draw.c_str()), 0);
  const std::string svg = surefield.read("picture.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_TRUE(has(svg, "log Z = 2.44019, exact")) << svg;
  const Json result = Json::parse(surefield.read("result.json"));
  for (const auto& value : result["methods"])
    EXPECT_TRUE(has(svg, ">" + value["method"].get<std::string>() + "</text>")) << value;
  EXPECT_FALSE(has(svg, "nan"));
}

TEST(LogZCli, GivesMarginalsOfCouplingsOfBothSigns) {
  const Program surefield;
  // Three variables of which one pair attracts: no flip mends it, and a complete graph of 30 such
  // variables is too wide to eliminate. Branch and bound ends by itself, long before its time is up.
  constexpr int kN = 30;
  std::string edges;
  for (int i = 0; i < kN; ++i)
    for (int j = i + 1; j < kN; ++j)
      edges += std::string(edges.empty() ? "" : ",") + "[" + std::to_string(i) + "," +
               std::to_string(j) + "," + ((i + j) % 3 == 0 ? "0.1" : "-0.1") + "]";
  std::string bias = "0";
  for (int i = 1; i < kN; ++i) bias += ",0";
  surefield.write("wide.json", R"({"surefield": "1", "kind": "pairwise", "bias": [)" + bias +
                                   R"(], "edges": [)" + edges + "]}");
  const Outcome found =
      surefield("logz wide.json --marginals --condition 0 --seconds 3600 --format json");
  EXPECT_EQ(found.exit_code, 1);
  EXPECT_TRUE(has(found.err, "wider than the 0.001 asked for")) << found.err;
  const Json json = Json::parse(found.out);
  ASSERT_EQ(json["marginals_lower"].size(), std::size_t{kN});
  for (std::size_t i = 0; i < kN; ++i)
    EXPECT_LE(json["marginals_lower"][i].get<double>(), json["marginals_upper"][i].get<double>());
  EXPECT_EQ(json["marginals_method"], "branch and bound");
  EXPECT_EQ(surefield("logz wide.json --enumerate 31").exit_code, 2);
}

}  // namespace
}  // namespace surefield
