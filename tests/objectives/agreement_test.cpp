#include "surefield/objectives/agreement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/support/objective_laws.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using PairAgreement = Agreement<PairwiseField::State, PairwiseField::State>;
static_assert(Objective<PairAgreement>);

TEST(Agreement, ObeysTheLaws) {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const Index n = seed % 6;
    const double beta = seed % 2 ? 1 : 0.3;
    const auto first = testing::random_pairwise(n, 0.5, seed);
    const auto second = testing::random_pairwise(n, 0.5, seed + 100);
    const auto values = reference::all_values(first);
    const auto others = reference::all_values(second);
    const auto by_definition = [&](std::span<const double> x) {
      double sum = beta * (reference::multilinear(values, x) + reference::multilinear(others, x));
      for (const double v : x) sum -= x_log_x(v) + x_log_x(1 - v);
      return sum;
    };
    Box box = unit_box(n);
    if (seed % 4 == 0)
      for (Index i = 0; i < n; ++i) box.low[i] = 0.2, box.high[i] = 0.7;
    testing::check_objective_laws(
        [&](auto x) { return PairAgreement(first.at(x), second.at(x), beta); }, by_definition, box,
        seed);
  }
}

TEST(Agreement, NeverExceedsTheLogPartitionFunction) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto first = testing::random_pairwise(5, 0.5, seed);
    const auto second = testing::random_pairwise(5, 0.5, seed + 100);
    auto sum = reference::all_values(first);
    const auto others = reference::all_values(second);
    for (std::size_t code = 0; code < sum.size(); ++code) sum[code] += others[code];
    const std::vector<double> half(5, 0.5);
    PairAgreement objective(first.at(half), second.at(half), 2);
    for (int sweep = 0; sweep < 5; ++sweep)
      for (Index i = 0; i < 5; ++i) objective.set(i, objective.line(i).argmax({0, 1}));
    EXPECT_LE(objective.value(), reference::log_z(sum, 2) + 1e-12);
  }
}

TEST(Agreement, OneElementByHand) {
  const auto first = make_pairwise_field({1.0}, {}, 0.5);
  const auto second = make_graph_cut({-3.0}, {});
  const Agreement objective(first.at(std::vector{0.5}), second.at(std::vector{0.5}), 2);
  EXPECT_DOUBLE_EQ(objective.value(), -1 + std::log(2));  // 2 (0.5 + 0.5 - 1.5) + log 2
  EXPECT_DOUBLE_EQ(objective.line(0).linear(), -4);       // 2 (1 - 3)
}

TEST(Agreement, RefusesStatesThatDoNotBelongTogether) {
  const auto one = make_pairwise_field({1.0}, {});
  const auto two = make_pairwise_field({1.0, 2.0}, {});
  const std::vector<double> x{0.5, 0.5};
  EXPECT_EQ(testing::refusal([&] { Agreement(one.at(std::span(x).first(1)), two.at(x)); }),
            "agreement: the models have 1 and 2 elements, which must be the same");
  EXPECT_EQ(testing::refusal([&] {
              Agreement(two.at(x), two.at(std::vector{0.5, 0.25}));
            }),
            "agreement: coordinate 1 is 0.5 in the first state and 0.25 in the second, which must "
            "be the same");
  EXPECT_EQ(testing::refusal([&] { Agreement(two.at(x), two.at(x), 0); }),
            "agreement: the inverse temperature is 0, which must be finite and > 0");
  EXPECT_EQ(testing::refusal([&] { Agreement(two.at(x), two.at(x), NAN); }),
            "agreement: the inverse temperature is nan, which must be finite and > 0");
}

}  // namespace
}  // namespace surefield
