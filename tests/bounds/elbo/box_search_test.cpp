#include "surefield/bounds/elbo/box_search.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_any_model.hpp"

namespace surefield {
namespace {

TEST(BoxSearch, FindsAndProvesTheOptimumOfSmallProblemsOfEveryFamily) {
  int closed = 0;
  int problems = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const AnyModel any =
        testing::random_any_model(seed % (testing::kBasicKinds + 1), seed % 5, seed);
    if (is_estimated(any) || submodularity_violation(any)) continue;
    SCOPED_TRACE(::testing::Message() << kind_of(any) << ", seed " << seed);
    [&](const AnyModel& model) {
      const Index n = model.size();
      Random random(seed);
      Box box = unit_box(n);
      if (seed % 2 == 0)
        for (Index i = 0; i < n; ++i)
          box.low[i] = random.uniform(0, 0.3), box.high[i] = random.uniform(0.3, 1);
      const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
      const auto proof =
          box_search(
              at, box, box.low,
              {.relative_gap = 1e-4, .nodes = 300, .rounding = pass_rounding(model.facts(), n)})
              .report;
      require_inside(box, proof.point);
      for (int k = 0; k < 10; ++k) {
        std::vector<double> x(n);
        for (Index i = 0; i < n; ++i) x[i] = box[i].clamp(random.uniform(box.low[i], box.high[i]));
        const double found =
            coordinate_ascent(at(x), box, Order::natural(n), {.epochs = 100}).value;
        ASSERT_LE(found, *proof.upper_bound);
      }
      ++problems;
      closed += proof.status == Status::kConverged;
    }(any);
  }
  EXPECT_GT(closed, problems * 8 / 10) << "of " << problems;
}

TEST(BoxSearch, StopsWhenToldWithAValidInterval) {
  std::vector<Edge> edges;  // everything repels everything: many local optima, none of them obvious
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t j = i + 1; j < 8; ++j) edges.push_back({i, j, -2 - 0.01 * i});
  const PairwiseField model = make_pairwise_field(std::vector<double>(8, 4.0), edges);
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  const Box box = unit_box(8);
  const auto stopped =
      box_search(at, box, box.low, {.relative_gap = 1e-9}, [](const BranchAndBoundProgress& now) {
        return now.nodes < 5;
      }).report;
  EXPECT_EQ(stopped.status, Status::kInterrupted);
  EXPECT_GE(*stopped.upper_bound, stopped.value);
  const auto further = box_search(at, box, box.low, {.relative_gap = 1e-2, .nodes = 2000}).report;
  EXPECT_LE(*further.upper_bound, *stopped.upper_bound);
  EXPECT_LE(further.value, *stopped.upper_bound);
  const auto known =
      box_search(at, box, box.low, {.nodes = 1, .known_bound = further.value + 0.5}).report;
  EXPECT_LE(*known.upper_bound, further.value + 0.5);
}

// Everything repels everything: no box is easy.
PairwiseField repelling(Index n) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j) edges.push_back({i, j, -2 - 0.01 * i});
  return make_pairwise_field(std::vector<double>(n, static_cast<double>(n) / 2), edges);
}

TEST(BoxSearch, GivesTheSameBitsOnAnyNumberOfThreads) {
  const PairwiseField model = repelling(9);
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  const auto run = [&](unsigned threads) {
    return box_search(at, unit_box(9), std::vector<double>(9, 0),
                      {.nodes = 300, .budget = Budget().with_threads(threads)});
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.nodes, 300U);
  EXPECT_EQ(one.report.upper_bound, three.report.upper_bound);
  EXPECT_EQ(one.report.point, three.report.point);
}

// Boxes that may not wait are remembered by their bound: it goes on with the others, and is never below the best.
TEST(BoxSearch, GivesUpTheLeastPromisingWhereTooManyWait) {
  const PairwiseField model = repelling(7);
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x)); };
  const auto run = [&](std::size_t open) {
    return box_search(at, unit_box(7), std::vector<double>(7, 0),
                      {.relative_gap = 1e-3, .nodes = 4000, .open_nodes = open});
  };
  const auto all = run(20000), few = run(16), some = run(200);
  for (const auto& given_up : {few, some}) {
    EXPECT_GE(*given_up.report.upper_bound, all.report.value);
    EXPECT_GE(*given_up.report.upper_bound, *all.report.upper_bound);
    EXPECT_EQ(given_up.report.status, Status::kEpochLimit);
    EXPECT_GT(given_up.nodes, 32U);  // it did not end where the room did
  }
}

}  // namespace
}  // namespace surefield
