// Experiments are the front doors called with what was asked for: each against its parts put together by hand.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "surefield/api/agreement.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/experiments/certified_optima.hpp"
#include "surefield/experiments/figures.hpp"
#include "surefield/experiments/hard_grid.hpp"
#include "surefield/experiments/paper_stream.hpp"
#include "surefield/experiments/trajectories.hpp"
#include "surefield/io/flid_file.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

double elbo_at(const Problem& problem, const std::vector<double>& x) {
  return Elbo(problem.model.at(x)).value();
}

TEST(ExperimentParts, APairOfCertifiedOptimaIsOfItsTwoFolds) {
  const testing::TemporaryFolder folder("certified-pair");
  const Flid a = testing::random_flid(6, 2, 1), b = testing::random_flid(6, 2, 2);
  folder.write("toys_flid_d_2_fold_1.txt", flid_text(a, 0));
  folder.write("toys_flid_d_2_fold_2.txt", flid_text(b, 0));
  const auto found = certified_optima({.folder = folder.text(), .seconds = 10}).problems;
  ASSERT_EQ(found.size(), 3U);
  const auto by_hand = [](const Problem& problem) {
    return infer(problem, {.certify = 10, .wanted_gap = 1e-6});
  };
  const std::array expected{by_hand(make_problem(a)), by_hand(make_problem(b)),
                            by_hand(agreement_problem(make_problem(a), make_problem(b)))};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found[k].value, expected[k].elbo, 1e-9) << k;
    EXPECT_NEAR(found[k].upper_bound, *expected[k].upper_bound, 1e-5) << k;
    EXPECT_EQ(found[k].agreement, k == 2);
  }
}

TEST(ExperimentParts, AHardGridIsCertifiedToTheGapAskedForAndNoFurther) {
  const Problem problem = make_problem(generate("hard-grid", {.items = 64, .seed = 1}));
  const auto bound = [&](double gap) {
    return *infer(problem, {.tolerance = 1e-8, .certify = 60, .wanted_gap = gap}).upper_bound;
  };
  const HardGrid grids = hard_grid({.side = 8, .seeds = 1, .seconds = 60, .wanted_gap = 0.01});
  EXPECT_EQ(grids.rows.at(0).upper_bound, bound(0.01));
  EXPECT_GT(bound(0.01), bound(1e-4) + 0.1) << "the gap makes no difference here";
}

TEST(ExperimentParts, TrajectoriesAreTheTracesOfInference) {
  const Problem problem = make_problem(testing::random_flid(12, 4, 3));
  Random random(3);
  std::vector<std::vector<Index>> orders;
  for (int epoch = 0; epoch < 3; ++epoch) orders.push_back(permutation(12, random));
  std::vector<double> start(12);
  for (double& x : start) x = random.uniform();
  const auto found = multi_epoch_trajectories(problem, orders, start);
  ASSERT_EQ(found.size(), 6U);
  EXPECT_EQ(found[0].points[0].second, elbo_at(problem, problem.box.low));
  EXPECT_EQ(found[1].points[0].second, elbo_at(problem, problem.box.high));
  EXPECT_EQ(found[2].points[0].second, elbo_at(problem, start));
  const std::array<std::pair<const char*, std::optional<double>>, 3> passes{
      {{"dg-mean-field-1/2", {}}, {"dg-mean-field-1/3", {}}, {"bscb-multiepoch", 1e-3}}};
  for (std::size_t k = 0; k < 3; ++k) {
    SCOPED_TRACE(passes[k].first);
    const auto trace = [&](std::optional<double> epsilon) {
      std::vector<std::pair<double, double>> points;
      InferOptions how{.algorithm = passes[k].first};
      how.given_order = orders;
      how.epochs = 2;
      how.epochs_given = how.trace = true;
      how.tolerance = 0;
      how.epsilon = epsilon;
      for (const TracePoint& now : infer(problem, how).trace)
        if (now.epoch > 1 && now.epoch == std::floor(now.epoch))
          points.emplace_back(now.epoch, now.value);
      return points;
    };
    const auto& points = found[3 + k].points;
    EXPECT_EQ(std::vector(points.begin() + 2, points.end()), trace(passes[k].second));
    if (passes[k].second) {
      EXPECT_NE(trace(1e-3), trace({})) << "epsilon makes no difference here";
    }
  }
}

TEST(ExperimentParts, EveryDimensionOfAFigureHasItsOwnRandomStart) {
  const testing::TemporaryFolder folder("figure-starts");
  for (const Index d : kPaperDimensions)
    folder.write("gear_flid_d_" + std::to_string(d) + "_fold_1.txt",
                 flid_text(testing::random_flid(100, d, d), 0));
  const Figures figures = reproduce_figures({.folder = folder.text(), .log_z_seconds = 0});
  const PaperStream stream = elbo_stream();
  const auto& starts = stream.at("gear").at({1, 0}).starts;
  std::size_t checked = 0;
  for (const Chart& chart : figures.charts)
    for (std::size_t d = 0; d < kPaperDimensions.size(); ++d) {
      if (chart.dimensions != kPaperDimensions[d]) continue;
      const Problem problem =
          read_paper_model(folder.text(), paper_category("gear"), chart.dimensions, 1);
      EXPECT_EQ(chart.series[2].points[0].second, elbo_at(problem, starts[d])) << chart.id;
      ++checked;
    }
  EXPECT_EQ(checked, 6U) << "in two figures";
}

}  // namespace
}  // namespace surefield
