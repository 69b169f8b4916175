// The whole way from public files to log Z: what is read wrongly does not come out right.
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/io/fg_file.hpp"
#include "surefield/io/uai_model.hpp"
#include "surefield/io/uai_results.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

TEST(UaiData, LogZAndMarginalsAreThePublishedOnes) {
  SUREFIELD_NEEDS_DATA("uai");
  struct Row {
    std::string name;
    double log_z;    // exact_lnZ_recomputed.csv
    bool marginals;  // compared too: where the tables are small
  };
  // The others give the same value as in that file, but their tables of 20 and more variables take
  // seconds.
  const std::vector<Row> rows{{"Grids_12", 697.8812055304, true},
                              {"Promedus_15", -8.3737467392, true},
                              {"Promedus_22", -5.7443402443, true},
                              {"Segmentation_12", -23.6872070585, false}};
  for (const auto& [name, log_z, marginals] : rows) {
    const auto file = testing::shared_data("uai/" + name + ".uai").string();
    const FactorGraph graph = read_uai(file);
    const Box evidence = read_uai_evidence(file + ".evid", graph.variables);
    const Elimination found = eliminate(graph, &evidence, {.limit = 20, .marginals = marginals});
    EXPECT_NEAR(found.log_z, log_z, 1e-8) << name;
    EXPECT_NEAR(found.log_z, read_uai_log_z(file + ".PR"), 5e-6 * std::abs(log_z)) << name;
    if (!marginals) continue;
    const auto published = read_uai_marginals(file + ".MAR");
    ASSERT_EQ(published.size(), found.marginals.size());
    for (Index i = 0; i < published.size(); ++i)
      EXPECT_NEAR(found.marginals[i], published[i], 2e-5) << name << " " << i;
  }
}

TEST(FgData, LogZOfTestfastIsThePublishedOne) {
  SUREFIELD_NEEDS_DATA("fg");
  const FactorGraph graph = read_fg(testing::shared_data("fg/testfast.fg").string());
  EXPECT_NEAR(eliminate(graph).log_z, 14.3282333, 1e-6);
}

}  // namespace
}  // namespace surefield
