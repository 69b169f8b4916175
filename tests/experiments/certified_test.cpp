// The experiments beyond the paper: certified optima and hard grids, in all formats.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "surefield/experiments/certified_optima.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/hard_grid.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

using Json = nlohmann::json;

TEST(CertifiedOptima, NameADamagedFileAndCertifyTheRest) {
  SUREFIELD_NEEDS_DATA("flid");
  const auto folder = std::filesystem::temp_directory_path() / "surefield-certified-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const char* name : {"furniture_flid_d_2_fold_1.txt", "furniture_flid_d_2_fold_2.txt"})
    std::filesystem::copy_file(testing::shared_data("flid") / name, folder / name);
  std::ofstream(folder / "furniture_flid_d_2_fold_3.txt") << "nonsense\n";
  std::vector<double> done;
  const CertifiedOptima optima =
      certified_optima({.folder = folder.string(), .seconds = 10, .progress = [&](double fraction) {
                          done.push_back(fraction);
                        }});
  EXPECT_TRUE(optima.complete);
  EXPECT_EQ(done, (std::vector{0.25, 0.5, 0.75, 1.0}));
  ASSERT_EQ(optima.problems.size(), 3U);  // two folds and their pair
  for (const auto& optimum : optima.problems) EXPECT_LE(optimum.gap(), 1e-6);
  ASSERT_EQ(optima.faults.size(), 1U);
  EXPECT_NE(optima.faults[0].find("furniture_flid_d_2_fold_3.txt:1: "), std::string::npos);
  EXPECT_NE(certified_optima_text(optima).find("not certified: "), std::string::npos);
  const Json json = Json::parse(certified_optima_json(optima));
  EXPECT_EQ(json["experiment"], "certified");
  EXPECT_EQ(json["problems"][2]["objective"], "pa-elbo");
  EXPECT_EQ(json["problems"][2]["value"].get<double>(), optima.problems[2].value);
  EXPECT_GE(json["problems"][0]["upper_bound"].get<double>(),
            json["problems"][0]["value"].get<double>());
  EXPECT_EQ(certified_optima_json(optima).find("null"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(CertifiedOptima, TakeAllPairsOfFoldsOfTheCategoriesAskedFor) {
  SUREFIELD_NEEDS_DATA("flid");
  const auto folder = std::filesystem::temp_directory_path() / "surefield-all-pairs-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const char* name : {"furniture_flid_d_2_fold_1.txt", "furniture_flid_d_2_fold_2.txt",
                           "furniture_flid_d_2_fold_10.txt", "safety_flid_d_2_fold_1.txt"})
    std::filesystem::copy_file(testing::shared_data("flid") / name, folder / name);
  CertifiedOptimaOptions how{
      .folder = folder.string(), .seconds = 10, .all_pairs = true, .categories = {"furniture"}};
  const CertifiedOptima optima = certified_optima(how);
  std::vector<std::string> pairs;
  for (const auto& optimum : optima.problems)
    if (optimum.agreement) pairs.push_back(optimum.name);
  EXPECT_EQ(optima.problems.size(), 6U);  // three folds and their pairs
  EXPECT_EQ(pairs, (std::vector<std::string>{
                       "furniture_flid_d_2_fold_1.txt + furniture_flid_d_2_fold_2.txt",
                       "furniture_flid_d_2_fold_1.txt + furniture_flid_d_2_fold_10.txt",
                       "furniture_flid_d_2_fold_2.txt + furniture_flid_d_2_fold_10.txt"}));
  how.categories = {"nobody"};
  EXPECT_THROW(certified_optima(how), Error);
  std::filesystem::remove_all(folder);
}

TEST(CertifiedOptima, ABoundThatIsNotKnownIsNull) {
  CertifiedOptima optima;
  optima.problems.push_back(
      {.name = "a", .dimensions = 2, .value = 1, .upper_bound = INFINITY, .seconds = 0});
  const Json json = Json::parse(certified_optima_json(optima));
  EXPECT_TRUE(json["problems"][0]["upper_bound"].is_null());
  EXPECT_TRUE(json["problems"][0]["gap"].is_null());
}

TEST(CertifiedOptima, AreRowsOfATableWithEveryNumberInItsPlace) {
  CertifiedOptima optima;
  optima.problems = {
      {.name = "a", .dimensions = 2, .value = 1, .upper_bound = 1.5, .seconds = 0.25},
      {.name = "b",
       .dimensions = 3,
       .agreement = true,
       .value = 2,
       .upper_bound = 3,
       .seconds = 4}};
  EXPECT_EQ(certified_optima_csv(optima),
            "problem,objective,D,value,upper_bound,gap,seconds\n"
            "a,elbo,2,1,1.5,0.5,0.25\nb,pa-elbo,3,2,3,0.5,4\n");
}

TEST(HardGrid, BestIsAboveEveryStartAndBelowItsBoundInAllFormats) {
  const HardGrid grids = hard_grid({.side = 8, .seeds = 2, .seconds = 1});
  EXPECT_TRUE(grids.complete);
  ASSERT_EQ(grids.rows.size(), 2U);
  for (const auto& row : grids.rows) {
    for (const double value : row.starts) EXPECT_LE(value, row.best + 1e-6);
    EXPECT_GE(row.upper_bound, row.best);
  }
  const Json json = Json::parse(hard_grid_json(grids));
  EXPECT_EQ(json["experiment"], "hard-grid");
  EXPECT_EQ(json["rows"][1]["seed"], 2);
  EXPECT_EQ(json["rows"][1]["starts"]["middle"].get<double>(), grids.rows[1].starts[2]);
  EXPECT_EQ(json["rows"][1]["starts"].size(), 5U);
  EXPECT_TRUE(hard_grid_csv(grids).starts_with("seed,start,value\n1,low,"));
}

TEST(HardGrid, StopsWhenTold) {
  const HardGrid grids = hard_grid({.side = 8, .budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(grids.complete);
  EXPECT_TRUE(grids.rows.empty());
  EXPECT_EQ(Json::parse(hard_grid_json(grids))["complete"], false);
}

TEST(AllExperiments, HoldTheirPartsAndAddUpTheSeconds) {
  const std::vector<std::string> parts{
      json_text(experiment_json({.experiment = "synthetic", .seconds = 1.5})),
      json_text(experiment_json({.experiment = "table1", .seconds = 2}))};
  const Json json =
      Json::parse(all_experiments_json(parts, {.experiment = "all", .faults = {"a \xff file"}}));
  EXPECT_EQ(json["experiment"], "all");
  EXPECT_EQ(json["seconds"], 3.5);
  EXPECT_EQ(json["faults"].size(), 1U);
  EXPECT_EQ(json["experiments"][1]["experiment"], "table1");
}

}  // namespace
}  // namespace surefield
