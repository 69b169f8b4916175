#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

constexpr const char* kNamed =
    R"({"surefield": "1", "kind": "flid", "items": ["crib", "swing, blue", "mat"],
        "utility": [0.5, 0.1, -0.3], "weights": [[1, 0], [1, 0.2], [0, 1]]})";

TEST(CliEvaluate, JudgesGeneratedRegistriesByTheirTrueModel) {
  const Program surefield;
  ASSERT_EQ(surefield("generate registries --items 12 --dims 3 --sets 400 --truth truth.json "
                      "--names names.txt -q -o sets.csv")
                .exit_code,
            0);
  const Outcome text = surefield("evaluate truth.json sets.csv --training sets.csv --non-empty");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  for (const char* part :
       {"mean log-likelihood a set, certified", "over non-empty sets", "hit rate at 5",
        "by popularity", "mean reciprocal rank", "expected calibration error"})
    EXPECT_TRUE(has(text.out, part)) << part;
  const Json json =
      Json::parse(surefield("evaluate truth.json sets.csv --format json --threads 2").out);
  EXPECT_EQ(json["surefield"], "1");
  EXPECT_EQ(json["command"], "evaluate");
  EXPECT_EQ(json["sets"], 400);
  EXPECT_LE(json["log_likelihood_all_sets"]["lower"], json["log_likelihood_all_sets"]["upper"]);
  EXPECT_EQ(json["prediction_by_gain"]["hit_rates"].size(), 3U);
  EXPECT_TRUE(json["prediction_by_popularity"].is_null());
  EXPECT_EQ(json["calibration"]["items"].size(), 12U);
  const std::string csv = surefield("evaluate truth.json sets.csv --format csv --hide-one").out;
  EXPECT_TRUE(csv.starts_with("measure,scorer,lower,upper,standard_error,count\n"));
  EXPECT_TRUE(has(csv, "hit_rate_at_5,gain,"));
}

// Either item of the one set held out is hidden in turn. In the training sets the third item is the most frequent, so popularity puts the
// hidden one second; in the set held out it would be the first.
TEST(CliEvaluate, PopularityIsThatOfTheTrainingSets) {
  const Program surefield;
  surefield.write("model.json", kNamed);
  surefield.write("training.csv", "3\n3\n3,2\n3\n");
  surefield.write("held_out.csv", "1,2\n");
  const Outcome found = surefield(
      "evaluate model.json held_out.csv --training training.csv --first-id 1 --format json");
  ASSERT_EQ(found.exit_code, 0) << found.err;
  const Json popularity = Json::parse(found.out)["prediction_by_popularity"];
  EXPECT_EQ(popularity["mean_reciprocal_rank"]["mean"], 0.5);
  EXPECT_EQ(popularity["sets"], 1);
}

TEST(CliEvaluate, MatchesItemsByNameAndById) {
  const Program surefield;
  surefield.write("model.json", kNamed);
  surefield.write("by_name.csv", "mat,crib\n\"swing, blue\"\n");
  surefield.write("by_id.csv", "3,1\n2\n");
  surefield.write("other_order.csv", "1,2\n3\n");
  surefield.write("names.txt", "1 mat\n2 crib\n3 swing, blue\n4 lamp\n");
  const auto likelihood = [&](const std::string& arguments) {
    const Outcome outcome = surefield("evaluate model.json " + arguments + " --format json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out)["log_likelihood_all_sets"];
  };
  const Json by_name = likelihood("by_name.csv");
  EXPECT_EQ(by_name, likelihood("by_id.csv"));
  EXPECT_EQ(by_name, likelihood("other_order.csv --names names.txt"));

  surefield.write("strange.csv", "crib\nlamp,mat\n");
  const Outcome strange = surefield("evaluate model.json strange.csv");
  EXPECT_EQ(strange.exit_code, 2);
  EXPECT_TRUE(has(strange.err, "strange.csv:2")) << strange.err;
  EXPECT_TRUE(has(strange.err, "lamp")) << strange.err;
  const Outcome skipped = surefield("evaluate model.json strange.csv --skip-unknown");
  EXPECT_EQ(skipped.exit_code, 0);
  EXPECT_TRUE(has(skipped.err, "1 items unknown to the model, left out")) << skipped.err;
  surefield.write("four.csv", "1\n2,4\n");
  const Outcome fourth = surefield("evaluate model.json four.csv --names names.txt");
  EXPECT_EQ(fourth.exit_code, 2);
  EXPECT_EQ(fourth.err,
            "surefield: four.csv:2: found 'lamp', which the model does not have "
            "(--skip-unknown leaves it out)\n");
}

TEST(CliEvaluate, RefusesInOneLine) {
  const Program surefield;
  surefield.write("model.json", kNamed);
  surefield.write("unnamed.txt", "2 1 0 0\n0.25 -1\n3\n0.5\n");
  surefield.write("boxed.json", R"({"surefield": "1", "kind": "flid", "utility": [0.5, 0.1],
      "weights": [[1], [1]], "box": {"low": [0, 1], "high": [1, 1]}})");
  surefield.write("empty.csv", "");
  surefield.write("sets.csv", "1,2\n");
  surefield.write("three.csv", "1,3\n");
  surefield.write("names.txt", "1 a\n2 b\n3 c\n");
  const auto refused = [&](const std::string& arguments, std::string_view part) {
    const Outcome outcome = surefield("evaluate " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.starts_with("surefield: ") && has(outcome.err, part)) << outcome.err;
  };
  refused("model.json", "sets is required");
  refused("model.json missing.csv", "missing.csv");
  refused("model.json empty.csv", "empty.csv: it holds no set");
  refused("model.json sets.csv -q --first-id 1 --training empty.csv", "empty.csv: it holds no set");
  refused("unnamed.txt three.csv", "three.csv:1");
  refused("unnamed.txt sets.csv --names names.txt",
          "names.txt: it names 3 items, the model has 2 without names, which must be the same");
  refused("boxed.json sets.csv", "boxed.json: some items are bounded");
  refused("model.json sets.csv --bins 0", "--bins");
}

TEST(CliEvaluate, CountsBlankLinesAsAsked) {
  const Program surefield;
  surefield.write("model.json", kNamed);
  surefield.write("sets.csv", "mat\n\ncrib,mat\n");
  const auto sets = [&](const std::string& more) {
    return Json::parse(surefield("evaluate model.json sets.csv --format json " + more).out)["sets"];
  };
  EXPECT_EQ(sets(""), 2);
  EXPECT_EQ(sets("--blank empty"), 3);
  EXPECT_EQ(surefield("evaluate model.json sets.csv --blank refuse").exit_code, 2);
}

TEST(CliGenerate, RegistriesAreSetsWithTheirTruthAndNames) {
  const Program surefield;
  const Outcome made = surefield("generate registries --category camping --sets 50 --seed 9");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(std::count(made.out.begin(), made.out.end(), '\n'), 1 + 50);
  EXPECT_EQ(made.out, surefield("generate registries --category camping --sets 50 --seed 9").out);
  surefield("generate registries --items 20 --truth truth.json --names names.txt -o sets.csv");
  EXPECT_EQ(Json::parse(surefield.read("truth.json"))["items"].size(), 20U);
  EXPECT_TRUE(surefield.read("names.txt").starts_with("1 nursery: "));
  EXPECT_TRUE(has(surefield("list").out, "  sets of named products"));
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Outcome outcome = surefield("generate " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.err, "surefield: " + message + "\n");
  };
  refused("flid --sets 3", "--sets: the kind is flid, but this option is for registries");
  refused("registries --density 0.5",
          "--density: the kind is registries, but this option is for flid, fldc, "
          "facility-location, coverage, contested-coverage, soft-grid, hard-grid, cut, "
          "directed-cut, hypergraph-cut, "
          "gibbs, "
          "concave-over-modular and log-det");
  refused("registries --complements --truth t.json",
          "--truth: with --complements there is no true model to write");
  refused("registries --to uai", "--to: it has no effect without --truth");
}

}  // namespace
}  // namespace surefield
