// Cuts, certified: a tiny folder, in all formats.
#include "surefield/experiments/cuts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

/// A triangle of weights 3, 2, 2: the best cut is 5.
constexpr const char* kThreeNodes = "3 3\n1 2 3\n1 3 2\n2 3 2\n";

TEST(Cuts, OfATinyFolderAreCertifiedAndADamagedFileIsNamed) {
  const testing::TemporaryFolder folder("cuts");
  std::filesystem::create_directory(folder.path() / "maxcut_gset");
  folder.write("g05_60.0", kThreeNodes);
  folder.write("optimal_rudy.txt", "g05_60.1 7\ng05_60.0   5\n");
  folder.write("maxcut_gset/G1.txt", kThreeNodes);
  folder.write("maxcut_gset/G14.txt", "nonsense\n");
  folder.write("other.txt", kThreeNodes);
  std::vector<double> done;
  const Cuts graphs = cuts({.folder = folder.text(),
                            .seconds = 10,
                            .wanted_gap = 1e-6,
                            .betas = {1, 20},
                            .random_sizes = {5},
                            .progress = [&](double fraction) { done.push_back(fraction); }});
  EXPECT_TRUE(graphs.complete);
  EXPECT_EQ(done.size(), 8U);
  ASSERT_EQ(graphs.faults.size(), 2U);
  EXPECT_NE(graphs.faults[0].find("G14.txt"), std::string::npos);
  ASSERT_EQ(graphs.rows.size(), 6U);
  EXPECT_EQ(graphs.rows[1].name, "g05_60.0");
  EXPECT_EQ(graphs.rows[1].beta, 20);
  EXPECT_EQ(graphs.rows[1].best_cut, 5);
  EXPECT_EQ(graphs.rows[2].name, "G1");
  EXPECT_FALSE(graphs.rows[2].share());
  EXPECT_EQ(graphs.rows[5].name, "hard random, n = 5, density 0.4");
  for (const auto& row : graphs.rows) EXPECT_LE(*row.gap(), 1e-6) << row.name;
  // A point mass on the best cut is worth beta times the cut; no distribution is above log Z.
  for (const auto& row : {graphs.rows[0], graphs.rows[1]}) {
    EXPECT_GE(row.elbo, 5 * row.beta - 1e-9);
    EXPECT_LE(row.elbo, std::log(2 + 4 * std::exp(5 * row.beta) + 2 * std::exp(4 * row.beta)));
    EXPECT_EQ(*row.share(), row.elbo / (row.beta * 5));
  }
  const auto json = nlohmann::json::parse(cuts_json(graphs));
  EXPECT_EQ(json["experiment"], "cuts");
  EXPECT_EQ(json["rows"][1]["graph"], "g05_60.0");
  EXPECT_EQ(json["rows"][1]["elbo"].get<double>(), graphs.rows[1].elbo);
  EXPECT_TRUE(json["rows"][2]["best_cut"].is_null());
  EXPECT_TRUE(cuts_csv(graphs).starts_with(
      "graph,n,beta,elbo,upper_bound,gap,best_cut,share,seconds\ng05_60.0,3,1,"));
  EXPECT_NE(cuts_text(graphs).find("not certified: "), std::string::npos);
}

TEST(Cuts, StopWhenToldToAndRefuseAFolderWithoutGraphs) {
  const testing::TemporaryFolder folder("no-cuts");
  EXPECT_THROW(cuts({.folder = folder.text()}), Error);
  EXPECT_THROW(cuts({.folder = folder.text() + "/nobody"}), Error);
  folder.write("G22.txt", kThreeNodes);
  const Cuts graphs =
      cuts({.folder = folder.text(), .budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(graphs.complete);
  EXPECT_TRUE(graphs.rows.empty());
  EXPECT_NE(cuts_text(graphs).find("stopped early"), std::string::npos);
}

}  // namespace
}  // namespace surefield
