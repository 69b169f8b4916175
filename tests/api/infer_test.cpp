#include "surefield/api/infer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/model_table.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_truth.hpp"

namespace surefield {
namespace {

/// Small enough to enumerate.
GenerateOptions small(std::uint64_t seed) {
  return {.items = 9, .groups = 4, .density = 0.5, .seed = seed};
}

/// The best ELBO of many searches, by the multilinear extension summed over all sets: what no upper
/// bound may be below.
double best_known(const Problem& problem, const std::vector<double>& values, double beta) {
  double best = -kInfinity;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto x = infer(problem, {.algorithm = "coordinate-ascent",
                                   .inverse_temperature = beta,
                                   .start = seed == 1 ? "high" : "random",
                                   .seed = seed})
                       .marginals;
    double value = beta * reference::multilinear(values, x);
    for (const double v : x) value += entropy(v);
    best = std::max(best, value);
  }
  return best;
}

TEST(Infer, BoundsEveryFamilyFromTheRightSide) {
  for (const auto& row : generator_table())
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE(::testing::Message() << row.name << " seed " << seed);
      const Problem problem =
          make_problem(generate(row.name, small(seed)), {}, {}, {.no_guarantee = true});
      if (!problem.is_submodular()) continue;  // any_sign_test.cpp
      const auto values = reference::all_values(problem.model);
      for (const double beta : {0.5, 1.0, 2.0}) {
        const double log_z = reference::log_z(values, beta);
        for (const auto& algorithm : algorithm_table()) {
          const Result result = infer(
              problem, {.algorithm = std::string(algorithm.name), .inverse_temperature = beta});
          ASSERT_NE(result.status, Status::kFailed);
          for (const double p : result.marginals) ASSERT_TRUE(p >= 0 && p <= 1) << p;
          if (is_estimated(problem.model)) {
            EXPECT_FALSE(result.upper_bound) << "an estimate proves nothing";
            EXPECT_EQ(result.log_z_lower.has_value(), result.log_z_exact)
                << "a determinant, or nothing";
            if (result.log_z_exact) {
              EXPECT_NEAR(*result.log_z_lower, log_z, 1e-9);
            }
            continue;
          }
          EXPECT_LE(result.elbo, log_z + 1e-9) << algorithm.name;
          EXPECT_LE(*result.log_z_lower, log_z) << "a bound, rounding counted";
          if (result.log_z_exact) {
            EXPECT_NEAR(*result.log_z_lower, log_z, 1e-9 * (1 + std::abs(log_z)));
          } else {
            EXPECT_NEAR(*result.log_z_lower, result.elbo, 1e-9 * (1 + std::abs(result.elbo)));
          }
          if (result.upper_bound) {
            EXPECT_GE(*result.upper_bound, best_known(problem, values, beta) - 1e-9)
                << algorithm.name;
          }
        }
      }
    }
}

TEST(Infer, UndoesFlips) {
  // Two attracting variables with positive biases: both marginals are high, though the model is
  // flipped to run.
  const std::vector<Edge> edges{{0, 1, 2.0}};
  const Result result = infer(make_problem(make_pairwise_field({1, 1}, edges)), {});
  EXPECT_GT(result.marginals[0], 0.9);
  EXPECT_GT(result.marginals[1], 0.9);
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0],
            "1 of 2 variables were flipped to make the model log-submodular, and flipped back");
  EXPECT_TRUE(result.upper_bound.has_value());
}

TEST(Infer, ClaimsNothingOfTheAlgorithmWithoutSubmodularity) {
  const std::vector<Edge> edges{{0, 1, -1}, {1, 2, -1}, {0, 2, 1}};
  const PairwiseField field = make_pairwise_field({0, 0, 0}, edges);
  const Result result = infer(make_problem(field, {}, {}, {.no_guarantee = true}), {});
  // What needs no submodularity is still there.
  const double best = testing::best_field_elbo(field, unit_box(3), 1);
  EXPECT_GE(result.upper_bound.value(), best);
  EXPECT_LE(result.upper_bound.value(), reference::log_z(reference::all_values(field), 1));
  EXPECT_EQ(result.guarantee,
            "none: the model is not submodular: pair 0-2 has coupling 1, which must be <= 0 for a "
            "submodular field; the upper bound is proved by minimum cuts");
}

// In the user's variables, for the box and the temperature asked for, also where variables were flipped.
TEST(Infer, MarginalsOfTheSetsThemselvesContainTheTruth) {
  Box box = unit_box(6);
  box.fix(4, 1);
  box.fix(5, 0);
  const std::vector<Edge> edges{{0, 1, 2}, {1, 2, -1}, {2, 3, 1.5}, {0, 4, -0.5}, {3, 5, 1}};
  const PairwiseField field = make_pairwise_field({-1, 0.5, 0.25, -0.75, 1, 2}, edges);
  for (const double beta : {0.5, 2.0}) {
    const Result result =
        infer(make_problem(field, {}, box), {.inverse_temperature = beta, .quick_proof = true});
    const auto truth = testing::set_truth(field, box, beta);
    ASSERT_TRUE(result.set_marginals.has_value());
    EXPECT_TRUE(result.set_marginals->exact);
    ASSERT_EQ(result.set_marginals->in.size(), 6U);
    for (Index i = 0; i < 6; ++i) {
      const Interval in = result.set_marginals->in[i];
      EXPECT_LT(in.width(), 1e-9) << i;
      EXPECT_NEAR(in.low, truth.marginals[i], 1e-9) << i;
    }
    EXPECT_TRUE(result.log_z_exact);
    EXPECT_NEAR(result.log_z_lower.value(), truth.log_z, 1e-9);
  }
  EXPECT_FALSE(infer(make_problem(field, {}, box), {.algorithm = "bscb"}).set_marginals);
  box.high[0] = 0.5;  // it is not of sets
  EXPECT_FALSE(infer(make_problem(field, {}, box), {}).set_marginals);
}

// No second for the proof: none is made beyond what the run itself had.
TEST(Infer, CertifiesForAsLongAsItIsToldTo) {
  const Problem problem = make_problem(generate("hard-grid", {.items = 64, .seed = 3}));
  const Result none = infer(problem, {.certify = 0, .wanted_gap = 0});
  const Result some = infer(problem, {.certify = 20, .wanted_gap = 1e-6});
  EXPECT_EQ(none.status, Status::kShort);
  ASSERT_TRUE(none.upper_bound && some.upper_bound);
  EXPECT_GT(*none.upper_bound - none.elbo, 1e-3);
  EXPECT_LT(*some.upper_bound - some.elbo, 1e-4 * std::abs(some.elbo));
}

TEST(Infer, SaysThatThePassesOfBestGaveTheBound) {
  const PairwiseField field = testing::random_pairwise(2500, 0.002, 3);
  const Result result = infer(make_problem(field), {});
  EXPECT_EQ(result.upper_bound_method, "passes of double greedy");
}

TEST(Infer, KeepsToTheBox) {
  Box box = unit_box(4);
  box.fix(0, 1);
  box.fix(1, 0);
  const Result result = infer(make_problem(testing::random_pairwise(4, 1, 2), {}, box), {});
  EXPECT_EQ(result.marginals[0], 1);
  EXPECT_EQ(result.marginals[1], 0);
}

TEST(Infer, GivesTheSameAnswerForTheSameSeed) {
  const Problem problem = make_problem(testing::random_pairwise(9, 0.8, 4));
  const InferOptions options{
      .algorithm = "coordinate-ascent", .order = "shuffled", .start = "random", .seed = 9};
  EXPECT_EQ(infer(problem, options).marginals, infer(problem, options).marginals);
}

TEST(Infer, TracesEveryEpochWithItsTime) {
  const Result result = infer(make_problem(testing::random_pairwise(9, 0.8, 4)),
                              {.algorithm = "coordinate-ascent", .trace = true});
  ASSERT_GE(result.trace.size(), 2U);
  for (std::size_t k = 0; k < result.trace.size(); ++k) {
    EXPECT_EQ(result.trace[k].epoch, static_cast<double>(k + 1));
    EXPECT_TRUE(std::isnan(result.trace[k].top));
    EXPECT_GE(result.trace[k].seconds, k == 0 ? 0 : result.trace[k - 1].seconds);
    if (k > 0) {
      EXPECT_GE(result.trace[k].value, result.trace[k - 1].value - 1e-12);
    }
  }
  EXPECT_NEAR(result.trace.back().value, result.elbo, 1e-12);
}

TEST(Infer, TracesBothCurvesOfDoubleGreedyUntilTheyMeet) {
  const Result result = infer(make_problem(testing::random_pairwise(9, 0.8, 4)),
                              {.algorithm = "dg-mean-field-1/2", .trace = true});
  ASSERT_GT(result.trace.size(), 9U);
  for (Index k = 0; k < 9; ++k) {  // one entry a coordinate; the sum of the curves never falls
    EXPECT_NEAR(result.trace[k].epoch, static_cast<double>(k + 1) / 9, 1e-15);
    if (k == 0) continue;
    EXPECT_GE(result.trace[k].value + result.trace[k].top,
              result.trace[k - 1].value + result.trace[k - 1].top - 1e-12);
  }
  EXPECT_NEAR(result.trace[8].value, result.trace[8].top, 1e-12);
  EXPECT_EQ(result.trace[9].epoch, 2);
}

TEST(Infer, StopsWhenAskedWithTheBestPointSoFar) {
  InferOptions options;
  options.observer = [](TracePoint& now) { return now.epoch < 2; };
  const Result result = infer(make_problem(testing::random_pairwise(9, 0.8, 4)), options);
  EXPECT_EQ(result.status, Status::kInterrupted);
  EXPECT_TRUE(result.upper_bound.has_value());
}

TEST(Infer, HandlesNoItemsAndOne) {
  EXPECT_EQ(infer(make_problem(make_pairwise_field({}, {}, 1.5)), {}).elbo, 1.5);
  const Result one = infer(make_problem(make_pairwise_field({2.0}, {})), {});
  EXPECT_NEAR(one.elbo, softplus(2), 1e-12);
  EXPECT_TRUE(one.certified_global);
}

TEST(Infer, RefusesWhatItDoesNotKnow) {
  const Problem problem = make_problem(make_pairwise_field({2.0}, {}));
  EXPECT_EQ(testing::refusal([&] { infer(problem, {.order = "backwards"}); }),
            "order: 'backwards' is not known; there are auto, natural, shuffled, coloured");
  EXPECT_EQ(
      testing::refusal([&] { infer(problem, {.algorithm = "coordinate-ascent", .start = "top"}); }),
      "start: 'top' is not known; there are low, high, middle, random");
  EXPECT_EQ(testing::refusal([&] { infer(problem, {.inverse_temperature = -1}); }),
            "elbo: the inverse temperature is -1, which must be finite and > 0");
  EXPECT_EQ(testing::refusal([&] { infer(problem, {.tolerance = NAN}); }),
            "tolerance: it is nan, which must be finite and >= 0");
  EXPECT_EQ(testing::refusal([&] { infer(problem, {.algorithm = "magic"}); }).substr(0, 48),
            "algorithm: 'magic' is not known; there are best,");
}

TEST(Generate, CutsOfFewEdgesTakeTimeByTheirEdges) {
  // 2^40 pairs: one by one they would take an hour.
  const Index n = Index{1} << 20;
  const double density = 1e-7, pairs = static_cast<double>(n) * static_cast<double>(n - 1);
  for (const bool directed : {false, true}) {
    const AnyModel model = generate(directed ? "directed-cut" : "cut",
                                    {.items = n, .groups = {}, .density = density, .seed = 3});
    const auto edges = model.as<GraphCut>()->field.edges();
    const double mean = pairs * density / (directed ? 1 : 2);
    EXPECT_NEAR(static_cast<double>(edges.size()), mean, 6 * std::sqrt(mean));
    std::vector<std::size_t> quarter(4, 0);  // of either end: all alike
    for (const Edge& edge : edges) ++quarter[4 * edge.from / n], ++quarter[4 * edge.to / n];
    for (const std::size_t count : quarter)
      EXPECT_NEAR(static_cast<double>(count), mean / 2, 8 * std::sqrt(mean / 2));
  }
}

TEST(AlgorithmTable, IsTheTableOfTheReadme) {
  std::ifstream readme(std::filesystem::path(SUREFIELD_SOURCE_DIR) / "README.md");
  ASSERT_TRUE(readme);
  std::vector<std::string> shown;  // the rows of its section
  bool inside = false;
  for (std::string line; std::getline(readme, line);) {
    if (line.starts_with("## ")) inside = line == "## Algorithms";
    if (inside && line.starts_with("| `")) shown.push_back(line);
  }
  ASSERT_EQ(shown.size(), algorithm_table().size());
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const AlgorithmRow& row = algorithm_table()[k];
    const std::string start =
        message("| `", row.name, "` | ", row.guarantee, " | ", row.cost, " | ");
    EXPECT_EQ(shown[k].substr(0, start.size()), start);
    EXPECT_GT(shown[k].size(), start.size() + 3) << "when to use it";
  }
}

TEST(ModelTable, HasARowAndAPageForEveryFamily) {
  // One folder a family in models/, and one page each.
  std::size_t folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(SUREFIELD_SOURCE_DIR) / "surefield/models"))
    folders += entry.is_directory();
  EXPECT_EQ(model_table().size(), folders);
}

TEST(Infer, SaysItsSeedAndTemperature) {
  const Problem problem = make_problem(generate("flid", small(1)));
  const Result result = infer(problem, {.inverse_temperature = 1.5, .seed = 7});
  EXPECT_EQ(result.seed, 7U);
  EXPECT_EQ(result.inverse_temperature, 1.5);
}

}  // namespace
}  // namespace surefield
