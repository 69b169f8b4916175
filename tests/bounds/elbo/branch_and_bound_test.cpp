#include "surefield/bounds/elbo/branch_and_bound.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/bounds/elbo/term_parts.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/agreement.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// Items that exclude one another and are worth about the same: many local optima.
Flid rivals(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(0, 2);
  for (double& w : weights) w = random.uniform(0, 3);
  return make_flid(utility, weights, dimensions);
}

DualDecomposition<TermPart> dual_of(const AnyModel& model, double beta = 1) {
  return term_parts(model, beta).value().dual;
}

TEST(BranchAndBound, CertifiesTheGlobalMaximum) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(5);
    const double beta = seed % 3 == 0 ? 4 : 1;
    const Flid model = testing::random_flid(n, 1 + random.below(3), seed, seed % 5 == 0);
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i)
      if (random.chance(0.3)) {
        box.low[i] = random.uniform(0, 0.6);
        box.high[i] = random.chance(0.2) ? box.low[i] : random.uniform(box.low[i], 1);
      }
    const auto dual = dual_of(model, beta);
    const Elbo objective(model.at(box.low), beta);
    const auto result = branch_and_bound(objective, dual, box);
    const double best =
        testing::global_maximum([&](std::span<const double> x) { return dual.value(x); }, box);
    EXPECT_EQ(result.report.status, Status::kConverged);
    EXPECT_GE(*result.report.upper_bound, best);
    EXPECT_GE(result.report.value, best - 1e-6 * std::abs(best) - 1e-8);
    EXPECT_LE(*result.report.upper_bound - result.report.value,
              std::max(1.001e-9, 1.001e-6 * std::abs(result.report.value)));
    EXPECT_NEAR(dual.value(result.report.point), result.report.value, 1e-9);
    require_inside(box, result.report.point);
  }
}

TEST(BranchAndBound, CertifiesTheAgreementOfTwoModels) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 12;
    const Flid a = testing::random_flid(n, 3, seed), b = testing::random_flid(n, 3, seed + 50);
    const auto dual = dual_of(make_weighted_sum(n, {{1, a}, {1, b}}));
    const std::vector<double> start(n, 0.5);
    const Agreement objective(a.at(start), b.at(start));
    std::vector<BranchAndBoundProgress> seen;
    const auto result = branch_and_bound(objective, dual, unit_box(n), {.relative_gap = 1e-4},
                                         [&](const BranchAndBoundProgress& now) {
                                           seen.push_back(now);
                                           return seen.size() < 400;
                                         });
    Random random(seed);
    double best = -kInfinity;  // of many local searches
    for (int start_number = 0; start_number < 30; ++start_number) {
      std::vector<double> x(n);
      for (double& u : x) u = random.uniform();
      best = std::max(
          best,
          coordinate_ascent(Agreement(a.at(x), b.at(x)), unit_box(n), Order::natural(n)).value);
    }
    EXPECT_GE(*result.report.upper_bound, best);
    EXPECT_GE(result.report.value, best - 1.01e-4 * std::abs(best));
    for (std::size_t k = 0; k < seen.size(); ++k) {
      EXPECT_GE(seen[k].upper_bound, best) << k;
      EXPECT_LE(seen[k].value, *result.report.upper_bound) << k;
      if (k > 0) {
        EXPECT_LE(seen[k].upper_bound, seen[k - 1].upper_bound) << k;
        EXPECT_GE(seen[k].value, seen[k - 1].value) << k;
      }
    }
  }
}

TEST(BranchAndBound, BranchesToTheSameAnswerWhereTheRootDoesNotClose) {
  // No dual iterations but the first two, so that the tree must do the work.
  std::size_t nodes = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const Flid model = rivals(6, 4, seed);
    const auto dual = dual_of(model, 2);
    const Elbo objective(model.at(std::vector<double>(6, 0.5)), 2);
    const auto whole = branch_and_bound(objective, dual, unit_box(6), {.relative_gap = 1e-5});
    const auto tree =
        branch_and_bound(objective, dual, unit_box(6),
                         {.relative_gap = 1e-2, .root_iterations = 2, .node_iterations = 2});
    EXPECT_EQ(tree.report.status, Status::kConverged);
    EXPECT_NEAR(tree.report.value, whole.report.value, 1.1e-2 * std::abs(whole.report.value));
    EXPECT_GE(*tree.report.upper_bound, whole.report.value);
    EXPECT_GE(*whole.report.upper_bound, tree.report.value);
    nodes += tree.nodes;
    // Four boxes may wait: the others are given up, and their bound counts.
    const auto narrow = branch_and_bound(objective, dual, unit_box(6),
                                         {.relative_gap = 1e-5,
                                          .nodes = 200,
                                          .open_nodes = 4,
                                          .root_iterations = 2,
                                          .node_iterations = 2});
    EXPECT_GE(*narrow.report.upper_bound, whole.report.value - 1e-9);
  }
  EXPECT_GT(nodes, 8u);
}

TEST(BranchAndBound, StopsWhenToldWithAValidInterval) {
  const Flid model = rivals(15, 6, 3);
  const auto dual = dual_of(model, 2);
  const Elbo objective(model.at(std::vector<double>(15, 0.5)), 2);
  const auto stopped = branch_and_bound(objective, dual, unit_box(15), {.relative_gap = 1e-12},
                                        [](const BranchAndBoundProgress&) { return false; });
  EXPECT_EQ(stopped.report.status, Status::kInterrupted);
  EXPECT_TRUE(std::isfinite(*stopped.report.upper_bound));
  const auto limited = branch_and_bound(objective, dual, unit_box(15),
                                        {.relative_gap = 0,
                                         .absolute_gap = 0,
                                         .nodes = 3,
                                         .root_iterations = 3,
                                         .node_iterations = 1});
  EXPECT_EQ(limited.report.status, Status::kEpochLimit);
  EXPECT_LE(limited.nodes, 3u);
  EXPECT_GE(*limited.report.upper_bound, stopped.report.value);
  EXPECT_GE(*stopped.report.upper_bound, limited.report.value);
}

TEST(BranchAndBound, TheThreadsDoNotMatter) {
  const Flid model = rivals(10, 5, 7);
  const auto run = [&](unsigned threads) {
    const auto dual = dual_of(model, 2);
    return branch_and_bound(Elbo(model.at(std::vector<double>(10, 0.5)), 2), dual, unit_box(10),
                            {.relative_gap = 1e-4, .budget = Budget().with_threads(threads)});
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.report.value, three.report.value);
  EXPECT_EQ(one.report.point, three.report.point);
  EXPECT_EQ(*one.report.upper_bound, *three.report.upper_bound);
}

/// The best value that coordinate ascent finds from many points.
double best_found(const AnyModel& model, double beta, const Box& box, std::uint64_t seed) {
  Random random(seed);
  double best = -kInfinity;
  for (int start = 0; start < 30; ++start) {
    std::vector<double> x(model.size());
    for (Index i = 0; i < x.size(); ++i)
      x[i] = start == 0 ? box.low[i] : start == 1 ? box.high[i] : box[i].clamp(random.uniform());
    best = std::max(best, coordinate_ascent(Elbo(model.at(x), beta), box,
                                            Order::natural(model.size()), {.epochs = 200})
                              .value);
  }
  return best;
}

/// Branch and bound is never beaten; returns whether the gap is closed.
bool check(const AnyModel& model, const DualDecomposition<TermPart>& dual, double beta,
           const Box& box, std::uint64_t seed) {
  const Facts facts = model.facts().times(beta);
  const double rounding = facts.value_error;
  const Elbo objective(model.at(box.low), beta);
  EXPECT_NEAR(dual.value(box.high), Elbo(model.at(box.high), beta).value(), 1e-12 + rounding);
  const auto result = branch_and_bound(
      objective, dual, box, {.nodes = 100, .rounding = pass_rounding(facts, model.size())});
  EXPECT_GE(*result.report.upper_bound + rounding, best_found(model, beta, box, seed));
  EXPECT_LE(result.report.value, *result.report.upper_bound);
  if (model.size() <= 4) {
    const auto value = [&](std::span<const double> x) { return dual.value(x); };
    EXPECT_GE(*result.report.upper_bound + rounding, testing::global_maximum(value, box));
  }
  require_inside(box, result.report.point);
  return result.report.status == Status::kConverged;
}

TEST(BranchAndBound, NoSearchBeatsTheProofForCoverage) {
  int closed = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(8);
    const double beta = seed % 3 == 0 ? 3 : 1;
    const Coverage model = testing::random_coverage(n, random.below(6), seed, seed % 4 == 0);
    const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_box(n, random);
    closed += check(model, dual_of(model, beta), beta, box, seed);
  }
  EXPECT_GE(closed, 75);
}

TEST(BranchAndBound, ClosesTheGapOfContestedCoverage) {
  // About five items share each of 24 concepts, at costs near a third of what they cover.
  const Index n = 12, concepts = 24;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    std::vector<double> cost(n, 0), weight(concepts);
    std::vector<std::vector<Entry>> members(concepts);
    for (Index c = 0; c < concepts; ++c) {
      weight[c] = random.uniform(0, 3);
      for (std::uint32_t i = 0; i < n; ++i) {
        if (!random.chance(0.4)) continue;
        members[c].push_back({i, random.uniform()});
        cost[i] += weight[c] * members[c].back().value * random.uniform(0.2, 0.5);
      }
    }
    const Coverage model = make_coverage(cost, weight, members);
    const Box box = unit_box(n);
    const auto at = [&](const std::vector<double>& x) { return Elbo(model.at(x)); };
    const auto result =
        branch_and_bound(at(box.low), dual_of(model), box, {.relative_gap = 1e-3, .nodes = 50});
    Order order = Order::natural(n);
    const auto pass = double_greedy(at(box.low), at(box.high), order.epoch(0), Equalised{});
    EXPECT_EQ(result.report.status, Status::kConverged);
    EXPECT_GE(*result.report.upper_bound, best_found(model, 1, box, seed));
    EXPECT_LT(*result.report.upper_bound, *pass.report.upper_bound);
  }
}

/// Whether the gap of a sum that is drawn by the seed is closed; sums that are not submodular prove nothing.
bool check_sum(const WeightedSum& model, std::uint64_t seed, Random& random) {
  const Index n = model.size();
  const double beta = seed % 3 == 0 ? 2 : 1;
  const auto parts = term_parts(model, beta);
  const bool submodular = AnyModel(model).facts().is_submodular();
  EXPECT_TRUE(parts || !submodular);
  const Box box = seed % 2 == 0 ? unit_box(n) : testing::random_box(n, random);
  return submodular && parts && check(model, parts->dual, beta, box, seed);
}

TEST(BranchAndBound, NoSearchBeatsTheProofForMixedSums) {
  int closed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(6);
    std::vector<WeightedSum::Term> terms;
    for (Index t = 0; t < 1 + seed % 3; ++t)  // FLID, facility location, coverage
      terms.push_back({random.chance(0.1) ? 0 : random.uniform(0.1, 2),
                       testing::random_basic_model((seed + t) % 3, n, seed + 7 * t)});
    closed += check_sum(make_weighted_sum(n, std::move(terms)), seed, random);
  }
  EXPECT_GE(closed, 55);
}

TEST(BranchAndBound, NoSearchBeatsTheProofForSumsWithFieldsAndCuts) {
  int closed = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(6);
    std::vector<WeightedSum::Term> terms{
        // one of FLID, facility location, coverage
        {random.uniform(0.1, 2), testing::random_basic_model(seed % 3, n, seed)}};
    if (seed % 2 == 0)
      terms.push_back({random.uniform(0.1, 2), testing::random_pairwise(n, 0.7, seed)});
    if (seed % 3 == 0 || seed % 2 == 1)
      terms.push_back({random.uniform(0.1, 2),
                       make_graph_cut(std::vector<double>(n, random.uniform(-1, 1)),
                                      testing::random_edges(n, 0.7, 0, 2, random), seed % 5 == 0)});
    closed += check_sum(make_weighted_sum(n, std::move(terms)), seed, random);
  }
  EXPECT_GE(closed, 50);
}

TEST(BranchAndBound, AConceptOfTwoItemsByHand) {
  // F = 4 (1 - (1 - x/2) (1 - y/2)) - 3/2 (x + y) = (x + y) / 2 - x y. At a stationary point of
  // the diagonal logit x = 1/2 - x, so x = 0.5 exactly: 1/2 - 1/4 + 2 log 2.
  const std::vector<std::vector<Entry>> pair{{{0, 0.5}, {1, 0.5}}};
  const Coverage model = make_coverage({1.5, 1.5}, {4}, pair);
  const auto dual = dual_of(model);
  ASSERT_EQ(dual.parts().size(), 1u);
  const auto result = branch_and_bound(Elbo(model.at(std::vector{0.0, 0.0})), dual, unit_box(2));
  EXPECT_EQ(result.report.status, Status::kConverged);
  EXPECT_NEAR(result.report.value, 0.25 + 2 * std::log(2), 1e-9);
  EXPECT_GE(*result.report.upper_bound, 0.25 + 2 * std::log(2));
  EXPECT_NEAR(result.report.point[0], 0.5, 1e-4);
}

TEST(BranchAndBound, ConceptsOfOneItemAreLinear) {
  // Item 0: -1 + 4/2 = 1; item 1: a concept of negative weight that it alone covers, -1 - 2.
  const std::vector<std::vector<Entry>> alone{{{0, 0.5}, {1, 0.0}}, {{1, 1.0}}, {}, {{0, 1.0}}};
  const auto dual = dual_of(make_coverage({1, 1}, {4, -2, 3, 0}, alone));
  EXPECT_TRUE(dual.parts().empty());
  EXPECT_EQ(dual.linear(), (std::vector{1.0, -3.0}));
}

TEST(BranchAndBound, RefusesWhatHasNoParts) {
  const std::vector<std::vector<Entry>> pair{{{0, 0.5}, {1, 0.5}}};
  const Coverage bad = make_coverage({0, 0}, {-2}, pair);
  EXPECT_FALSE(term_parts(bad));
  EXPECT_FALSE(term_parts(make_weighted_sum(2, {{1, bad}})));
  const std::vector<Edge> attracting{{0, 1, 1}};
  const Coverage good = make_coverage({0, 0}, {2}, pair);
  EXPECT_TRUE(term_parts(make_weighted_sum(2, {{1, good}})));
  EXPECT_FALSE(term_parts(make_weighted_sum(2, {{-1, good}})));
  EXPECT_TRUE(
      term_parts(make_weighted_sum(2, {{1, good}, {1, make_pairwise_field({0, 0}, attracting)}})))
      << "stars take couplings of either sign";
  EXPECT_FALSE(
      term_parts(make_weighted_sum(2, {{1, good}, {1, testing::random_basic_model(7, 2, 1)}})))
      << "concave over modular has no parts";
  EXPECT_EQ(testing::refusal([&] {
              term_parts(make_weighted_sum(2, {{1, good}}), -1);
            }),
            "dual decomposition: the inverse temperature is -1, which must be finite and > 0");
}

TEST(BranchAndBound, AKnownBoundCapsEveryBound) {
  const Flid model = rivals(10, 5, 7);
  const auto dual = dual_of(model, 2);
  const Elbo objective(model.at(std::vector<double>(10, 0.5)), 2);
  const auto best = branch_and_bound(objective, dual, unit_box(10), {.relative_gap = 1e-4});
  const double known = *best.report.upper_bound;
  std::size_t calls = 0;
  const auto capped =
      branch_and_bound(objective, dual, unit_box(10),
                       {.relative_gap = 1e-12, .absolute_gap = 0, .known_bound = known},
                       [&](const BranchAndBoundProgress& now) {
                         EXPECT_LE(now.upper_bound, known);
                         return ++calls < 5;
                       });
  EXPECT_LE(*capped.report.upper_bound, known);
  // Known well enough: nothing to do, and the bound is the one given.
  const auto enough =
      branch_and_bound(objective, dual, unit_box(10), {.relative_gap = 1e-2, .known_bound = known});
  EXPECT_EQ(enough.report.status, Status::kConverged);
  EXPECT_EQ(enough.nodes, 0u);
  EXPECT_EQ(*enough.report.upper_bound, known);
  // A bound given that is wrong is not hidden by what is attained: whoever claims both must notice.
  const auto wrong = branch_and_bound(objective, dual, unit_box(10), {.known_bound = -5});
  EXPECT_EQ(*wrong.report.upper_bound, -5);
  EXPECT_GT(wrong.report.value, -5);
  EXPECT_EQ(testing::refusal([&] {
              branch_and_bound(objective, dual, unit_box(10), {.known_bound = std::nan("")});
            }),
            "branch and bound: the known bound is nan, which must be a number");
}

TEST(BranchAndBound, ANodeTakesTheCertificateOfDoubleGreedy) {
  // No dual iterations, one node: the bound is the least of the corners' and double greedy's.
  int tighter = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const Flid model = rivals(8, 4, seed);
    const auto at = [&](const std::vector<double>& x) { return Elbo(model.at(x)); };
    const Box box = unit_box(8);
    Order order = Order::natural(8);
    const auto pass = double_greedy(at(box.low), at(box.high), order.epoch(0), Equalised{});
    const double bound = detail::node_bound(at(box.low), at(box.high), box, order.epoch(0), {});
    EXPECT_LE(bound, *pass.report.upper_bound);
    EXPECT_GE(bound, best_found(model, 1, box, seed));
    tighter += *pass.report.upper_bound < std::min(detail::corner_bound(at(box.low), box, {}),
                                                   detail::corner_bound(at(box.high), box, {}));
  }
  EXPECT_GT(tighter, 10);
}

TEST(BranchAndBound, TheBoundOfACornerHasTheRoundingOfTheValueAndTwiceThatOfTheLines) {
  const PairwiseField field = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, -1}});
  const Elbo corner(field.at(std::vector{0.0, 0.0}));
  const auto bound = [&](const PassRounding& rounding) {
    return detail::corner_bound(corner, unit_box(2), rounding);
  };
  EXPECT_GE(bound({.value = 0.25, .slope = 8, .lines = 0}), bound({}) + 0.25);
  EXPECT_GE(bound({.value = 0, .slope = 8, .lines = 0.25}), bound({}) + 0.5);
}

}  // namespace
}  // namespace surefield
