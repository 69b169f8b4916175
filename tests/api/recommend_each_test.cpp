#include "surefield/api/recommend_each.hpp"

#include <gtest/gtest.h>

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/log_det/log_det.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

Problem problem_of(AnyModel model) {
  return make_problem(std::move(model), {}, {}, {.no_guarantee = true});
}

SetCollection baskets_of(Index items, Index count, std::uint64_t seed) {
  Random random(seed);
  SetCollection data{.items = items, .sets = {}, .names = {}};
  for (Index k = 0; k < count; ++k) {
    auto& set = data.sets.emplace_back();
    for (std::uint32_t i = 0; i < items; ++i)
      if (random.chance(0.3)) set.push_back(i);
  }
  return data;
}

std::vector<BasketAnswer> all_answers(const Problem& problem, const SetCollection& baskets,
                                      const RecommendOptions& options) {
  std::vector<BasketAnswer> all;
  const auto found = recommend_each(problem, baskets, options,
                                    [&](Index first, std::span<const BasketAnswer> some) {
                                      EXPECT_EQ(first, all.size());
                                      all.insert(all.end(), some.begin(), some.end());
                                    });
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.answered, baskets.sets.size());
  return all;
}

TEST(RecommendEach, SaysOfEveryBasketWhatRecommendSays) {
  Random random(3);
  std::vector<double> bias(9);
  for (double& b : bias) b = random.uniform(-2, 1);
  const std::vector<AnyModel> models{
      testing::random_flid(9, 2, 1), testing::random_fldc(9, 1, 2, 2),
      make_pairwise_field(bias, testing::random_edges(9, 0.8, -1, 1, random))};
  for (const AnyModel& model : models)
    for (const std::string method : {"gain", "mean-field", "exact", "auto"}) {
      const Problem problem = problem_of(model);
      const SetCollection baskets = baskets_of(9, 40, 7);
      RecommendOptions how{.out = {4}, .count = 3, .method = method, .explain = true};
      how.budget = Budget().with_threads(3);
      const auto answers = all_answers(problem, baskets, how);
      for (Index k = 0; k < answers.size(); ++k) {
        how.have.assign(baskets.sets[k].begin(), baskets.sets[k].end());
        const bool has_left_out = std::ranges::find(how.have, 4U) != how.have.end();
        how.out = has_left_out ? std::vector<Index>{} : std::vector<Index>{4};
        const auto alone = recommend(problem, how);
        ASSERT_EQ(answers[k].suggestions.size(), alone.suggestions.size());
        for (Index s = 0; s < alone.suggestions.size(); ++s) {
          const Suggestion& one = answers[k].suggestions[s];
          EXPECT_EQ(one.item, alone.suggestions[s].item) << method << k;
          EXPECT_NEAR(one.marginal, alone.suggestions[s].marginal, 1e-8) << method << k;
          EXPECT_NEAR(one.gain, alone.suggestions[s].gain, 1e-12) << method << k;
          ASSERT_EQ(one.because.size(), alone.suggestions[s].because.size());
          for (Index r = 0; r < one.because.size(); ++r)
            EXPECT_EQ(one.because[r].item, alone.suggestions[s].because[r].item);
        }
      }
    }
}

TEST(RecommendEach, ItemsThatAreAlwaysInAreInForEveryBasket) {
  Box box = unit_box(9);
  box.fix(2, 1);
  const Problem problem = make_problem(testing::random_flid(9, 2, 1), {}, box);
  const SetCollection baskets = baskets_of(9, 12, 7);
  RecommendOptions how{.count = 8, .method = "gain", .explain = true};
  const auto answers = all_answers(problem, baskets, how);
  for (Index k = 0; k < answers.size(); ++k) {
    how.have.assign(baskets.sets[k].begin(), baskets.sets[k].end());
    const auto alone = recommend(problem, how);
    ASSERT_EQ(answers[k].suggestions.size(), alone.suggestions.size());
    for (Index s = 0; s < alone.suggestions.size(); ++s) {
      EXPECT_EQ(answers[k].suggestions[s].item, alone.suggestions[s].item) << k;
      EXPECT_NEAR(answers[k].suggestions[s].gain, alone.suggestions[s].gain, 1e-12) << k;
      EXPECT_EQ(answers[k].suggestions[s].because.size(), alone.suggestions[s].because.size());
    }
  }
}

TEST(RecommendEach, ItemsByThemselvesAndFieldsOfSmallTreewidthAreExact) {
  Random random(9);
  std::vector<double> bias(30);
  std::vector<Edge> edges;
  for (double& b : bias) b = random.uniform(-2, 0);
  for (std::uint32_t i = 0; i + 1 < 30; ++i) edges.push_back({i, i + 1, random.uniform(-1, 1)});
  for (const AnyModel& model :
       {AnyModel(make_flid(bias, {}, 0)), AnyModel(make_pairwise_field(bias, edges))}) {
    const Problem problem = problem_of(model);
    const SetCollection baskets = baskets_of(30, 20, 7);
    const auto answers = all_answers(problem, baskets, {.out = {4}, .count = 30});
    for (Index k = 0; k < answers.size(); ++k) {
      RecommendOptions how{.out = {4}, .count = 30};
      how.have.assign(baskets.sets[k].begin(), baskets.sets[k].end());
      if (std::ranges::find(how.have, 4U) != how.have.end()) how.out.clear();
      const auto alone = recommend(problem, how);
      EXPECT_TRUE(answers[k].exact && alone.exact);
      ASSERT_EQ(answers[k].suggestions.size(), alone.suggestions.size());
      for (Index s = 0; s < alone.suggestions.size(); ++s)
        EXPECT_NEAR(answers[k].suggestions[s].marginal, alone.suggestions[s].marginal, 1e-8);
    }
  }
}

// Of a chain of both signs some items are run flipped: whichever is out, it is out.
TEST(RecommendEach, AnItemThatIsOutIsOutFlippedOrNot) {
  Random random(9);
  std::vector<Edge> chain;
  for (std::uint32_t i = 0; i + 1 < 8; ++i) chain.push_back({i, i + 1, i % 2 ? -1.0 : 2.0});
  const Problem problem = problem_of(make_pairwise_field(std::vector<double>(8, -0.5), chain));
  const auto flipped = std::ranges::count(problem.flips, 1);
  ASSERT_TRUE(flipped > 0 && flipped < 8);
  const SetCollection baskets = baskets_of(8, 6, 7);
  for (Index out = 0; out < 8; ++out) {
    const auto answers = all_answers(problem, baskets, {.out = {out}, .count = 8});
    for (Index k = 0; k < answers.size(); ++k) {
      RecommendOptions how{.out = {out}, .count = 8};
      how.have.assign(baskets.sets[k].begin(), baskets.sets[k].end());
      if (std::ranges::find(how.have, out) != how.have.end()) continue;
      const auto alone = recommend(problem, how);
      EXPECT_TRUE(answers[k].exact && alone.exact);
      ASSERT_EQ(answers[k].suggestions.size(), alone.suggestions.size());
      for (Index s = 0; s < alone.suggestions.size(); ++s)
        EXPECT_NEAR(answers[k].suggestions[s].marginal, alone.suggestions[s].marginal, 1e-8);
    }
  }
}

// A determinant adds up all sets at beta = 1, and nothing does so at another temperature.
TEST(RecommendEach, IsExactWhereItIsAtTheTemperatureAskedFor) {
  const Problem problem = problem_of(make_log_det(testing::random_kernel(40, 2)));
  const auto method = [&](double beta) {
    return recommend_each(problem, baskets_of(40, 2, 5), {.inverse_temperature = beta},
                          [](Index, std::span<const BasketAnswer>) {})
        .method;
  };
  EXPECT_EQ(method(1), "exact marginals");
  EXPECT_EQ(method(2), "gain");
}

TEST(RecommendEach, AnswersTakeNoMoreMemoryThanTheyHold) {
  const Problem problem = problem_of(make_pairwise_field(std::vector<double>(5000, -3.0), {}));
  for (const BasketAnswer& answer :
       all_answers(problem, baskets_of(5000, 3, 1), {.count = 4, .method = "gain"})) {
    ASSERT_EQ(answer.suggestions.size(), 4U);
    EXPECT_LE(answer.suggestions.capacity(), 8U);
  }
}

TEST(RecommendEach, TheReasonsInAFieldAreItsCouplings) {
  // Given {0, 1}: item 2 gains -1 + 2 - 0.5, because of 0 by +2 and of 1 by -0.5.
  const Problem problem = problem_of(make_pairwise_field(
      {0, 0, -1, -9}, std::vector<Edge>{{0, 2, 2.0}, {1, 2, -0.5}, {0, 1, 0.25}}));
  const auto answers = all_answers(problem, {.items = 4, .sets = {{0, 1}}, .names = {}},
                                   {.count = 1, .method = "gain", .explain = true});
  const Suggestion& one = answers[0].suggestions[0];
  EXPECT_EQ(one.item, 2U);
  EXPECT_DOUBLE_EQ(one.gain, 0.5);
  ASSERT_EQ(one.because.size(), 2U);
  EXPECT_EQ(one.because[0].item, 0U);
  EXPECT_DOUBLE_EQ(one.because[0].effect, 2);
  EXPECT_EQ(one.because[1].item, 1U);
  EXPECT_DOUBLE_EQ(one.because[1].effect, -0.5);
}

TEST(RecommendEach, StopsWhenTheBudgetIsSpentAndRefusesOtherItems) {
  const Problem problem = problem_of(testing::random_flid(9, 2, 1));
  const auto found =
      recommend_each(problem, baskets_of(9, 5, 1), {.method = "gain", .budget = Budget().within(0)},
                     [](Index, std::span<const BasketAnswer>) { FAIL(); });
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(found.answered, 0U);
  EXPECT_EQ(testing::refusal([&] { recommend_each(problem, baskets_of(8, 5, 1), {}, {}); }),
            "recommend: the baskets are of 8 items, but the model has 9");
}

}  // namespace
}  // namespace surefield
