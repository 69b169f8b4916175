#include "surefield/models/weighted_sum/weighted_sum.hpp"

#include <gtest/gtest.h>

#include "surefield/models/any_model.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_laws.hpp"
#include "tests/support/state_laws.hpp"

namespace surefield {
namespace {

static_assert(Model<WeightedSum>);

WeightedSum random_sum(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<WeightedSum::Term> terms;
  terms.push_back({random.uniform(0, 2), testing::random_pairwise(n, 0.5, seed)});
  terms.push_back({0, testing::random_pairwise(n, 0.5, seed + 1)});
  terms.push_back(
      {random.uniform(0, 2),
       make_graph_cut(std::vector<double>(n, -0.5), testing::random_edges(n, 0.5, 0, 1, random))});
  return make_weighted_sum(n, std::move(terms));
}

TEST(WeightedSum, StateObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_state_laws(random_sum(seed % 8, seed), seed);
}

TEST(WeightedSum, SetObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    testing::check_set_laws(random_sum(seed % 8, seed), seed);
}

TEST(WeightedSum, NoTermsIsZero) {
  const WeightedSum model = make_weighted_sum(3, {});
  const auto state = model.at(std::vector{0.2, 0.5, 1.0});
  EXPECT_EQ(state.value(), 0);
  EXPECT_EQ(state.partial(1), 0);
  EXPECT_EQ(state.coordinate(2), 1.0);
}

TEST(WeightedSum, TwoTermsByHand) {
  const std::vector<Edge> edges{{0, 1, -3.0}};
  const WeightedSum model = make_weighted_sum(2, {{2, make_pairwise_field({1.0, 2.0}, edges)},
                                                  {0.5, make_graph_cut({0, 0}, {{0, 1, 4.0}})}});
  // 2 (1 + 2 - 3) + 0.5 * 0 on {0, 1}; 2 * 1 + 0.5 * 4 on {0}
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 1}), 0);
  EXPECT_DOUBLE_EQ(model.evaluate(std::vector<std::uint8_t>{1, 0}), 4);
  EXPECT_DOUBLE_EQ(model.at(std::vector{0.0, 0.5}).partial(0),
                   2 * (1 - 1.5) + 0.5 * 4 * (1 - 2 * 0.5));
}

TEST(WeightedSum, NamesTheTermThatIsNotSubmodular) {
  const std::vector<Edge> edges{{0, 1, 3.0}};
  const auto attractive = make_pairwise_field({0, 0}, edges);
  EXPECT_EQ(submodularity_violation(make_weighted_sum(2, {{0, attractive}, {1, attractive}})),
            "term 1: pair 0-1 has coupling 3, which must be <= 0 for a submodular field");
  EXPECT_EQ(submodularity_violation(make_weighted_sum(2, {{-1, attractive}})),
            "term 0 has weight -1, which must be >= 0 for a submodular sum");
  EXPECT_EQ(submodularity_violation(make_weighted_sum(2, {{0, attractive}})), std::nullopt);
}

TEST(WeightedSum, RefusesTermsThatDoNotFit) {
  const auto one = make_pairwise_field({0}, {});
  EXPECT_EQ(testing::refusal([&] {
              make_weighted_sum(2, {{1, one}});
            }),
            "sum: term 0 has 1 items, but the sum has 2");
  EXPECT_EQ(testing::refusal([&] {
              make_weighted_sum(1, {{NAN, one}});
            }),
            "sum: term 0 has weight nan, which must be finite");
}

TEST(WeightedSum, RefusesASumOfSumsWhoseWeightsMultiplyOutOfRange) {
  // F({0}) = 1e200 * 1e200 * 1e-300 = 1e100 is finite, but the term would be shown as inf * 1e-300.
  const AnyModel tiny = make_pairwise_field({1e-300}, {});
  const AnyModel large = make_weighted_sum(1, {{1e200, tiny}});
  const AnyModel small = make_weighted_sum(1, {{1e-200, tiny}});
  EXPECT_EQ(testing::refusal([&] {
              make_weighted_sum(1, {{1, tiny}, {1e200, large}});
            }),
            "sum: term 1 is a sum itself, and its weight 1e+200 times the weight 1e+200 inside is "
            "inf, which is out of range");
  EXPECT_EQ(testing::refusal([&] {
              make_weighted_sum(1, {{1e-200, small}});
            }),
            "sum: term 0 is a sum itself, and its weight 1e-200 times the weight 1e-200 inside is "
            "0, which is out of range");
  const AnyModel deep = make_weighted_sum(1, {{1e100, large}});
  EXPECT_EQ(testing::refusal([&] {
              make_weighted_sum(1, {{1e100, deep}});
            }),
            "sum: term 0 is a sum itself, and its weight 1e+200 times the weight 1e+200 inside is "
            "inf, which is out of range")
      << "three deep";
  for (const double weight : {0.0, 1.0, -1.0, 1e100})
    EXPECT_EQ(make_weighted_sum(1, {{weight, large}}).evaluate(std::vector<std::uint8_t>{1}),
              weight * (1e200 * 1e-300));
  const AnyModel subnormal = make_weighted_sum(1, {{5e-324, tiny}});
  EXPECT_EQ(make_weighted_sum(1, {{1, subnormal}}).size(), 1U) << "times 1 is exact";
}

TEST(AnyModel, KnowsWhatItIs) {
  const AnyModel field = make_pairwise_field({0, 0}, {});
  EXPECT_EQ(kind_of(field), "pairwise");
  EXPECT_EQ(size_of(field), 2U);
  EXPECT_FALSE(is_estimated(field));
  const auto kernel = make_log_det(Eigen::MatrixXd::Identity(2, 2));
  EXPECT_TRUE(is_estimated(AnyModel(kernel)));
  EXPECT_TRUE(is_estimated(AnyModel(make_weighted_sum(2, {{1, kernel}}))));
  EXPECT_FALSE(
      is_estimated(AnyModel(make_weighted_sum(2, {{1, make_pairwise_field({0, 0}, {})}}))));
}

TEST(WeightedSum, IsAssumedSubmodularWhereATermIs) {
  const AnyModel box = make_black_box(
      2, [](Subset in) { return in[0] || in[1] ? 1.0 : 0.0; }, 5);
  const AnyModel field = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, -1}});
  const auto of = [&](double weight) {
    return AnyModel(make_weighted_sum(2, {{weight, box}, {1, field}})).facts();
  };
  EXPECT_EQ(of(2).submodularity, Submodularity::kAssumed);
  EXPECT_EQ(of(2).basis(), Basis::kAssumesSubmodular);
  EXPECT_EQ(of(0).submodularity, Submodularity::kProved) << "a term of weight 0 is none";
  EXPECT_EQ(of(-1).submodularity, Submodularity::kViolated);
}

}  // namespace
}  // namespace surefield
