#include "surefield/bounds/log_z/exact/conditional_tree.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

/// P(i in S | condition) over all sets of the box, by definition.
std::vector<double> by_definition(const AnyModel& model, const Box& box, double beta,
                                  std::span<const Condition> condition) {
  const Index n = model.size();
  std::vector<double> values, in(n, 0.0);
  std::vector<std::uint64_t> codes;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code) {
    bool agrees = true;
    for (Index i = 0; i < n; ++i) agrees &= box[i].contains(static_cast<double>(code >> i & 1));
    for (const auto& [item, is_in] : condition) agrees &= (code >> item & 1) == (is_in ? 1U : 0U);
    if (!agrees) continue;
    codes.push_back(code);
    values.push_back(beta * evaluate(model, reference::subset(code, n)));
  }
  const double log_z = reference::log_z(values);
  for (Index k = 0; k < codes.size(); ++k)
    for (Index i = 0; i < n; ++i)
      if ((codes[k] >> i & 1) != 0) in[i] += std::exp(values[k] - log_z);
  return in;
}

TEST(ConditionalTree, AgreesWithTheDefinitionWhateverIsConditionedOn) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const Index n = 1 + seed % 9;
    std::vector<double> bias(n);
    for (double& b : bias) b = random.uniform(-2, 1);
    const double strength = seed % 5 == 0 ? 8 : 1.5;
    const AnyModel model = make_pairwise_field(
        bias, testing::random_edges(n, seed % 3 == 0 ? 0.9 : 0.3, -strength, strength, random));
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i)
      if (random.chance(0.1)) box.fix(i, random.chance(0.5) ? 1 : 0);
    const double beta = seed % 4 == 0 ? 0.5 : 1;
    const ConditionalTree tree(model, box, {.beta = beta});
    ConditionalTree::Asker ask(tree);
    std::vector<double> found(n);
    for (int question = 0; question < 6; ++question) {
      std::vector<Condition> condition;
      for (std::uint32_t i = 0; i < n; ++i)
        if (!box[i].is_point() && random.chance(0.15 * question))
          condition.push_back({i, random.chance(0.7)});
      ASSERT_TRUE(ask(condition, found));
      const std::vector<double> truth = by_definition(model, box, beta, condition);
      for (Index i = 0; i < n; ++i)
        ASSERT_NEAR(found[i], truth[i], 2e-8) << "seed " << seed << " item " << i;
      if (condition.empty()) {
        EXPECT_EQ(ask.visited(), 0U);
        for (Index i = 0; i < n; ++i) EXPECT_NEAR(tree.marginals()[i], truth[i], 1e-12);
      }
    }
  }
}

// A chain of 4,000 items: what is far from the basket does not move, and is not looked at.
TEST(ConditionalTree, LooksOnlyAtWhatMoves) {
  constexpr Index kItems = 4000;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i + 1 < kItems; ++i) edges.push_back({i, i + 1, 0.8});
  const AnyModel model = make_pairwise_field(std::vector<double>(kItems, -1.0), edges);
  const Box box = unit_box(kItems);
  const ConditionalTree tree(model, box, {});
  ConditionalTree::Asker ask(tree);
  std::vector<double> found(kItems);
  const std::vector<Condition> condition{{1200, true}, {1203, false}, {3000, true}};
  ASSERT_TRUE(ask(condition, found));
  EXPECT_LT(ask.visited(), 200U);
  Box fixed = box;
  for (const auto& [item, in] : condition) fixed.fix(item, in ? 1 : 0);
  const Elimination exact = eliminate(model, &fixed);
  for (Index i = 0; i < kItems; ++i) ASSERT_NEAR(found[i], exact.marginals[i], 1e-7) << i;
  // The next question does not remember this one.
  ASSERT_TRUE(ask({}, found));
  EXPECT_EQ(found, tree.marginals());
}

TEST(ConditionalTree, SaysWhatItCannotAnswer) {
  const AnyModel model = make_pairwise_field({0.0, 0.0, 0.0}, std::vector<Edge>{{0, 1, -800.0}});
  Box box = unit_box(3);
  box.fix(2, 0);
  const ConditionalTree tree(model, box, {});
  ConditionalTree::Asker ask(tree);
  std::vector<double> found(3);
  EXPECT_FALSE(ask(std::vector<Condition>{{2, true}}, found));             // against the box
  EXPECT_FALSE(ask(std::vector<Condition>{{0, true}, {1, true}}, found));  // e^-800
  ASSERT_TRUE(ask(std::vector<Condition>{{0, true}, {2, false}}, found));
  EXPECT_EQ(found, (std::vector<double>{1, 0, 0}));
  std::vector<Edge> all;
  for (std::uint32_t i = 0; i < 8; ++i)
    for (std::uint32_t j = i + 1; j < 8; ++j) all.push_back({i, j, 0.1});
  EXPECT_EQ(testing::refusal([&] {
              ConditionalTree(make_pairwise_field(std::vector<double>(8, 0.0), all), unit_box(8),
                              {.limit = 5});
            }),
            "conditional tree: needs tables over 8 variables, more than the limit of 5");
}

// As often as their chances say: a field with a cycle, one item fixed, against all its sets.
TEST(ConditionalTree, DrawsSetsByTheirChances) {
  constexpr Index n = 5, count = 40'000;
  const AnyModel model = make_pairwise_field(
      {0.4, -0.3, 0.2, -0.5, 0.1},
      std::vector<Edge>{{0, 1, 1.2}, {1, 2, -0.8}, {2, 3, 0.9}, {3, 0, -1.1}, {3, 4, 0.7}});
  Box box = unit_box(n);
  box.fix(4, 1);
  for (const double beta : {1.0, -0.5}) {
    const ConditionalTree tree(model, box, {.beta = beta});
    EXPECT_LT(tree.error(), 1e-11);
    std::vector<double> chance(32, 0.0), values;
    std::vector<std::uint64_t> codes;
    for (std::uint64_t code = 16; code < 32; ++code) {
      codes.push_back(code);
      values.push_back(beta * evaluate(model, reference::subset(code, n)));
    }
    const double log_z = reference::log_z(values);
    for (std::size_t k = 0; k < codes.size(); ++k) chance[codes[k]] = std::exp(values[k] - log_z);
    std::vector<double> seen(32, 0.0);
    Random random(7);
    std::vector<std::uint8_t> set(n, 9);
    for (Index k = 0; k < count; ++k) {
      tree.draw(random, set);
      std::uint64_t code = 0;
      for (Index i = 0; i < n; ++i) code |= std::uint64_t{set[i]} << i;
      ASSERT_LT(code, 32U);
      seen[code] += 1;
    }
    for (std::uint64_t code = 0; code < 32; ++code) {
      const double expected = count * chance[code];
      EXPECT_NEAR(seen[code], expected, 5 * std::sqrt(expected) + 1e-9) << code;
    }
  }
}

}  // namespace
}  // namespace surefield
