#include "surefield/bounds/log_z/exact/enumeration.hpp"

#include <gtest/gtest.h>

#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_concave.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_facility.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_hypergraph.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

template <class M>
void check_enumeration(const M& model, std::uint64_t seed) {
  for (const double beta : {0.0, 0.3, 1.0, 4.0, -1.0}) {
    const Box box = testing::random_fixed_box(model.size(), seed);
    const auto truth = testing::exact_by_definition(model, box, beta);
    for (const unsigned threads : {1u, 2u}) {
      const auto exact =
          enumerate_log_z(model, &box, {.beta = beta, .budget = Budget().with_threads(threads)});
      const double tolerance = 1e-12 * testing::scale_of(truth, beta);
      ASSERT_NEAR(exact.log_z, truth.log_z, tolerance) << "seed " << seed << " beta " << beta;
      for (Index i = 0; i < model.size(); ++i)
        ASSERT_NEAR(exact.marginals[i], truth.marginals[i], tolerance) << "seed " << seed;
    }
  }
}

TEST(Enumeration, AgreesWithTheDefinitionForEveryFamily) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Index n = seed % 9;
    check_enumeration(testing::random_flid(n, n == 0 ? 0 : seed % 5, seed), seed);
    check_enumeration(testing::random_facility(n, seed % 6, seed), seed);
    check_enumeration(testing::random_facility(n, 4, seed, true),
                      seed);  // negative benefits: not submodular
    check_enumeration(testing::random_coverage(n, 5, seed), seed);
    check_enumeration(testing::random_pairwise(n, 0.5, seed), seed);
    check_enumeration(testing::random_cut_either_way(n, seed), seed);
    check_enumeration(testing::random_hypergraph_cut(n, 4, seed), seed);
    check_enumeration(testing::random_concave(n, 1, seed), seed);
  }
}

TEST(Enumeration, TwoItemsByHand) {
  const std::vector<Edge> edges{{0, 1, -1.0}};
  const auto exact = enumerate_log_z(make_pairwise_field({1.0, 2.0}, edges), nullptr, {.beta = 2});
  const double z = 1 + std::exp(2) + std::exp(4) + std::exp(4);  // F = 0, 1, 2, 1 + 2 - 1
  EXPECT_NEAR(exact.log_z, std::log(z), 1e-14);
  EXPECT_NEAR(exact.marginals[0], (std::exp(2) + std::exp(4)) / z, 1e-15);
  EXPECT_NEAR(exact.marginals[1], 2 * std::exp(4) / z, 1e-15);
}

// Beyond one block of 4096 sets and 64 tasks: independent items have log Z = sum softplus.
TEST(Enumeration, ManyBlocksAndTasksAddUp) {
  Random random(5);
  for (const Index n : {11, 12, 13, 17, 19}) {
    std::vector<double> bias(n);
    for (double& b : bias) b = random.uniform(-3, 3);
    const PairwiseField field = make_pairwise_field(bias, {}, -2);
    const Flid flid = make_flid(bias, {}, 0);
    const auto exact = enumerate_log_z(field);
    double log_z = -2;
    for (Index i = 0; i < n; ++i) {
      log_z += softplus(bias[i]);
      EXPECT_NEAR(exact.marginals[i], sigmoid(bias[i]), 1e-13);
    }
    EXPECT_NEAR(exact.log_z, log_z, 1e-13);
    EXPECT_NEAR(enumerate_log_z(flid).log_z, log_z + 2, 1e-13);
    EXPECT_EQ(enumerate_log_z(field, nullptr, {.budget = Budget().with_threads(1)}).log_z,
              exact.log_z);
    EXPECT_EQ(enumerate_log_z(field, nullptr, {.budget = Budget().with_threads(2)}).marginals,
              exact.marginals);
  }
}

TEST(Enumeration, HugeValuesNeitherOverflowNorVanish) {
  const PairwiseField field = make_pairwise_field({1e5, -1e5, 0.0}, {}, 1e6);
  const auto exact = enumerate_log_z(field);
  EXPECT_NEAR(exact.log_z, 1.1e6 + std::log(2),
              1e-9);  // the first in, the second out, the third 1/2
  EXPECT_EQ(exact.marginals, (std::vector{1.0, 0.0, 0.5}));
}

TEST(Enumeration, NoItemsAndAllFixed) {
  EXPECT_EQ(enumerate_log_z(make_pairwise_field({}, {}, 3)).log_z, 3);
  const Box box{{1, 0}, {1, 0}};
  const auto exact = enumerate_log_z(make_pairwise_field({1.0, 2.0}, {}, 3), &box);
  EXPECT_EQ(exact.log_z, 4);
  EXPECT_EQ(exact.marginals, (std::vector{1.0, 0.0}));
}

TEST(Enumeration, Refusals) {
  const PairwiseField field = make_pairwise_field(std::vector<double>(35, 0.0), {});
  EXPECT_EQ(testing::refusal([&] { enumerate_log_z(field); }),
            "enumeration: 35 free items make 2^35 = 34359738368 sets, more than the limit of 2^30");
  EXPECT_EQ(testing::refusal([&] { enumerate_log_z(field, nullptr, {.limit = 41}); }),
            "enumeration: the limit is 41 free items, which must be at most 40");
  EXPECT_EQ(testing::refusal([&] { enumerate_log_z(field, nullptr, {.beta = kInfinity}); }),
            "enumeration: the inverse temperature is inf, which must be finite");
  Box box = unit_box(35);
  box.high[3] = 0.5;
  EXPECT_EQ(testing::refusal([&] { enumerate_log_z(field, &box); }),
            "enumeration: coordinate 3 has the interval [0, 0.5], which must be [0, 1], [0, 0] or "
            "[1, 1]");
}

}  // namespace
}  // namespace surefield
