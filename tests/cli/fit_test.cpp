#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

/// Cribs and beds exclude each other; a blanket goes with either.
std::string baskets() {
  std::string text;
  for (int k = 0; k < 20; ++k) text += "crib\nbed,blanket\ncrib,blanket\nbed\nblanket\n";
  return text + "crib,bed\n";
}

TEST(FitCommand, WritesAModelWithNamesThatInferUnderstands) {
  const Program surefield;
  surefield.write("sets.csv", baskets());
  for (const std::string model : {"flid", "modular", "dpp"}) {
    SCOPED_TRACE(model);
    const std::string training = model == "modular" ? "" : "--dims 2 --epochs 30 ";
    const Outcome done =
        surefield("fit sets.csv " + training + "--model " + model + " -o model.json");
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(done.out, "");
    EXPECT_TRUE(has(done.err, "sets: 101, distinct: 6, items: 3;")) << done.err;
    EXPECT_TRUE(has(done.err, "59.41 %  blanket")) << done.err;  // 60 of 101
    EXPECT_TRUE(has(done.err, "wrote model.json")) << done.err;
    const Json file = Json::parse(surefield.read("model.json"));
    EXPECT_EQ(file["items"], Json({"crib", "bed", "blanket"}));
    const Outcome answer = surefield("infer model.json --in crib --format json");
    ASSERT_EQ(answer.exit_code, 0) << answer.err;
    const auto marginals = Json::parse(answer.out)["marginals"].get<std::vector<double>>();
    EXPECT_EQ(marginals[0], 1);
    if (model != "modular") {
      EXPECT_LT(marginals[1], 0.2);  // one of 41 cribs comes with a bed
    }
  }
}

TEST(FitCommand, TheModelGoesToStdoutWithoutAFile) {
  const Program surefield;
  surefield.write("sets.csv", "1,2\n2\n3\n");
  const Outcome done = surefield("fit sets.csv --dims 1 --epochs 3 --quiet");
  EXPECT_EQ(done.exit_code, 0);
  EXPECT_EQ(done.err, "");
  EXPECT_EQ(Json::parse(done.out)["kind"], "flid");
  EXPECT_EQ(surefield("fit sets.csv --dims 1 --epochs 3 --quiet").out, done.out);
  EXPECT_NE(surefield("fit sets.csv --dims 1 --epochs 3 --quiet --seed 2").out, done.out);
}

TEST(FitCommand, FlidTextKeepsTheEstimateOfTheNormaliser) {
  const Program surefield;
  surefield.write("sets.csv", "1,2\n2\n3\n");
  ASSERT_EQ(surefield("fit sets.csv --dims 2 --epochs 3 --empty 0.01 -o model.flid").exit_code, 0);
  std::istringstream text(surefield.read("model.flid"));
  double items = 0;
  double dimensions = 0;
  double n_logz = 0;
  text >> items >> dimensions >> n_logz;
  EXPECT_EQ(items, 3);
  EXPECT_EQ(dimensions, 2);
  EXPECT_NEAR(n_logz, std::log(0.01), 1e-12);  // P(empty) = 1 / Z
  // Weights near 0 leave no room for a likelier empty set: that is said.
  const Outcome far = surefield("fit sets.csv --dims 2 --epochs 3 --empty 0.5 -o model.flid");
  EXPECT_EQ(far.exit_code, 0);
  EXPECT_TRUE(has(far.err, "the chance of the empty set is about 0.0")) << far.err;
}

TEST(FitCommand, AllFoldsAreTheSameOnEveryNumberOfThreads) {
  const Program surefield;
  surefield.write("sets.csv", baskets());
  const std::string how = "fit sets.csv --dims 1 --epochs 5 --folds 3 --format json ";
  const Outcome one = surefield(how + "-o 'one_{fold}.json'");
  const Outcome two = surefield(how + "--threads 3 -o 'two_{fold}.json'");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_EQ(two.exit_code, 0) << two.err;
  const Json summary = Json::parse(one.out);
  EXPECT_EQ(summary["surefield"], "1");
  EXPECT_EQ(summary["command"], "fit");
  ASSERT_EQ(summary["models"].size(), 3U);
  EXPECT_EQ(summary["seed"], 1);
  EXPECT_EQ(Json::parse(surefield(how + "--fold 1 --seed 7 -o seven.json").out)["seed"], 7);
  for (int fold = 1; fold <= 3; ++fold) {
    const std::string name = std::to_string(fold) + ".json";
    EXPECT_FALSE(surefield.read("one_" + name).empty());
    EXPECT_EQ(surefield.read("one_" + name), surefield.read("two_" + name));
    const Json& model = summary["models"][static_cast<std::size_t>(fold - 1)];
    EXPECT_EQ(model["fold"], fold);
    EXPECT_LE(model["held_out"]["log_likelihood_lower"], model["held_out"]["log_likelihood_upper"]);
    EXPECT_LT(model["held_out"]["log_likelihood_upper"], model["held_out"]["not_empty_upper"]);
  }
  ASSERT_EQ(surefield(how + "--fold 2 -o fold.json").exit_code, 0);
  EXPECT_EQ(surefield.read("fold.json"), surefield.read("one_2.json"));
}

TEST(FitCommand, OdditiesAreCounted) {
  const Program surefield;
  surefield.write("sets.csv", "1,2,2\n\n2\n7\n");
  const Outcome done = surefield("fit sets.csv --model modular -n 3 --skip-unknown -o m.json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(has(done.err, "1 blank lines, skipped")) << done.err;
  EXPECT_TRUE(has(done.err, "1 items more than once in a set")) << done.err;
  EXPECT_TRUE(has(done.err, "1 unknown items, left out")) << done.err;
  EXPECT_TRUE(has(done.err, "empty sets: 1")) << done.err;  // the one whose only item is unknown
}

TEST(FitCommand, RefusesInOneLineWithExitCodeTwo) {
  const Program surefield;
  surefield.write("sets.csv", "1,2\n2\n3\n");
  surefield.write("none.csv", "");
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Outcome outcome = surefield("fit " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_TRUE(has(outcome.err, why)) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  refused("none.csv", "none.csv: it holds no set, but at least one is needed");
  refused("sets.csv -n 2", "sets.csv:3: found '3', expected an item from 1 to 2");
  refused("sets.csv --folds 4 -o 'm{fold}.json'", "is 4, more than the 3 sets there are");
  refused("sets.csv --folds 3 -o m.json", "name the files by -o with {fold} in it");
  refused("sets.csv --folds 3 --fold 4 -o m.json", "--fold is 4, which must be from 1 to 3");
  refused("sets.csv --fold 1", "--fold 1 needs --folds");
  refused("sets.csv --format json", "name a file for the model with -o");
  refused("sets.csv -o model.strange", "model.strange: the ending says no format");
  refused("sets.csv --model modular --method nce", "a model 'modular' is not learned by 'nce'");
  refused("sets.csv --model dpp -o m.flid", "a log-det model cannot be written as flid");
}

TEST(FitCommand, LearnsPairsThatComeTogetherAndRecommendsThem) {
  const Program surefield;
  surefield.write("sets.csv", baskets());
  const Outcome done =
      surefield("fit sets.csv --model pairwise --folds 3 -o 'fold_{fold}.json' --format json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(has(done.err, "pairwise, items: 3, learned by pseudo-likelihood")) << done.err;
  EXPECT_TRUE(has(done.err, "all folds: hidden items of ")) << done.err;
  const Json first = Json::parse(done.out)["models"][0];
  EXPECT_EQ(first["kind"], "pairwise");
  EXPECT_GT(first["penalty"], 0);
  EXPECT_TRUE(first["hidden_items"]["popularity"].is_object());
  EXPECT_EQ(Json::parse(surefield.read("fold_1.json"))["items"], Json({"crib", "bed", "blanket"}));

  ASSERT_EQ(surefield("fit sets.csv --penalty 1 -o model.json").exit_code, 0);
  const Json file = Json::parse(surefield.read("model.json"));
  EXPECT_EQ(file["kind"], "pairwise");  // the penalty is for no other
  const Outcome next = surefield("recommend model.json --have crib -k 1 --format json");
  ASSERT_EQ(next.exit_code, 0) << next.err;
  EXPECT_EQ(Json::parse(next.out)["suggestions"][0]["name"], "blanket");
  ASSERT_EQ(surefield("fit sets.csv --penalty 1 --repulsive -o apart.json").exit_code, 0);
  const Outcome infer = surefield("infer apart.json --format json");
  EXPECT_EQ(infer.err, "");
  EXPECT_FALSE(has(Json::parse(infer.out)["guarantee"].get<std::string>(), "none"));
}

TEST(FitCommand, ChoosesTheFamilyWhereNothingSaysWhich) {
  const Program surefield;
  std::string pairs;
  for (int k = 0; k < 40; ++k) pairs += "ham,eggs\ntea,milk\nham\nmilk,eggs,ham\ntea\n";
  surefield.write("sets.csv", pairs);
  const Outcome done = surefield("fit sets.csv --epochs 20 -o model.json --format json");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  const Json model = Json::parse(done.out)["models"][0];
  EXPECT_TRUE(has(model["verdict"].get<std::string>(), "hidden items are ranked ")) << done.out;
  EXPECT_TRUE(has(done.err, "than by popularity: mean reciprocal rank")) << done.err;
  const Outcome select =
      surefield("select sets.csv --families modular,pairwise --folds 3 --model best.json");
  ASSERT_EQ(select.exit_code, 0) << select.err;
  EXPECT_TRUE(has(select.out, "co-occurrence")) << select.out;
  EXPECT_TRUE(has(select.err, "wrote best.json, ")) << select.err;
  EXPECT_EQ(surefield("select sets.csv --families magic").exit_code, 2);
  EXPECT_EQ(surefield("select sets.csv --families modular --dims 3").exit_code, 2);
  EXPECT_EQ(surefield("fit sets.csv --model modular --penalty 3").exit_code, 2);
}

}  // namespace
}  // namespace surefield
