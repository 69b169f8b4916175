#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/log_z/sampling/annealed_importance.hpp"
#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using Sets = std::vector<std::vector<std::uint8_t>>;

// Chi-square over all sets of expected count >= 5, the others thrown together, in units of the
// standard deviation above its mean (Wilson and Hilferty).
double surprise(const Sets& sets, const std::vector<double>& probability) {
  std::vector<double> count(probability.size(), 0);
  for (const auto& set : sets) {
    std::size_t code = 0;
    for (Index i = 0; i < set.size(); ++i) code |= std::size_t{set[i]} << i;
    ++count[code];
  }
  const auto total = static_cast<double>(sets.size());
  double chi = 0, freedom = -1, rare = 0, rare_expected = 0;
  const auto cell = [&](double seen, double expected) {
    chi += (seen - expected) * (seen - expected) / expected;
    ++freedom;
  };
  for (std::size_t code = 0; code < count.size(); ++code) {
    const double expected = total * probability[code];
    EXPECT_TRUE(expected > 0 || count[code] == 0) << "a set outside the box";
    if (expected >= 5) {
      cell(count[code], expected);
    } else {
      rare += count[code];
      rare_expected += expected;
    }
  }
  if (rare_expected >= 1) cell(rare, rare_expected);
  if (freedom < 1) return 0;
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(chi / freedom) - (1 - spread)) / std::sqrt(spread);
}

template <class M>
void check_perfect_sampling(const M& model, std::uint64_t seed, double beta) {
  const Box box = testing::random_fixed_box(model.size(), seed);
  const auto truth = testing::exact_by_definition(model, box, beta);
  for (const Index splits : {0, 3, 100}) {
    LogZTree tree = log_z_tree(model, &box, beta);
    tree.refine(0, splits);
    const auto sample = perfect_sample(tree, 4000, seed);
    EXPECT_LT(surprise(sample.sets, truth.probability), 4) << "seed " << seed << " " << splits;
    const double expected = std::exp(truth.log_z - tree.log_z().high);
    const double error = std::sqrt(expected * (1 - expected) / static_cast<double>(sample.draws));
    EXPECT_NEAR(sample.acceptance(), expected, 5 * error + 1e-9) << "seed " << seed;
  }
}

TEST(PerfectSampling, HasTheRightDistributionHoweverCoarseTheTree) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    check_perfect_sampling(testing::random_flid(5, 3, seed), seed, 1);
    check_perfect_sampling(testing::random_pairwise(5, 0.6, seed), seed, 0.7);
    check_perfect_sampling(testing::random_cut_either_way(4, seed), seed, 1);
    check_perfect_sampling(testing::random_fldc(5, 1, 1, seed), seed, 0.5);
  }
  check_perfect_sampling(testing::random_flid(1, 2, 3), 3, 1);
}

TEST(PerfectSampling, TheTestSeesAWrongDistribution) {
  const Flid model = testing::random_flid(5, 3, 1);
  const auto truth = testing::exact_by_definition(model, unit_box(5), 1);
  LogZTree tree = log_z_tree(model, nullptr, 1.15);
  EXPECT_GT(surprise(perfect_sample(tree, 4000, 1).sets, truth.probability), 4);
}

TEST(PerfectSampling, IsAFunctionOfTheSeed) {
  const Flid model = testing::random_flid(8, 3, 2);
  LogZTree tree = log_z_tree(model);
  tree.refine(0.1, 1000);
  EXPECT_EQ(perfect_sample(tree, 50, 7).sets, perfect_sample(tree, 50, 7).sets);
  EXPECT_NE(perfect_sample(tree, 50, 7).sets, perfect_sample(tree, 50, 8).sets);
}

TEST(PerfectSampling, TablesThatFindNoRoomChangeNoSet) {
  const Flid model = testing::random_flid(8, 3, 2);
  LogZTree tree = log_z_tree(model);
  tree.refine(0, 40);
  ASSERT_GT(tree.leaves(), 10U);
  const auto all = perfect_sample(tree, 300, 7);
  for (const double bytes : {0.0, 500.0, 2000.0}) {  // none, one or some of them
    const auto some = perfect_sample(tree, 300, 7, Budget().with_bytes(bytes));
    EXPECT_EQ(some.sets, all.sets) << bytes;
    EXPECT_EQ(some.draws, all.draws);
  }
}

TEST(PerfectSampling, NoItems) {
  const PairwiseField none = make_pairwise_field({}, {});
  const auto sample = perfect_sample(log_z_tree(none), 3, 1);
  EXPECT_EQ(sample.sets, Sets(3));
  EXPECT_EQ(sample.acceptance(), 1);
}

TEST(PerfectSampling, RefusesWhenNearlyNothingIsKept) {
  const std::vector<Edge> edges{{0, 1, -100.0}};
  const PairwiseField field = make_pairwise_field({50.0, 50.0}, edges);
  const std::string said =
      testing::refusal([&] { perfect_sample(log_z_tree(field), 1, 1, {}, 1000); });
  EXPECT_EQ(said.substr(0, said.find(" within")),
            "perfect sampling: only 0 of 1 sets are kept after 1000 draws: log Z is known to");
}

TEST(GibbsSampling, TendsToTheRightDistribution) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Flid model = testing::random_flid(5, 2, seed);
    const Box box = testing::random_fixed_box(5, seed);
    const auto truth = testing::exact_by_definition(model, box, 0.8);
    const GibbsOptions options{.beta = 0.8, .burn_in = 100, .thinning = 20, .seed = seed};
    const auto sets = gibbs_sample(model, 3000, &box, options);
    EXPECT_LT(surprise(sets, truth.probability), 4.5) << "seed " << seed;
    EXPECT_EQ(gibbs_sample(model, 10, &box, options), gibbs_sample(model, 10, &box, options));
  }
  const Flid none = make_flid({}, {}, 0);
  EXPECT_EQ(gibbs_sample(none, 2), Sets(2));
}

// Sweeps are the same whatever is kept of them.
TEST(GibbsSampling, KeepsOneSetInSoManySweeps) {
  const Flid model = testing::random_flid(6, 2, 1);
  const auto all = gibbs_sample(model, 12, nullptr, {.burn_in = 5, .thinning = 1});
  const auto third = gibbs_sample(model, 4, nullptr, {.burn_in = 5, .thinning = 3});
  ASSERT_EQ(third.size(), 4U);
  for (Index k = 0; k < 4; ++k) EXPECT_EQ(third[k], all[3 * k + 2]);
  EXPECT_EQ(gibbs_sample(model, 12, nullptr, {.burn_in = 2, .thinning = 1})[3], all[0]);
}

TEST(AnnealedImportance, EstimatesLogZWithinItsError) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Flid model = testing::random_flid(7, 3, seed);
    const Box box = testing::random_fixed_box(7, seed);
    const auto truth = testing::exact_by_definition(model, box, 1.5);
    const auto estimate =
        annealed_importance(model, &box, {.beta = 1.5, .steps = 200, .seed = seed});
    EXPECT_LT(estimate.standard_error, 0.2);
    EXPECT_NEAR(estimate.log_z, truth.log_z, 4 * estimate.standard_error + 1e-9) << seed;
  }
}

TEST(AnnealedImportance, IndependentItemsInOneStepByHand) {
  // One item of bias b, one step from fair: w is 2 or 2 e^b, with mean 1 + e^b.
  const PairwiseField one = make_pairwise_field({1.0}, {});
  const auto estimate = annealed_importance(one, nullptr, {.steps = 1, .runs = 4000});
  EXPECT_NEAR(estimate.log_z, softplus(1), 4 * estimate.standard_error);
  // sd of w / mean / sqrt(runs) = (e - 1) / (e + 1) / sqrt(4000)
  EXPECT_NEAR(estimate.standard_error, std::tanh(0.5) / std::sqrt(4000), 4e-3);
  EXPECT_EQ(testing::refusal([&] { annealed_importance(one, nullptr, {.runs = 1}); }),
            "annealed importance sampling: there are 1000 steps and 1 runs, which must be at least "
            "1 and 2");
}

}  // namespace
}  // namespace surefield
