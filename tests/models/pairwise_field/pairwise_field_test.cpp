#include "surefield/models/pairwise_field/pairwise_field.hpp"

#include <gtest/gtest.h>

#include "surefield/models/pairwise_field/tracked_set.hpp"

#include "surefield/core/error.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<PairwiseField>);

TEST(PairwiseField, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_state_laws(testing::random_pairwise(seed % 10, 0.5, seed), seed);
}

TEST(PairwiseField, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_set_laws(testing::random_pairwise(seed % 10, 0.5, seed), seed);
}

/// A field whose sets keep their gains.
struct TrackedField : PairwiseField {
  TrackedSet empty_set() const { return TrackedSet(*this); }
};

TEST(PairwiseField, ASetThatKeepsItsGainsObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    testing::check_set_laws(TrackedField{testing::random_pairwise(seed % 10, 0.5, seed)}, seed);
}

TEST(PairwiseField, TwoNodesByHand) {
  const std::vector<Edge> edges{{1, 0, -3.0}, {0, 1, -1.0}};  // parallel edges add up
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, edges, 0.5);
  const auto state = model.at(std::vector{0.5, 0.25});
  EXPECT_DOUBLE_EQ(state.value(), 1.0);     // 0.5 + 0.5 + 0.5 - 4 * 0.125
  EXPECT_DOUBLE_EQ(state.partial(0), 0.0);  // 1 - 4 * 0.25
  EXPECT_DOUBLE_EQ(state.partial(1), 0.0);  // 2 - 4 * 0.5
  EXPECT_EQ(model.edges(), (std::vector<Edge>{{0, 1, -4.0}}));
}

TEST(PairwiseField, NamesThePairThatIsNotSubmodular) {
  const std::vector<Edge> edges{{0, 1, -1.0}, {2, 1, 0.5}};
  EXPECT_EQ(submodularity_violation(make_pairwise_field({0, 0, 0}, edges)),
            "pair 1-2 has coupling 0.5, which must be <= 0 for a submodular field");
  EXPECT_EQ(submodularity_violation(make_pairwise_field({0, 0}, std::span(edges).first(1))),
            std::nullopt);
}

TEST(PairwiseField, RefusesWhatIsNotAField) {
  const auto refusal = [](std::vector<double> bias, std::vector<Edge> edges, double constant = 0) {
    return testing::refusal([&] { make_pairwise_field(bias, edges, constant); });
  };
  EXPECT_EQ(refusal({0, NAN}, {}), "pairwise field: node 1 has bias nan, which must be finite");
  EXPECT_EQ(refusal({0, 0}, {{0, 2, 1}}), "pairwise field: edge 0-2 leaves the 2 nodes");
  EXPECT_EQ(refusal({0, 0}, {{1, 1, 1}}),
            "pairwise field: edge 1-1 joins a node to itself, which must be written as a bias");
  EXPECT_EQ(refusal({0, 0}, {{0, 1, INFINITY}}),
            "pairwise field: edge 0-1 has coupling inf, which must be finite");
  EXPECT_EQ(refusal({}, {}, NAN), "pairwise field: the constant is nan, which must be finite");
}

}  // namespace
}  // namespace surefield
