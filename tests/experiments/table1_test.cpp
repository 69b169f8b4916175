#include "surefield/experiments/table1.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "surefield/experiments/numpy_random.hpp"
#include "surefield/experiments/printed_table1.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

TEST(NumpyRandom, DrawsWhatNumpyDraws) {
  // numpy.random.RandomState(99).permutation(32), the first order of the public data, furniture fold 1.
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

TEST(Table1, RefusesAFolderWithoutModels) {
  EXPECT_EQ(testing::refusal([] { reproduce_table1({.folder = "/no/such/folder"}); }),
            "/no/such/folder: there is no such folder of models");
}

}  // namespace
}  // namespace surefield
