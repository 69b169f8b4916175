#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/model_table.hpp"
#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

TEST(Cli, HelpNamesEveryCommandAndEveryCommandHasAnExample) {
  const Program surefield;
  const Outcome help = surefield("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"infer", "logz", "sample", "fit", "evaluate", "agree", "recommend",
                              "convert", "generate", "list", "reproduce", "report", "best-set"}) {
    EXPECT_TRUE(has(help.out, command));
    const Outcome own = surefield(std::string(command) + " --help");
    EXPECT_EQ(own.exit_code, 0);
    EXPECT_TRUE(has(own.out, "Example:")) << own.out;
  }
}

TEST(Cli, ListHasARowForEveryModelAlgorithmAndGenerator) {
  const Program surefield;
  const Outcome text = surefield("list");
  for (const auto& row : model_table()) EXPECT_TRUE(has(text.out, row.formula)) << row.kind;
  for (const auto& row : algorithm_table()) EXPECT_TRUE(has(text.out, row.name));
  const Json json = Json::parse(surefield("list --format json").out);
  EXPECT_EQ(json["models"].size(), model_table().size());
  EXPECT_EQ(json["generators"].size(), generator_table().size());
  EXPECT_TRUE(has(surefield("list --format csv").out, "model,flid,"));
}

TEST(Cli, EveryModelFamilyHasItsPage) {
  for (const auto& row : model_table())
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(SUREFIELD_SOURCE_DIR) / row.page))
        << row.page;
}

TEST(Cli, InfersEveryGeneratedFamily) {
  const Program surefield;
  for (const auto& row : generator_table()) {
    SCOPED_TRACE(row.name);
    const Outcome made =
        surefield("generate " + std::string(row.name) + " --items 12 --quiet -o model.json");
    ASSERT_EQ(made.exit_code, 0) << made.err;
    EXPECT_EQ(made.err, "");
    const Outcome answer = surefield("infer model.json --format json --trace");
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    const Json json = Json::parse(answer.out);
    for (const char* key :
         {"surefield", "command", "model", "objective", "algorithm", "status", "elbo",
          "upper_bound", "certified_global", "log_z_lower", "log_z_upper", "log_z_exact",
          "marginals", "trace", "guarantee", "seed", "threads", "seconds"})
      EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json["marginals"].size(), json["model"]["n"]);
    EXPECT_GE(json["trace"].size(), 1U);
  }
}

TEST(Cli, GeneratesTheSameModelForTheSameSeed) {
  const Program surefield;
  EXPECT_EQ(surefield("generate coverage --seed 4").out,
            surefield("generate coverage --seed 4").out);
  EXPECT_NE(surefield("generate coverage --seed 4").out,
            surefield("generate coverage --seed 5").out);
}

TEST(Cli, ForcesItemsInAndOutByIdAndByName) {
  const Program surefield;
  surefield.write(
      "named.json",
      R"({"surefield": "1", "kind": "pairwise", "constant": 0, "items": ["crib", "swing", "a,b"],
    "bias": [0.1, 0.2, 0.3], "edges": [[0, 1, -1]]})");
  const Json json = Json::parse(surefield("infer named.json --in crib --out 1 --format json").out);
  EXPECT_EQ(json["marginals"][0], 1.0);
  EXPECT_EQ(json["marginals"][1], 0.0);
  EXPECT_TRUE(has(surefield("infer named.json --format csv").out, "2,\"a,b\",0.574"));
  const Outcome unknown = surefield("infer named.json --in cot");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_TRUE(has(unknown.err, "--in: 'cot' is not ")) << unknown.err;
  const Outcome both = surefield("infer named.json --in crib --out crib");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_EQ(both.err, "surefield: --out: item 'crib' is bounded to [1, 1] already\n");
}

TEST(Cli, TakesOrderStartAndHintFromFiles) {
  const Program surefield;
  surefield.write("pair.json", R"({"surefield": "1", "kind": "pairwise", "bias": [3, 3],
    "items": ["crib", "high chair"], "edges": [[0, 1, -6]]})");
  const auto marginals = [&](const std::string& arguments) {
    const Outcome outcome = surefield("infer pair.json --format json " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return Json::parse(outcome.out)["marginals"].get<std::vector<double>>();
  };
  // Whichever of two items that repel each other is settled first is the one that is in.
  surefield.write("forward.txt", "crib\nhigh chair\n");
  surefield.write("backward.json", "[1, \"crib\"]");
  const std::string ascent = "-a coordinate-ascent ";
  EXPECT_GT(marginals(ascent + "--order-file forward.txt")[0], 0.9);
  EXPECT_GT(marginals(ascent + "--order-file backward.json")[1], 0.9);
  // Coordinate ascent stays where it starts, and moves into the box first.
  surefield.write("second.txt", "0.1\n0.9\n");
  EXPECT_GT(marginals(ascent + "--start-file second.txt")[1], 0.9);
  const Outcome result = surefield("infer pair.json --out crib -o result.json --format json");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(marginals(ascent + "--start-file result.json")[1], 0.9);
  EXPECT_EQ(marginals(ascent + "--start-file result.json --in crib")[0], 1);
  EXPECT_EQ(marginals("--start-file result.json --in crib")[0], 1) << "best takes it as well";
  // Guarded follows its hint as far as it may; both here are as good as the other.
  surefield.write("first.json", "[1, 0]");
  EXPECT_GT(marginals("-a guarded --polish --hint-file first.json")[0], 0.9);
  EXPECT_GT(marginals("-a guarded --polish --hint-file result.json")[1], 0.9);

  const auto refused = [&](const std::string& arguments) {
    const Outcome outcome = surefield("infer pair.json " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  surefield.write("bad.txt", "crib\ncot\n");
  EXPECT_EQ(refused("--order-file bad.txt"),
            "surefield: bad.txt:2: found 'cot', expected the name of one of 2 items\n");
  EXPECT_EQ(refused("--start-file bad.txt"),
            "surefield: bad.txt:1: found 'crib', expected a number from 0 to 1\n");
  EXPECT_EQ(refused("-a equalised --start-file second.txt"),
            "surefield: --start-file: the algorithm is equalised, but this option is for best and "
            "coordinate-ascent\n");
  EXPECT_EQ(refused("--hint-file second.txt"),
            "surefield: --hint-file: the algorithm is best, but this option is for guarded\n");
  EXPECT_TRUE(has(refused("--order natural --order-file forward.txt"), "--order"));
  EXPECT_TRUE(has(refused("--start low --start-file second.txt"), "--start"));
  EXPECT_TRUE(has(refused("-a coordinate-ascent --start-file none.txt"), "none.txt"));
}

TEST(Cli, ABoxFileNarrowsWhatTheModelAllows) {
  const Program surefield;
  surefield.write("pair.json", R"({"surefield": "1", "kind": "pairwise", "bias": [3, 3],
    "items": ["crib", "high chair"], "edges": []})");
  surefield.write("box.txt", "crib 0 0.25\nhigh chair 0.99 1\n");
  const Json answer = Json::parse(surefield("infer pair.json --box box.txt --format json").out);
  EXPECT_EQ(answer["marginals"], Json({0.25, 0.99}));  // free they would be sigmoid(3) = 0.953
  // What the model's file says holds as well: each end is the nearer of the two.
  surefield.write("boxed.json", R"({"surefield": "1", "kind": "pairwise", "bias": [3, -3, 3, -3],
    "edges": [], "box": {"low": [0, 0.25, 0, 0.5], "high": [0.5, 1, 0.75, 1]}})");
  surefield.write("box.txt", "0 0 0.75\n1 0 1\n2 0 0.625\n3 0.625 1\n");
  EXPECT_EQ(
      Json::parse(surefield("infer boxed.json --box box.txt --format json").out)["marginals"],
      Json({0.5, 0.25, 0.625, 0.625}));
}

TEST(Cli, ReadsPointsInTheUsersVariablesThoughTheModelIsFlipped) {
  // An attractive pair without bias has two optima, both in and both out; the model is run flipped.
  const Program surefield;
  surefield.write("pair.json", R"({"surefield": "1", "kind": "pairwise", "bias": [-4, -4],
    "edges": [[0, 1, 8]]})");
  for (const char* x : {"0.1", "0.9"}) {
    surefield.write("start.txt", std::string(x) + "\n" + x + "\n");
    const Json answer = Json::parse(
        surefield("infer pair.json -a coordinate-ascent --start-file start.txt --format json").out);
    for (const double p : answer["marginals"]) EXPECT_EQ(p > 0.5, std::string(x) == "0.9") << p;
    // The item that comes first follows the hint, the other one follows it: whichever is flipped.
    for (const char* order : {"0\n1\n", "1\n0\n"}) {
      surefield.write("order.txt", order);
      const Json guarded = Json::parse(
          surefield("infer pair.json -a guarded --order-file order.txt --hint-file start.txt "
                    "--format json")
              .out);
      for (const double p : guarded["marginals"]) EXPECT_EQ(p > 0.5, std::string(x) == "0.9") << p;
    }
  }
}

TEST(Cli, RefusesBadInputInOneLineWithExitCodeTwo) {
  const Program surefield;
  surefield.write("broken.json", "{\"surefield\": \"1\", \"kind\": \"flid\",\n \"utility\": [1, }");
  surefield.write("frustrated.json", R"({"surefield": "1", "kind": "pairwise", "bias": [0, 0, 0],
    "edges": [[0, 1, -1], [1, 2, -1], [0, 2, 1]]})");
  for (const std::string arguments :
       {"", "frobnicate", "infer", "infer missing.json", "infer broken.json",
        "infer frustrated.json --no-guarantee --algorithm magic",
        "infer frustrated.json --no-guarantee --beta -1", "generate nothing",
        "generate flid --density 7", "convert broken.json out.uai", "generate flid --to pdf",
        "generate flid -o model.unknown"}) {
    const Outcome outcome = surefield(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_TRUE(outcome.err.starts_with("surefield: ")) << arguments << ": " << outcome.err;
    EXPECT_FALSE(has(outcome.err, "terminate")) << outcome.err;
  }
  EXPECT_TRUE(has(surefield("infer broken.json").err, "broken.json:2"));
}

TEST(Cli, AnswersForAModelThatIsNotSubmodularAndSaysSo) {
  const Program surefield;
  surefield.write("frustrated.json", R"({"surefield": "1", "kind": "pairwise", "bias": [0, 0, 0],
    "edges": [[0, 1, -1], [1, 2, -1], [0, 2, 1]]})");
  const Outcome infer = surefield("infer frustrated.json");
  EXPECT_EQ(infer.exit_code, 0) << infer.err;
  EXPECT_TRUE(has(infer.err,
                  "no guarantee: the model is not submodular: pair 0-2 has coupling 1, which must "
                  "be <= 0"))
      << infer.err;
  EXPECT_TRUE(has(infer.out, "guarantee     none: the model is not submodular: pair 0-2"))
      << infer.out;
  EXPECT_EQ(surefield("infer frustrated.json --no-guarantee").err, "");
  const Outcome basket = surefield("recommend frustrated.json --have 0 --method gain");
  EXPECT_EQ(basket.exit_code, 0) << basket.err;
  EXPECT_TRUE(has(basket.out, "by gain: of each item if nothing else is put in")) << basket.out;
  EXPECT_TRUE(has(basket.out, "0.731059   1.000000  2")) << basket.out;  // sigmoid(1)
}

TEST(Cli, ConvertsBetweenFormatsAndKeepsTheAnswer) {
  const Program surefield;
  ASSERT_EQ(surefield("generate soft-grid --items 9 -o a.json").exit_code, 0);
  ASSERT_EQ(surefield("convert a.json b.uai").exit_code, 0);
  ASSERT_EQ(surefield("convert b.uai c.fg").exit_code, 0);
  ASSERT_EQ(surefield("convert c.fg d.json").exit_code, 0);
  const double first = Json::parse(surefield("infer a.json --format json").out)["elbo"];
  const double last = Json::parse(surefield("infer d.json --format json").out)["elbo"];
  EXPECT_NEAR(first, last, 1e-9);
  EXPECT_EQ(Json::parse(surefield("convert a.json -").out)["kind"], "pairwise");
}

TEST(Cli, WritesNothingWhereItCannot) {
  const Program surefield;
  const Outcome outcome = surefield("generate flid -o no/such/folder/model.json");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_TRUE(has(outcome.err, "no/such/folder")) << outcome.err;
}

TEST(Cli, GivesLogZFromBothSidesAndSamples) {
  const Program surefield;
  surefield("generate flid --items 14 -q -o model.json");
  const Json exact = Json::parse(surefield("logz model.json --format json").out);
  EXPECT_TRUE(exact["log_z_exact"]);
  EXPECT_TRUE(has(surefield("logz model.json").out, "exact\n"));
  EXPECT_TRUE(has(surefield("logz model.json --compare --format csv").out, "hoelder,upper,"));
  const Outcome sets = surefield("sample model.json -k 4 --seed 5");
  EXPECT_EQ(sets.exit_code, 0);
  EXPECT_EQ(std::count(sets.out.begin(), sets.out.end(), '\n'), 1 + 4);
  EXPECT_TRUE(has(sets.err, "perfect: independent"));
  EXPECT_EQ(sets.out, surefield("sample model.json -k 4 --seed 5").out);
  EXPECT_FALSE(
      Json::parse(surefield("sample model.json -k 2 --method gibbs --format json").out)["exact"]);
}

TEST(Cli, ReproducesOnlyWhatItHasTheModelsFor) {
  const Program surefield;
  const Outcome none = surefield("reproduce table1");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(has(none.err, "--data"));
  const Outcome wrong = surefield("reproduce certified --data /no/such/folder");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err, "surefield: /no/such/folder: there is no such folder of models\n");
}

TEST(Cli, SaysWhenItStoppedShort) {
  const Program surefield;
  surefield("generate hard-grid --items 400 -o grid.json");
  const Outcome stopped = surefield("infer grid.json --seconds 0");
  EXPECT_EQ(stopped.exit_code, 1);
  EXPECT_EQ(stopped.err, "infer: interrupted\n");
  EXPECT_TRUE(has(stopped.out, "interrupted"));
  EXPECT_EQ(surefield("infer grid.json --epochs 2").exit_code, 0) << "as many as were asked for";
}

}  // namespace
}  // namespace surefield
