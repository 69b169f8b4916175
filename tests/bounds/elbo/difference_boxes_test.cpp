#include "surefield/bounds/elbo/difference_boxes.hpp"

#include <gtest/gtest.h>

#include "surefield/api/generate.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

BranchAndBoundReport search_difference(const AnyModel& model, double beta, const Box& box,
                                       BranchAndBoundOptions how) {
  const auto parts = submodular_difference(model);
  how.rounding = pass_rounding(facts_with_parts(model, *parts, beta), model.size());
  return difference_boxes(model, *parts, beta, box, box.low, how);
}

bool is_difference(const AnyModel& model) {
  if (is_estimated(model)) return false;
  const auto parts = submodular_difference(model);
  return parts && parts->taken;
}

/// One box, some boxes and many against a grid and moves along coordinates, which know nothing of parts.
void check_bounds(const AnyModel& model, std::uint64_t seed, int& problems, int& closed) {
  if (!is_difference(model)) return;
  SCOPED_TRACE(::testing::Message() << model.kind() << ", seed " << seed);
  Random random(seed);
  const double beta = std::array{0.5, 1.0, 4.0}[seed % 3];
  const Box box =
      seed % 2 == 0 ? testing::random_box(model.size(), random) : unit_box(model.size());
  const double best = testing::global_maximum(
      [&](std::span<const double> x) { return Elbo(model.at(x), beta).value(); }, box, 4);
  double last = kInfinity;
  for (const std::size_t nodes : {1, 20, 500}) {
    const auto proof =
        search_difference(model, beta, box, {.relative_gap = 1e-5, .nodes = nodes}).report;
    require_inside(box, proof.point);
    ASSERT_GE(*proof.upper_bound, best - 1e-12 * (1 + beta * model.facts().magnitude));
    ASSERT_GE(*proof.upper_bound, proof.value);
    ASSERT_LE(*proof.upper_bound, last);
    last = *proof.upper_bound;
    closed += nodes == 500 && proof.status == Status::kConverged;
  }
  ++problems;
}

TEST(DifferenceBoxes, NoPointOfABoxIsAboveItsBoundInAnyFamily) {
  int problems = 0, closed = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (Index kind = 0; kind < testing::kAllKinds; ++kind) {
      const Index n = 1 + (seed + kind) % 5;
      const AnyModel model = testing::random_any_model(kind, n, seed);
      check_bounds(model, seed, problems, closed);
      check_bounds(
          make_weighted_sum(n, {{-0.5, model}, {1, testing::random_any_model(0, n, seed)}}), seed,
          problems, closed);
      check_bounds(testing::random_fldc(n, 2, 1 + kind % 3, seed), seed + 1, problems, closed);
    }
  EXPECT_GE(problems, 600);
  EXPECT_GE(closed, problems * 9 / 10) << "of " << problems;
}

TEST(DifferenceBoxes, ProveTheBestPointOfLargeFldcs) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const AnyModel model =
        generate("fldc", {.items = 60, .groups = {}, .density = {}, .seed = seed});
    const auto proof = search_difference(model, 20, unit_box(60), {.nodes = 2000}).report;
    EXPECT_EQ(proof.status, Status::kConverged) << seed;
    EXPECT_LE(*proof.upper_bound, proof.value * (1 + 2e-6)) << seed;
    EXPECT_GT(proof.value, 0) << seed;  // of the empty set
  }
}

TEST(DifferenceBoxes, HoldForWeightsOfManyDecades) {
  int tight = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const AnyModel model = testing::random_fldc(5, 2, 2, seed, true);
    if (!is_difference(model)) continue;
    SCOPED_TRACE(seed);
    const auto proof = search_difference(model, 1, unit_box(5), {.nodes = 100}).report;
    const double best = testing::global_maximum(
        [&](std::span<const double> x) { return Elbo(model.at(x)).value(); }, unit_box(5), 3);
    EXPECT_GE(*proof.upper_bound, best - 1e-13 * (1 + model.facts().magnitude));
    tight += *proof.upper_bound < best + 1e-3 * (1 + model.facts().magnitude);
  }
  EXPECT_GE(tight, 20);
}

TEST(DifferenceBoxes, GiveTheSameBitsOnAnyNumberOfThreads) {
  const AnyModel model = generate("fldc", {.items = 30, .groups = {}, .density = {}, .seed = 2});
  const auto run = [&](unsigned threads) {
    return search_difference(
        model, 5, unit_box(30),
        {.relative_gap = 0, .nodes = 150, .budget = Budget().with_threads(threads)});
  };
  const auto one = run(1);
  EXPECT_GT(one.nodes, 100U);
  for (const unsigned threads : {2U, 8U}) {
    const auto many = run(threads);
    EXPECT_EQ(many.report.upper_bound, one.report.upper_bound);
    EXPECT_EQ(many.report.point, one.report.point);
    EXPECT_EQ(many.nodes, one.nodes);
  }
}

TEST(DifferenceBoxes, StopAtOnceAndKeepWhatIsKnown) {
  const AnyModel model = generate("fldc", {.items = 30, .groups = {}, .density = {}, .seed = 2});
  const auto stopped =
      search_difference(model, 5, unit_box(30), {.budget = Budget().within(0), .known_bound = 1e6});
  EXPECT_EQ(stopped.report.status, Status::kInterrupted);
  EXPECT_EQ(stopped.report.upper_bound, 1e6);
}

TEST(DifferenceBoxes, RefuseWhatIsNoDifference) {
  const AnyModel model = make_flid({1, 1}, {1, 2}, 1);
  const auto parts = submodular_difference(model);
  EXPECT_EQ(testing::refusal([&] {
              difference_boxes(model, *parts, 1, unit_box(2), std::vector<double>(2, 0.5));
            }),
            "difference: nothing is taken away");
}

}  // namespace
}  // namespace surefield
