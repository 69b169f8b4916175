// The program's folds and seeds are those of the library: nothing is lost between the two.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "surefield/api/cross_validation.hpp"
#include "surefield/api/select.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/models/flid/flid.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/split_vocabulary.hpp"

namespace surefield {
namespace {

using testing::Outcome;
using testing::Program;
using testing::split_vocabulary;
using Json = nlohmann::json;

TEST(ProgramLeak, FitHoldsOutTheFoldsOfItsSeed) {
  const Program surefield;
  const SetCollection data = split_vocabulary(60, 3, 4);
  surefield.write("sets.csv", sets_text(data));
  const std::string how = "fit sets.csv --model modular --folds 3 --seed 4 --format json ";
  const Outcome all = surefield(how + "-o model{fold}.json");
  ASSERT_EQ(all.exit_code, 0) << all.err;
  const Json rows = Json::parse(all.out)["models"];
  ASSERT_EQ(rows.size(), 3U) << all.out;
  FitOptions options;
  options.model = "modular";
  options.seed = 4;
  for (Index k = 0; k < 3; ++k) {
    const FoldFit by_hand =
        cross_validate(data, {.fit = options, .folds = 3, .fold = k + 1, .seed = 4}).at(0);
    const Json& held_out = rows[k]["held_out"];
    EXPECT_EQ(held_out["sets"], 20) << rows[k];
    EXPECT_EQ(held_out["log_likelihood_lower"].get<double>(), by_hand.held_out->lower) << rows[k];
    EXPECT_EQ(Json::parse(surefield.read("model" + std::to_string(k + 1) + ".json"))["utility"]
                  .get<std::vector<double>>(),
              by_hand.fit.model.as<Flid>()->utility);
  }
}

TEST(ProgramSeeds, AreHeardByEveryCommandThatDraws) {
  const Program surefield;
  surefield.write("sets.csv", sets_text(split_vocabulary(60, 3, 4)));
  surefield.write("model.json",
                  R"({"surefield":"1","kind":"flid","utility":[0,0.3,0.1,-0.2,0.4,0.2,0],)"
                  R"("weights":[[1],[0.5],[2],[0.1],[0.7],[0],[1]]})");
  for (const std::string command :
       {"fit sets.csv --dims 2 --epochs 3 --quiet",
        "select sets.csv --dims 0,1 --folds 3 --epochs 3 --format json --quiet",
        "sample model.json -k 30 --quiet", "logz model.json --compare --format json --quiet",
        "evaluate model.json sets.csv --hide-one --format json --quiet"}) {
    SCOPED_TRACE(command);
    const auto with = [&](const std::string& seed) {
      const Outcome done = surefield(command + " --seed " + seed);
      EXPECT_EQ(done.exit_code, 0) << done.err;
      Json out = Json::parse(done.out, nullptr, false);
      if (out.is_discarded()) return done.out;  // the sets of sample
      out.erase("seconds");
      out.erase("arguments");  // which name the seed
      for (const char* list : {"rows", "methods"})
        if (out.contains(list))
          for (Json& row : out[list]) row.erase("seconds");
      return out.dump();
    };
    const std::string first = with("1");
    EXPECT_EQ(with("1"), first);
    EXPECT_NE(with("2"), first);
  }
}

TEST(ProgramSeeds, AreWrittenWithEveryAnswer) {
  const Program surefield;
  surefield("generate flid --items 5 -q -o model.json");
  surefield.write("sets.csv", sets_text(split_vocabulary(60, 3, 4)));
  for (const std::string command :
       {"infer model.json", "recommend model.json", "best-set model.json", "sample model.json -k 3",
        "agree model.json model.json", "fit sets.csv --model modular -o fitted.json"}) {
    const Outcome done = surefield(command + " --format json --seed 9");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(Json::parse(done.out)["seed"], 9) << command;
  }
}

TEST(ProgramSeeds, TrainTheModelThatSelectWrites) {
  const Program surefield;
  const SetCollection data = split_vocabulary(60, 3, 4);
  surefield.write("sets.csv", sets_text(data));
  for (const std::uint64_t seed : {1U, 2U}) {
    const std::string how = " --epochs 4 --starts 1 --seed " + std::to_string(seed) + " -q ";
    ASSERT_EQ(surefield("select sets.csv -d 1 --folds 2" + how + "--model chosen.json").exit_code,
              0);
    ASSERT_EQ(surefield("fit sets.csv --model flid -d 1" + how + "-o fitted.json").exit_code, 0);
    EXPECT_EQ(surefield.read("chosen.json"), surefield.read("fitted.json")) << seed;
  }
}

}  // namespace
}  // namespace surefield
