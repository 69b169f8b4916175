#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/exact/enumeration.hpp"
#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "surefield/models/submodular_difference.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"
#include "tests/support/flid_file.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_concave.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_facility.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_gibbs.hpp"
#include "tests/support/random_hypergraph.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

// Every interval on the way, from one leaf to the last split, contains the truth; so does every
// marginal. At the end what is left is rounding. Returns the number of intervals looked at.
template <class M>
int check(const M& model, std::uint64_t seed) {
  if (!submodular_difference(model)) return 0;
  int looked = 0;
  const Box box = testing::random_fixed_box(model.size(), seed);
  for (const double beta : {0.0, 0.3, 1.0, 5.0}) {
    const auto truth = testing::exact_by_definition(model, box, beta);
    // The reference rounds as well, by an ulp or two of its largest value.
    const double slack = 1e-15 * testing::scale_of(truth, beta);
    LogZTree tree = log_z_tree(model, &box, beta);
    while (true) {
      ++looked;
      EXPECT_LE(tree.log_z().low, truth.log_z + slack) << "seed " << seed << " beta " << beta;
      EXPECT_GE(tree.log_z().high, truth.log_z - slack) << "seed " << seed << " beta " << beta;
      const auto marginals = tree.marginals();
      for (Index i = 0; i < model.size(); ++i) {
        EXPECT_LE(marginals[i].low, truth.marginals[i] + slack) << "seed " << seed << " item " << i;
        EXPECT_GE(marginals[i].high, truth.marginals[i] - slack)
            << "seed " << seed << " item " << i;
      }
      if (!tree.can_split()) break;
      const double before = tree.log_z().width();
      tree.refine(0, tree.splits() < 4 ? 1 : 16);
      EXPECT_LE(tree.log_z().width(), before + slack) << "seed " << seed;
    }
    EXPECT_LE(
        tree.log_z().width(),
        1e-11 * beta * (truth.largest + AnyModel(model).facts().magnitude) + 1e-10 +
            8 * beta *
                (AnyModel(model).facts().value_error + AnyModel(model).facts().gain_error_sum))
        << "seed " << seed;
  }
  return looked;
}

TEST(BranchAndBoundLogZ, FacilitiesAndFlids) {
  int looked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const Index n = seed % 9;
    looked += check(testing::random_flid(n, n == 0 ? 0 : seed % 6, seed), seed);
    looked += check(testing::random_flid(n % 6, n % 6 == 0 ? 0 : seed % 4, seed, true), seed);
    looked += check(testing::random_facility(n, seed % 7, seed), seed);
  }
  EXPECT_GT(looked, 3000);
}

TEST(BranchAndBoundLogZ, CoverageAndPairwise) {
  int looked = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Index n = seed % 8;
    looked += check(testing::random_coverage(n, 5, seed), seed);
    looked += check(testing::random_pairwise(n, 0.6, seed), seed);
    looked += check(testing::random_cut_either_way(n, seed), seed);
  }
  EXPECT_GT(looked, 3000);
}

TEST(BranchAndBoundLogZ, HypergraphsConcaveAndDeterminants) {
  int looked = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Index n = seed % 8;
    looked += check(testing::random_hypergraph_cut(n, 4, seed), seed);
    looked += check(testing::random_concave(n, 1, seed), seed);
    if (seed % 4 == 0) looked += check(make_log_det(testing::random_kernel(n, seed, 0.1, 1)), seed);
  }
  EXPECT_GT(looked, 2000);
}

TEST(BranchAndBoundLogZ, DifferencesOfSubmodularFunctions) {
  int looked = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = seed % 7;
    const Index groups = n == 0 ? 0 : 1 + seed % 2;
    const Fldc fldc = testing::random_fldc(n, n == 0 ? 0 : seed % 3, groups, seed, seed % 5 == 0);
    looked += check(fldc, seed);
    looked += check(testing::random_gibbs(n, n == 0 ? 0 : seed % 5, seed), seed);
    Random random(seed);
    std::vector<double> bias(n);
    for (double& b : bias) b = random.uniform(-2, 1);
    const auto field = make_pairwise_field(bias, testing::random_edges(n, 0.7, -1, 1, random));
    looked += check(field, seed);
    looked += check(make_weighted_sum(n, {{0.5, AnyModel(field)},
                                          {-0.7, AnyModel(testing::random_coverage(n, 2, seed))},
                                          {1, AnyModel(fldc)}}),
                    seed);
  }
  EXPECT_GT(looked, 1500);
}

TEST(BranchAndBoundLogZ, ADifferenceByHand) {
  // bias 0, 0, coupling 1: first = lo = 0, 0, up = 1, 1. Z = 1 + 1 + 1 + e.
  const PairwiseField field = make_pairwise_field({0.0, 0.0}, std::vector<Edge>{{0, 1, 1.0}});
  const LogZTree tree = log_z_tree(field);
  EXPECT_NEAR(tree.log_z().high, 2 * std::log(1 + std::exp(1)), 1e-13);
  EXPECT_NEAR(tree.log_z().low, std::log(4), 1e-13);  // 1 + 1 + 1 (1 + 1)
  EXPECT_EQ(tree.basis(), Basis::kProved);
}

TEST(BranchAndBoundLogZ, TheRootByHand) {
  // bias 0, 0, coupling -1: up = 0, 0, lo = -1, -1. Z = 1 + 1 + 1 + 1/e.
  const std::vector<Edge> edges{{0, 1, -1.0}};
  const PairwiseField field = make_pairwise_field({0.0, 0.0}, edges);
  const LogZTree tree = log_z_tree(field);
  EXPECT_NEAR(tree.log_z().high, std::log(4), 1e-13);                // 2 log(1 + 1)
  EXPECT_NEAR(tree.log_z().low, std::log(3 + std::exp(-1)), 1e-13);  // 1 + 1 + 1 (1 + 1/e)
  const auto exact = branch_and_bound_log_z(field, nullptr, {.width = 0, .marginals = true});
  EXPECT_EQ(exact.status, Status::kDone);
  EXPECT_EQ(exact.splits, 1u);
  EXPECT_NEAR(exact.log_z.high, std::log(3 + std::exp(-1)), 1e-13);
  EXPECT_NEAR(exact.marginals[0].low, (1 + std::exp(-1)) / (3 + std::exp(-1)), 1e-12);
  EXPECT_NEAR(exact.marginals[0].high, (1 + std::exp(-1)) / (3 + std::exp(-1)), 1e-12);
}

// up = 0, 0, 0 and lo = -1, -3, -2: in the order of up - lo the items are 0, 2, 1.
// One item is modular whatever its weights: u - W + W = 0 here, so log Z = log 2.
TEST(BranchAndBoundLogZ, ASingleItemOfNegativeWeightPaysIt) {
  for (const double weight : {-3.0, -1e-300, 0.0, 2.0}) {
    const auto result = branch_and_bound_log_z(make_flid({0}, {weight}, 1));
    EXPECT_NEAR(result.log_z.low, std::log(2.0), 1e-12) << weight;
    EXPECT_NEAR(result.log_z.high, std::log(2.0), 1e-12) << weight;
  }
}

TEST(BranchAndBoundLogZ, TheLowerEndTakesTheItemsInOrder) {
  const std::vector<Edge> edges{{0, 1, -1.0}, {1, 2, -2.0}};
  const PairwiseField field = make_pairwise_field({0.0, 0.0, 0.0}, edges);
  const double first = 1 + std::exp(-1);
  const double second = first * (1 + std::exp(-2));
  EXPECT_NEAR(log_z_tree(field).log_z().low, std::log(1 + 1 + first + second), 1e-13);
  EXPECT_NEAR(log_z_tree(field).log_z().high, std::log(8), 1e-13);
}

TEST(BranchAndBoundLogZ, MoreItemsThanAWordHasBits) {
  for (const Index n : {64, 65, 130}) {
    Random random(n);
    std::vector<double> utility(n), weights(2 * n);
    for (double& u : utility) u = random.uniform(-3, -1);
    for (double& w : weights) w = random.uniform(0, 2);
    const Flid flid = make_flid(utility, weights, 2);
    const auto bounds =
        branch_and_bound_log_z(flid, nullptr, {.width = 0.01, .splits = 1000, .marginals = true});
    const auto exact = flid_exact(flid);
    EXPECT_TRUE(bounds.log_z.contains(exact.log_z)) << n;
    EXPECT_LE(bounds.log_z.width(), 0.2) << n;
    for (Index i = 0; i < n; ++i) EXPECT_TRUE(bounds.marginals[i].contains(exact.marginals[i]));
  }
}

TEST(BranchAndBoundLogZ, MediumModelsAgainstExactMethods) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Flid flid = testing::random_flid(30, 3, seed);
    const auto exact = flid_exact(flid, nullptr, {.beta = 0.5});
    const auto bounds = branch_and_bound_log_z(
        flid, nullptr, {.beta = 0.5, .width = 1e-2, .splits = 3000, .marginals = true});
    EXPECT_TRUE(bounds.log_z.contains(exact.log_z));
    for (Index i = 0; i < 30; ++i) EXPECT_TRUE(bounds.marginals[i].contains(exact.marginals[i]));
    const PairwiseField field = testing::random_pairwise(14, 0.4, seed);
    EXPECT_TRUE(branch_and_bound_log_z(field, nullptr, {.width = 0.1})
                    .log_z.contains(enumerate_log_z(field).log_z));
  }
}

// Very large gains take another path through the bounds; so do products beyond the range of a
// double.
TEST(BranchAndBoundLogZ, HugeGains) {
  const std::vector<Edge> edges{{0, 1, -700.0}, {1, 2, -1.0}};
  for (const double huge : {150.0, 300.0, 1000.0, 1e6}) {
    const PairwiseField field = make_pairwise_field({huge, huge, -huge}, edges);
    const auto bounds = branch_and_bound_log_z(field, nullptr, {.width = 0});
    const double log_z = enumerate_log_z(field).log_z;
    EXPECT_TRUE(bounds.log_z.contains(log_z)) << huge;
    EXPECT_LE(bounds.log_z.width(), 1e-12 * huge + 1e-11) << huge;
  }
  std::vector<double> bias(40, 100.0);
  bias[7] = -3;
  const PairwiseField wide = make_pairwise_field(bias, {});
  EXPECT_NEAR(branch_and_bound_log_z(wide).log_z.high, 3900 + softplus(-3), 1e-9);
  EXPECT_NEAR(branch_and_bound_log_z(wide).log_z.low, 3900 + softplus(-3), 1e-9);
}

// Weights of 1e12 that cancel in u': the gains are wrong by 1e-4, and the interval knows.
TEST(BranchAndBoundLogZ, TheMarginCoversWhatCancels) {
  const Flid flid = make_flid({1.0, 0.3}, {1e12, 7e11, 3e11, 0.1}, 2);
  const auto truth = testing::exact_by_definition(flid, unit_box(2), 1);
  const auto bounds = branch_and_bound_log_z(flid, nullptr, {.width = 0});
  EXPECT_TRUE(bounds.log_z.contains(truth.log_z));
  EXPECT_GT(bounds.log_z.width(), 1e-4);
  const WeightedSum sum = make_weighted_sum(2, {{1.0, flid}});
  EXPECT_TRUE(branch_and_bound_log_z(sum, nullptr, {.width = 0}).log_z.contains(truth.log_z));
}

TEST(BranchAndBoundLogZ, StopsWhereToldAndGoesOn) {
  const Flid flid = testing::random_flid(40, 6, 3);
  const auto few = branch_and_bound_log_z(flid, nullptr, {.width = 0, .splits = 50});
  EXPECT_EQ(few.status, Status::kEpochLimit);
  EXPECT_EQ(few.splits, 50u);
  EXPECT_EQ(few.leaves, 51u);
  int calls = 0;
  const auto stopped = branch_and_bound_log_z(
      flid, nullptr,
      {.width = 0, .report_every = 10, .observer = [&](const CertifiedLogZProgress& progress) {
         EXPECT_EQ(progress.leaves, progress.splits + 1);
         return ++calls < 4;
       }});
  EXPECT_EQ(stopped.status, Status::kInterrupted);
  EXPECT_EQ(stopped.splits, 30u);
  const auto wide = branch_and_bound_log_z(flid, nullptr, {.width = few.log_z.width()});
  EXPECT_EQ(wide.status, Status::kConverged);
}

// Where there is room for sixteen leaves, those that add least to the width are given up into one interval.
TEST(BranchAndBoundLogZ, GivesUpLeavesWhereThereIsNoMoreRoom) {
  Index given_up = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(seed);
    const Flid model = testing::random_flid(9, 4, seed);
    const Box box = unit_box(9);
    for (const double beta : {1.0, 4.0}) {
      const auto truth = testing::exact_by_definition(model, box, beta);
      const double slack = 1e-15 * testing::scale_of(truth, beta);
      LogZTree tree = log_z_tree(model, &box, beta);
      const Budget little = Budget().with_bytes(1);
      ASSERT_EQ(tree.room(little), 16U);
      for (int round = 0; round < 50 && tree.can_split(); ++round) {
        const double before = tree.log_z().width();
        tree.refine(0, 8, little, true);
        EXPECT_LE(tree.leaves(), 16U);
        EXPECT_LE(tree.log_z().width(), before + 1e-12);
        EXPECT_LE(tree.log_z().low, truth.log_z + slack);
        EXPECT_GE(tree.log_z().high, truth.log_z - slack);
        const auto marginals = tree.marginals();
        for (Index i = 0; i < 9; ++i) {
          EXPECT_LE(marginals[i].low, truth.marginals[i] + slack);
          EXPECT_GE(marginals[i].high, truth.marginals[i] - slack);
        }
      }
      given_up += tree.given_up();
      if (tree.given_up() > 0) {
        EXPECT_THROW(tree.upper_shares(), Error);
      }
    }
  }
  EXPECT_GT(given_up, 1000U);
  // It goes further than where it stops for want of room.
  const Flid flid = testing::random_flid(40, 6, 3);
  CertifiedLogZOptions how{.width = 0, .splits = 3000, .budget = Budget().with_bytes(40000)};
  const auto stopped = branch_and_bound_log_z(flid, nullptr, how);
  how.gives_up = true;
  const auto on = branch_and_bound_log_z(flid, nullptr, how);
  EXPECT_EQ(stopped.status, Status::kEpochLimit);
  EXPECT_EQ(on.status, Status::kEpochLimit);
  EXPECT_LT(stopped.splits, 1000U);
  EXPECT_EQ(on.splits, 3000U);
  EXPECT_LT(on.log_z.width(), stopped.log_z.width());
}

TEST(BranchAndBoundLogZ, TheThreadsChangeNothing) {
  const Flid flid = testing::random_flid(60, 5, 8);
  const auto one =
      branch_and_bound_log_z(flid, nullptr, {.splits = 2000, .budget = Budget().with_threads(1)});
  const auto two =
      branch_and_bound_log_z(flid, nullptr, {.splits = 2000, .budget = Budget().with_threads(2)});
  EXPECT_EQ(one.log_z, two.log_z);
  EXPECT_EQ(one.splits, two.splits);
}

TEST(BranchAndBoundLogZ, PublicModelsContainTheirExactValue) {
  const auto safety = testing::flid_of_file("safety_flid_d_10_fold_1.txt");
  const auto a = testing::flid_of_file("bedding_flid_d_3_fold_1.txt");
  const auto b = testing::flid_of_file("bedding_flid_d_2_fold_2.txt");
  if (!safety || !a || !b) GTEST_SKIP() << "no data: set SUREFIELD_DATA";
  const auto ten = branch_and_bound_log_z(*safety);
  EXPECT_TRUE(ten.log_z.contains(4.85882628354));  // flid_exact, 1e8 steps
  EXPECT_LE(ten.log_z.width(), 1e-3);
  const Flid agreement = sum_of(1, *a, 1, *b);
  const auto pair = branch_and_bound_log_z(agreement);
  EXPECT_LE(pair.log_z.width(), 1e-3);
  EXPECT_TRUE(branch_and_bound_log_z(sum_of(1, *b, 1, *b))
                  .log_z.contains(flid_exact(*b, nullptr, {.beta = 2}).log_z));
}

TEST(BranchAndBoundLogZ, Refusals) {
  const Flid flid = make_flid({0, 0}, {1, -1}, 1);
  EXPECT_EQ(testing::refusal([&] { branch_and_bound_log_z(flid); }),
            "branch and bound: F is not submodular, nor a known difference of two such: " +
                *submodularity_violation(flid));
  const PairwiseField good = make_pairwise_field({0.0}, {});
  EXPECT_EQ(testing::refusal([&] { branch_and_bound_log_z(good, nullptr, {.beta = -2}); }),
            "branch and bound: the inverse temperature is -2, which must be finite and >= 0");
  EXPECT_EQ(testing::refusal([&] { branch_and_bound_log_z(good, nullptr, {.width = -1}); }),
            "branch and bound: the width is -1, which must be >= 0");
  const Box box{{0.0}, {0.25}};
  EXPECT_EQ(testing::refusal([&] { branch_and_bound_log_z(good, &box); }),
            "branch and bound: coordinate 0 has the interval [0, 0.25], which must be [0, 1], "
            "[0, 0] or [1, 1]");
}

TEST(BranchAndBoundLogZ, ADifferenceIsAssumedWhereAPartIs) {
  const AnyModel box = make_black_box(
      2, [](Subset in) { return in[0] || in[1] ? 1.0 : 0.0; }, 5);
  const AnyModel field = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, -1}});
  const auto basis = [&](double of_box, double of_field) {
    return log_z_tree(make_weighted_sum(2, {{of_box, box}, {of_field, field}})).basis();
  };
  EXPECT_EQ(basis(1, -1), Basis::kAssumesSubmodular);
  EXPECT_EQ(basis(-1, 1), Basis::kAssumesSubmodular);
  EXPECT_EQ(basis(0, -1), Basis::kProved);
}

}  // namespace
}  // namespace surefield
