// The pieces that are summed exactly, against enumeration.
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/hoelder/automaton_piece.hpp"
#include "surefield/bounds/log_z/hoelder/best_item_piece.hpp"
#include "surefield/bounds/log_z/hoelder/edge_cover.hpp"
#include "surefield/bounds/log_z/hoelder/pairwise_piece.hpp"
#include "surefield/core/random.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/reference.hpp"

namespace surefield {
namespace {

struct Truth {
  double log_sum, expected;
  std::vector<double> marginal;
};

/// By enumeration: value_of(S) is the exponent, f_of(S) what is expected, has(S, f) a feature.
template <class Value, class F, class Has>
Truth enumerate(Index n, Index features, Value&& value_of, F&& f_of, Has&& has) {
  std::vector<double> values;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code)
    values.push_back(value_of(reference::subset(code, n)));
  Truth truth{log_sum_exp(values), 0, std::vector<double>(features, 0)};
  for (std::uint64_t code = 0; code < values.size(); ++code) {
    const auto chosen = reference::subset(code, n);
    const double p = std::exp(values[code] - truth.log_sum);
    truth.expected += p * f_of(chosen);
    for (Index f = 0; f < features; ++f) truth.marginal[f] += has(chosen, f) ? p : 0;
  }
  return truth;
}

std::vector<double> random_theta(Index n, double size, Random& random) {
  std::vector<double> theta(n);
  for (double& t : theta) t = random.chance(0.1) ? 0 : random.uniform(-size, size);
  return theta;
}

TEST(BestItemPiece, AgreesWithEnumeration) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    const Index n = random.below(8);
    BestItemPiece piece;
    for (std::uint32_t i = 0; i < n; ++i) {
      piece.items.push_back(i);
      piece.weight.push_back(random.chance(0.3) ? 1 : random.uniform(-1, 3));
    }
    std::ranges::sort(piece.weight);
    const auto theta = random_theta(n, seed % 7 == 0 ? 800 : 2, random);
    const double scale = random.uniform(-1, 4);
    const auto best = [&](const std::vector<std::uint8_t>& s) {
      double value = 0;
      for (Index i = 0; i < n; ++i)
        if (s[i]) value = piece.weight[i];  // ascending
      return value;
    };
    const Truth truth = enumerate(
        n, n,
        [&](const auto& s) {
          double value = scale * best(s);
          for (Index i = 0; i < n; ++i) value += s[i] ? theta[i] : 0;
          return value;
        },
        best, [](const auto& s, Index f) { return s[f] != 0; });
    std::vector<double> marginal(n), on_top(n);
    const PieceSum sum = piece.sum(theta, scale, marginal, on_top);
    const Truth tops = enumerate(
        n, n,
        [&](const auto& s) {
          double value = scale * best(s);
          for (Index i = 0; i < n; ++i) value += s[i] ? theta[i] : 0;
          return value;
        },
        best,
        [n](const auto& s, Index f) {
          bool top = s[f] != 0;
          for (Index i = f + 1; i < n; ++i) top = top && s[i] == 0;
          return top;
        });
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(on_top[i], tops.marginal[i], 1e-10);
    EXPECT_NEAR(sum.log_sum, truth.log_sum, 1e-12 * (1 + std::abs(truth.log_sum)));
    EXPECT_NEAR(sum.expected, truth.expected, 1e-10);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(marginal[i], truth.marginal[i], 1e-10);
  }
}

TEST(BestItemPiece, TwoItemsByHand) {
  const BestItemPiece piece{{0, 1}, {std::log(2), std::log(3)}};
  std::vector<double> marginal(2);
  // 1 + e^0 2 + e^0 3 + both 3 = 9
  const PieceSum sum = piece.sum(std::vector<double>{0, 0}, 1, marginal);
  EXPECT_NEAR(sum.log_sum, std::log(9), 1e-15);
  EXPECT_NEAR(marginal[0], 5.0 / 9, 1e-15);
  EXPECT_NEAR(marginal[1], 6.0 / 9, 1e-15);
  EXPECT_NEAR(sum.expected, (2 * std::log(2) + 6 * std::log(3)) / 9, 1e-15);
}

/// A concept: the uncovered part is the state.
AutomatonRule covered(const std::vector<double>& p, double w) {
  return {1, [&p](double s, std::size_t m, bool in) { return in ? s * (1 - p[m]) : s; },
          [w](double s) { return w * (1 - s); }};
}

TEST(AutomatonPiece, AgreesWithEnumerationAndMergesUpwards) {
  int merged = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const Index n = random.below(9);
    std::vector<double> p(n);
    std::vector<std::uint32_t> members(n), position(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      p[i] = random.chance(0.3) ? 1 : random.chance(0.3) ? 0.5 : random.uniform();
      members[i] = position[i] = i;
    }
    Assignment fixed(n, kFree);
    for (auto& value : fixed)
      if (random.chance(0.2)) value = random.chance(0.5) ? 1 : 0;
    Index free = 0;
    for (Index i = 0; i < n; ++i)
      if (fixed[i] == kFree) position[i] = static_cast<std::uint32_t>(free++);
    const double w = random.uniform(-3, 3);
    const std::size_t cap = seed % 3 == 0 ? 4 : 256;
    const auto piece = make_automaton(members, fixed, position, covered(p, w), cap);
    ASSERT_EQ(piece.items.size(), free);
    const auto theta = random_theta(free, 2, random);
    const double scale = random.uniform(0.5, 4);
    const auto f = [&](const std::vector<std::uint8_t>& s) {
      double uncovered = 1;
      for (Index i = 0; i < n; ++i)
        if (fixed[i] == 1 || (fixed[i] == kFree && s[position[i]])) uncovered *= 1 - p[i];
      return w * (1 - uncovered);
    };
    const Truth truth = enumerate(
        free, free,
        [&](const auto& s) {
          double value = scale * f(s);
          for (Index i = 0; i < free; ++i) value += s[i] ? theta[i] : 0;
          return value;
        },
        f, [](const auto& s, Index k) { return s[k] != 0; });
    std::vector<double> marginal(free);
    const PieceSum sum = piece.sum(theta, scale, marginal);
    if (piece.merged) {
      ++merged;
      EXPECT_GE(sum.log_sum, truth.log_sum - 1e-12);
      EXPECT_LE(sum.log_sum, truth.log_sum + scale * std::abs(w));
      continue;
    }
    EXPECT_NEAR(sum.log_sum, truth.log_sum, 1e-12);
    EXPECT_NEAR(sum.expected, truth.expected, 1e-11);
    for (Index i = 0; i < free; ++i) EXPECT_NEAR(marginal[i], truth.marginal[i], 1e-11);
  }
  EXPECT_GT(merged, 20);
}

TEST(PairwisePiece, AgreesWithEnumeration) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    const Index n = seed % 9;
    const auto edges =
        make_pairwise_field(std::vector<double>(n, 0.0),
                            testing::random_edges(n, random.uniform(), -2, 2, random))
            .edges();
    const auto cover = edge_cover(n, edges, 9);
    if (edges.empty()) {
      EXPECT_TRUE(cover.empty());
      continue;
    }
    ASSERT_EQ(cover.size(), 1U);  // never wider than n
    const PairwisePiece piece(n, edges, cover[0].order);
    const Index features = n + edges.size();
    const auto theta = random_theta(features, seed % 7 == 0 ? 1000 : 2, random);
    const auto has = [&](const auto& s, Index f) {
      return f < n ? s[f] != 0 : s[edges[f - n].from] && s[edges[f - n].to];
    };
    const Truth truth = enumerate(
        n, features,
        [&](const auto& s) {
          double value = 0;
          for (Index f = 0; f < features; ++f) value += has(s, f) ? theta[f] : 0;
          return value;
        },
        [](const auto&) { return 0.0; }, has);
    std::vector<double> marginal(features);
    EXPECT_NEAR(piece.sum(theta, marginal).log_sum, truth.log_sum,
                1e-12 * (1 + std::abs(truth.log_sum)));
    for (Index f = 0; f < features; ++f) EXPECT_NEAR(marginal[f], truth.marginal[f], 1e-9);
  }
}

std::vector<Edge> grid_edges(std::uint32_t side) {
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < side * side; ++i) {
    if ((i + 1) % side != 0) edges.push_back({i, i + 1, 1});
    if (i + side < side * side) edges.push_back({i, i + side, 1});
  }
  return edges;
}

TEST(EdgeCover, HoldsEveryEdgeInNarrowSubgraphs) {
  Random random(1);
  const std::vector<std::pair<Index, std::vector<Edge>>> graphs{
      {100, grid_edges(10)},
      {30, testing::random_edges(30, 0.1, 1, 2, random)},
      {25, testing::random_edges(25, 1, 1, 2, random)},
      {12, testing::random_edges(6, 1, 1, 2, random)}};  // six nodes without edges
  for (const auto& [nodes, list] : graphs) {
    const auto edges = make_pairwise_field(std::vector<double>(nodes, 0.0), list).edges();
    for (const Index width : {Index{2}, Index{4}, Index{8}, Index{9}}) {
      // 9: as 8, with no time left.
      const Budget budget = width == 9 ? Budget().within(0) : Budget();
      const auto cover = edge_cover(nodes, edges, std::min(width, Index{8}), budget);
      std::vector<int> uses(edges.size(), 0);
      for (const auto& part : cover) {
        EXPECT_TRUE(part.order.complete);
        EXPECT_LE(part.order.width, width);
        EXPECT_EQ(part.order.order.size(), nodes);
        for (const auto e : part.edges) ++uses[e];
      }
      for (const int count : uses) EXPECT_GE(count, 1);
    }
  }
  EXPECT_EQ(edge_cover(100, grid_edges(10), 8).size(), 2U);  // strips
  EXPECT_EQ(edge_cover(100, grid_edges(10), 14).size(), 1U);
  EXPECT_TRUE(edge_cover(0, {}, 2).empty());
  // Once time is over there are no strips: forests, which take next to none.
  const auto forests = edge_cover(100, grid_edges(10), 8, Budget().within(0));
  for (const auto& part : forests) EXPECT_LE(part.order.width, 2U);
}

TEST(NarrowOrder, IsThatOfEliminationOrNothing) {
  int narrow = 0, wide = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 2 + seed % 14;
    Scopes scopes;
    for (const Edge& edge : testing::random_edges(n, random.uniform(0.1, 0.6), 1, 2, random))
      scopes.push_back({edge.from, edge.to});
    const std::vector<std::uint8_t> none(n, 0);
    for (Index limit = 2; limit <= 6; ++limit) {
      const EliminationOrder full = elimination_order(n, scopes, none, limit);
      const EliminationOrder found = narrow_order(n, scopes, limit);
      const bool within = full.complete && full.width <= limit;
      ASSERT_EQ(found.complete && found.width <= limit, within) << limit;
      ++(within ? narrow : wide);
      if (!within) continue;
      EXPECT_EQ(found.order, full.order);
      EXPECT_EQ(found.later, full.later);
    }
  }
  EXPECT_GT(narrow, 100);
  EXPECT_GT(wide, 100);
}

}  // namespace
}  // namespace surefield
