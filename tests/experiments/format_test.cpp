// The texts of the experiments, letter by letter, from numbers made up for it: nothing has to run.
#include <gtest/gtest.h>

#include "surefield/experiments/chart.hpp"
#include "surefield/experiments/synthetic.hpp"
#include "surefield/experiments/table1.hpp"

namespace surefield {
namespace {

Trajectory made_up(std::string_view algorithm, std::size_t points, double first) {
  Trajectory series;
  series.algorithm = algorithm;
  for (std::size_t e = 0; e < points; ++e)
    series.points.emplace_back(static_cast<double>(e), first + 0.5 * static_cast<double>(e));
  return series;
}

TEST(ExperimentText, AChartIsATableOfEpochsAndItsBoundsAreRoundedOutwards) {
  Chart chart;
  chart.id = "a,b";
  chart.figure = "Figure";
  chart.title = "gear, D = 2";
  chart.items = 100;
  chart.log_z = Interval{1.00001, 2.00001};
  chart.series = {made_up("short", 3, -100), made_up("ten times as long", 21, 1)};
  EXPECT_EQ(charts_text({chart}),
            "Figure\n\n"
            "gear, D = 2, n = 100: log Z 1.0000 to 2.0001, certified\n"
            "  epoch                            0         1         2\n"
            "  short                    -100.0000  -99.5000  -99.0000\n"
            "  ten times as long, x 10     1.0000    6.0000   11.0000\n\n");
  chart.series.pop_back();
  EXPECT_EQ(charts_csv({chart}),
            "figure,algorithm,epoch,value\n"
            "\"a,b\",short,0,-100\n\"a,b\",short,1,-99.5\n\"a,b\",short,2,-99\n"
            "\"a,b\",\"log Z, lower\",,1.0000100000000001\n"
            "\"a,b\",\"log Z, upper\",,2.0000100000000001\n");
}

TEST(ExperimentText, OfTheSyntheticOnesEveryValueStandsUnderItsDimension) {
  Synthetic synthetic;
  synthetic.repeats = 2;
  synthetic.complete = false;
  synthetic.log_z = {{10, 3, "log Z", 4.5, 0.25}, {10, 11, "log Z", 5.5, 0.125}};
  synthetic.values = {
      {10, 3, "one", 1, 0.5}, {10, 11, "one", 2, 0}, {10, 11, "another", 123.25, 0}};
  EXPECT_EQ(
      synthetic_text(synthetic),
      "synthetic FLID, W ~ U(0,1), u ~ 0.1 D U(0,1): mean and deviation of 2 repeats, seed 1\n\n"
      "n = 10\n"
      "  D                   3              11\n"
      "  one      1.000+-0.500    2.000+-0.000\n"
      "  another                123.250+-0.000\n"
      "  log Z    4.500+-0.250    5.500+-0.125\n\n"
      "trajectories of the first repeat\n\n"
      "0.0 s\n"
      "stopped early: the experiment is not complete\n");
}

TEST(ExperimentText, OfTable1TheColumnsThatNoRowHasAreLeftOut) {
  Table1 table;
  const auto add = [&](std::string_view solver, double value, double upper_bound) {
    table.values.push_back({.category = "furniture",
                            .items = 32,
                            .dimensions = 2,
                            .solver = solver,
                            .fold = 1,
                            .second_fold = 0,
                            .value = value,
                            .upper_bound = upper_bound});
  };
  for (const char* solver : {"Submodular-DoubleGreedy", "BSCB", "DR-DoubleGreedy"})
    add(solver, 1.5, 0);
  const std::string head =
      "ELBO, 10 folds: mean and deviation, = where the printed cell is the same to its last "
      "digit\n";
  EXPECT_TRUE(table1_text(table).starts_with(
      head +
      "category    n  D  Sub-DG          BSCB            DR-DG\n"
      "furniture  32  2  1.500+-0.000 !  1.500+-0.000 !  1.500+-0.000 !\n\n"))
      << table1_text(table);
  add("best", 2.5, 0);
  add("optimum", 2.50000019, 2.50000021);
  EXPECT_TRUE(table1_text(table).starts_with(
      head +
      "category    n  D  Sub-DG          BSCB            DR-DG             best  certified "
      "optimum     log Z\n"
      "furniture  32  2  1.500+-0.000 !  1.500+-0.000 !  1.500+-0.000 !  2.5000  2.500000 "
      "to 2.500001  -\n\n"))
      << table1_text(table);
}

}  // namespace
}  // namespace surefield
