#include "surefield/experiments/table1.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

#include "surefield/core/box.hpp"
#include "surefield/experiments/numpy_random.hpp"
#include "surefield/experiments/printed_table1.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

double golden_log_z(const std::string& model) {
  std::ifstream in(testing::shared_data("flid_golden/exact_lnZ_D2_D3.csv"));
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::vector<std::string> parts;
    for (std::string field; std::getline(fields, field, ',');) parts.push_back(field);
    if (parts[0] == model) return std::stod(parts[3]);
  }
  ADD_FAILURE() << model << " has no golden log Z";
  return 0;
}

TEST(NumpyRandom, DrawsWhatNumpyDraws) {
  // numpy.random.RandomState(99).permutation(32), the first order of the public data, furniture
  // fold 1.
  NumpyRandom random(99);
  EXPECT_EQ(random.permutation(32),
            (std::vector<Index>{27, 15, 13, 23, 19, 12, 22, 29, 14, 10, 26, 0, 2, 7,  24, 11,
                                6,  16, 21, 17, 30, 31, 20, 5,  4,  18, 28, 9, 8, 25, 3,  1}));
  for (int epoch = 0; epoch < 5; ++epoch) random.permutation(32);
  EXPECT_EQ(random.uniform(),
            0.49461296498373453);  // the first random start, furniture fold 1, D = 2
}

TEST(PrintedTable1, HasEveryCell) {
  EXPECT_EQ(printed_table1().size(), 39U);
  EXPECT_EQ(printed_table1()[0].elbo[2].mean, "3.035");
  EXPECT_EQ(printed_table1()[38].agreement[0].deviation, "0.312");
}

TEST(Table1, IsReproducedToTheLastPrintedDigitAndToTheGoldenValues) {
  SUREFIELD_NEEDS_DATA("flid");
  const Table1 table =
      reproduce_table1({.folder = testing::shared_data("flid").string(), .only_published = true});
  EXPECT_TRUE(table.faults.empty());
  EXPECT_EQ(table.values.size(), 810U + 3645U);
  EXPECT_NE(table1_text(table).find("162 of 162 printed cells reproduced to the last digit"),
            std::string::npos);
  const Table1 released = reproduce_table1({.folder = testing::shared_data("flid").string(),
                                            .only_published = true,
                                            .released_stream = true});
  // The csv has the golden files' rows, order and names; every value agrees to 1e-12.
  const std::string csv = table1_csv(released);
  std::istringstream ours(csv);
  std::size_t checked = 0;
  std::map<std::string, double> values;
  for (std::string line; std::getline(ours, line);)
    if (!line.starts_with("category"))
      values[line.substr(0, line.rfind(','))] = std::stod(line.substr(line.rfind(',') + 1));
  for (const char* file :
       {"flid_golden/published_elbo_1epoch.csv", "flid_golden/published_pa_elbo_1epoch.csv"}) {
    std::ifstream golden(testing::shared_data(file));
    std::string line;
    std::getline(golden, line);
    EXPECT_NE(csv.find(line), std::string::npos) << "header";
    for (; std::getline(golden, line); ++checked)
      ASSERT_NEAR(values.at(line.substr(0, line.rfind(','))),
                  std::stod(line.substr(line.rfind(',') + 1)), 1e-12);
  }
  EXPECT_EQ(checked, 4455U);
}

TEST(Table1, SaysWhatIsMissingOrDamagedAndReproducesTheRest) {
  SUREFIELD_NEEDS_DATA("flid");
  const auto folder = std::filesystem::temp_directory_path() / "surefield-table1-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const int fold : {1, 2}) {
    const std::string name = "furniture_flid_d_2_fold_" + std::to_string(fold) + ".txt";
    std::filesystem::copy_file(testing::shared_data("flid") / name, folder / name);
  }
  std::ofstream(folder / "furniture_flid_d_2_fold_3.txt") << "32 2 oops\n";
  const Table1 table = reproduce_table1({.folder = folder.string(), .only_published = true});
  EXPECT_EQ(table.values.size(), 3U * (2 + 1));
  ASSERT_EQ(table.faults.size(), 28U);
  EXPECT_NE(table.faults[0].find("fold_3.txt:1: found '32', but the rest of the file"),
            std::string::npos)
      << table.faults[0];
  EXPECT_NE(table.faults[1].find("fold_4.txt: cannot be read"), std::string::npos)
      << table.faults[1];
  std::filesystem::remove_all(folder);
}

TEST(Table1, HasLogZExactWhereItIsQuickAndCertifiedWhereAskedFor) {
  SUREFIELD_NEEDS_DATA("flid");
  const auto folder = std::filesystem::temp_directory_path() / "surefield-table1-log-z-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const int d : {2, 10})
    for (const int fold : {1, 2}) {
      const std::string name =
          "furniture_flid_d_" + std::to_string(d) + "_fold_" + std::to_string(fold) + ".txt";
      std::filesystem::copy_file(testing::shared_data("flid") / name, folder / name);
    }
  const auto log_z_of = [](const Table1& table) {
    std::map<std::tuple<Index, int, int>, Interval> found;
    for (const auto& value : table.values)
      if (value.solver == "log Z")
        found[{value.dimensions, value.fold, value.second_fold}] = {value.value, value.upper_bound};
    return found;
  };
  const Table1 quick = reproduce_table1({.folder = folder.string()});
  const auto exact = log_z_of(quick);
  ASSERT_EQ(exact.size(), 2U);
  // exact_lnZ_D2_D3.csv, furniture_flid_d_2_fold_1.txt
  EXPECT_LE(exact.at({2, 1, 0}).width(), 1e-9);
  EXPECT_NEAR(exact.at({2, 1, 0}).low, golden_log_z("furniture_flid_d_2_fold_1.txt"), 1e-9);
  ASSERT_EQ(quick.left_out.size(), 3U);
  EXPECT_NE(quick.left_out[0].find("media, "), std::string::npos);
  EXPECT_EQ(quick.left_out[2],
            "log Z of D = 10 and of pairs of folds: give --log-z SECONDS, a problem");

  const Table1 asked = reproduce_table1({.folder = folder.string(), .log_z = 10});
  const auto all = log_z_of(asked);
  ASSERT_EQ(all.size(), 2U * (2 + 1));  // two folds and their pair, at two dimensions
  for (const auto& [key, interval] : all) EXPECT_LE(interval.width(), 1e-3);
  for (const auto& value : asked.values)
    if (value.solver == "best") {
      EXPECT_LE(value.value, all.at({value.dimensions, value.fold, value.second_fold}).high);
    }
  EXPECT_NE(table1_csv(asked).find("furniture,32,10,\"log Z, upper\",1,2,"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Table1, JsonHoldsEveryCellBesideThePrintedOne) {
  SUREFIELD_NEEDS_DATA("flid");
  const Table1 table =
      reproduce_table1({.folder = testing::shared_data("flid").string(), .only_published = true});
  const auto json = nlohmann::json::parse(table1_json(table));
  EXPECT_EQ(json["experiment"], "table1");
  EXPECT_EQ(json["complete"], true);
  EXPECT_EQ(json["equal_cells"], 162);
  EXPECT_EQ(json["printed_cells"], 162);
  ASSERT_EQ(json["rows"].size(), 54U);  // nine categories, three dimensions, two objectives
  const auto& row = json["rows"][0];
  EXPECT_EQ(row["category"], "furniture");
  EXPECT_EQ(row["objective"], "elbo");
  EXPECT_EQ(row["problems"], 10);
  EXPECT_EQ(row["cells"][2]["solver"], "DR-DoubleGreedy");
  EXPECT_EQ(row["cells"][2]["printed_mean"], 3.035);
  EXPECT_EQ(row["cells"][2]["printed_std"], 0.059);
  EXPECT_NEAR(row["cells"][2]["mean"].get<double>(), 3.035, 5e-4);
  EXPECT_EQ(row["cells"][2]["equal"], true);
  EXPECT_TRUE(row["optimum"].is_null());
  EXPECT_TRUE(row["log_z"].is_null());
  EXPECT_EQ(json["rows"][27]["objective"], "pa-elbo");
  EXPECT_EQ(json["rows"][27]["problems"], 45);
}

TEST(Table1, RefusesAFolderWithoutModels) {
  EXPECT_EQ(testing::refusal([] { reproduce_table1({.folder = "/no/such/folder"}); }),
            "/no/such/folder: there is no such folder of models");
}

TEST(Table1, TheSecondsAreThoseOfThePublishedAlgorithms) {
  SUREFIELD_NEEDS_DATA("flid");
  const testing::TemporaryFolder folder("table1-seconds");
  const std::string name = "furniture_flid_d_2_fold_1.txt";
  std::filesystem::copy_file(testing::shared_data("flid") / name, folder.path() / name);
  const Table1 table = reproduce_table1({.folder = folder.text()});
  double published = 0, ours = 0;
  for (const auto& value : table.values) {
    const bool printed = value.solver == "Submodular-DoubleGreedy" || value.solver == "BSCB" ||
                         value.solver == "DR-DoubleGreedy";
    (printed ? published : ours) += value.seconds;
  }
  EXPECT_GT(ours, 0);
  EXPECT_DOUBLE_EQ(table.solver_seconds, published);
}

}  // namespace
}  // namespace surefield
