#include "surefield/io/flid_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/random_flid.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

TEST(FlidFile, ByHand) {
  const auto [model, n_logz, seconds] = parse_flid("2 3 -0.5 0.25\r\n0.5 -1\n1 2 3\n4 5 6", "f");
  EXPECT_EQ(model.utility, (std::vector<double>{0.5, -1}));
  EXPECT_EQ(model.weights, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(model.dimensions, 3U);
  EXPECT_EQ(n_logz, -0.5);
  EXPECT_EQ(seconds, 0.25);
  // both items: 0.5 - 1 + max - sum in each dimension = -0.5 - 1 - 2 - 3
  EXPECT_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), -6.5);
  EXPECT_EQ(parse_flid("0 0 0 0\n\n", "f").model.size(), 0U);
}

TEST(FlidFile, WritesWhatItReads) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Flid model = testing::random_flid(seed % 7, seed % 4, seed, seed % 2 == 0);
    const auto again = parse_flid(flid_text(model, -1.0 / 3, 1e-9), "f");
    EXPECT_EQ(again.model.utility, model.utility) << seed;
    EXPECT_EQ(again.model.weights, model.weights) << seed;
    EXPECT_EQ(again.model.dimensions, model.dimensions) << seed;
    EXPECT_EQ(again.n_logz, -1.0 / 3);
    EXPECT_EQ(again.seconds, 1e-9);
  }
}

TEST(FlidFile, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_flid(text, "m.txt"); });
  };
  EXPECT_EQ(refusal("2 1 0 0\n1 x\n1\n1\n"), "m.txt:2: found 'x', expected a number (a utility)");
  EXPECT_EQ(refusal("2 1 0 0\n1 1\n1\nnan\n"),
            "m.txt:4: found 'nan', expected a finite number (a weight)");
  EXPECT_EQ(refusal("2 1 0 0\n1 1\n1\n"), "m.txt:4: the file ends, expected a number (a weight)");
  EXPECT_EQ(refusal("2 1 0 0\n1 1\n1\n1 1\n"),
            "m.txt:4: found '1', expected the end of the file after 2 rows of 1 weights");
  EXPECT_EQ(refusal("-2 1 0 0\n"),
            "m.txt:1: found '-2', expected a number of items, a whole number from 0");
  EXPECT_EQ(refusal("9999 1 0 0\n"),
            "m.txt:1: found '9999', but the rest of the file can hold at most 4 items");
  EXPECT_EQ(refusal("2 9999 0 0\n1 1\n"),
            "m.txt:1: found '9999', but the rest of the file can hold at most 2 dimensions");
  EXPECT_EQ(
      refusal("1 1 0 0\n1e308\n1e308\n"),
      "m.txt: flid: the sizes of all utilities and weights add up to inf, which must be finite");
}

TEST(FlidData, All270TrainedModelsHaveTheirSizes) {
  SUREFIELD_NEEDS_DATA("flid");
  const std::vector<std::pair<std::string, Index>> categories{
      {"furniture", 32}, {"carseats", 34}, {"safety", 36}, {"media", 58},   {"toys", 62},
      {"diaper", 100},   {"feeding", 100}, {"gear", 100},  {"bedding", 100}};
  Index files = 0;
  for (const auto& [category, items] : categories)
    for (const Index dimensions : {2, 3, 10})
      for (Index fold = 1; fold <= 10; ++fold) {
        const auto file = testing::shared_data(
            message("flid/", category, "_flid_d_", dimensions, "_fold_", fold, ".txt"));
        const auto read = read_flid(file.string());
        EXPECT_EQ(read.model.size(), items) << file;
        EXPECT_EQ(read.model.dimensions, dimensions) << file;
        EXPECT_LT(read.n_logz, 0) << file;
        EXPECT_EQ(submodularity_violation(read.model), std::nullopt) << file;
        ++files;
      }
  EXPECT_EQ(files, 270U);
}

TEST(FlidData, TheStoredLogNormaliserIsTheOneOfTheGoldenFile) {
  SUREFIELD_NEEDS_DATA("flid_golden/exact_lnZ_D2_D3.csv");
  std::ifstream golden(testing::shared_data("flid_golden/exact_lnZ_D2_D3.csv"));
  std::string line;
  std::getline(golden, line);  // model,n,D,exact_lnZ,nce_minus_n_logz
  Index rows = 0;
  while (std::getline(golden, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream row(line);
    std::string file;
    Index n = 0;
    Index d = 0;
    double exact = 0;
    double estimate = 0;
    row >> file >> n >> d >> exact >> estimate;
    EXPECT_NEAR(-read_flid(testing::shared_data("flid/" + file).string()).n_logz, estimate, 1e-8)
        << file;
    ++rows;
  }
  EXPECT_EQ(rows, 180U);
}

}  // namespace
}  // namespace surefield
