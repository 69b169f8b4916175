#include "surefield/bounds/log_z/exact/min_fill.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

/// The same rule with every fill counted afresh at every step.
MinFill by_definition(const Adjacency& graph, Subset skip) {
  MinFill result;
  std::vector<std::set<std::uint32_t>> near;
  std::set<std::uint32_t> left;
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    near.emplace_back(graph[v].begin(), graph[v].end());
    if (!skip[v]) left.insert(v);
  }
  while (!left.empty()) {
    std::tuple<Index, Index, std::uint32_t> best{~Index{0}, 0, 0};
    for (const auto v : left) {
      Index fill = 0;
      for (const auto a : near[v])
        for (const auto b : near[v]) fill += a < b && !near[a].contains(b) ? 1 : 0;
      best = std::min(best, {fill, near[v].size(), v});
    }
    const auto v = std::get<2>(best);
    result.order.push_back(v);
    result.width = std::max(result.width, near[v].size() + 1);
    for (const auto a : near[v]) {
      near[a].erase(v);
      for (const auto b : near[v])
        if (a != b) near[a].insert(b);
    }
    left.erase(v);
  }
  return result;
}

TEST(MinFill, KeptUpToDateIsTheSameAsCountedAfresh) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto n = static_cast<std::uint32_t>(seed % 25);
    const double density = random.uniform(0, seed % 3 == 0 ? 0.8 : 0.2);
    std::vector<std::uint8_t> skip(n);
    for (auto& s : skip) s = random.chance(0.1) ? 1 : 0;
    Adjacency graph(n);
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = a + 1; b < n; ++b)
        if (!skip[a] && !skip[b] && (random.chance(density) || (a == 0 && seed % 4 == 0))) {
          graph[a].push_back(b);
          graph[b].push_back(a);
        }
    for (auto& near : graph) std::sort(near.begin(), near.end());
    const auto found = min_fill(graph, skip, n);
    const auto truth = by_definition(graph, skip);
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.order, truth.order) << "seed " << seed;
    EXPECT_EQ(found.width, truth.width) << "seed " << seed;
  }
}

}  // namespace
}  // namespace surefield
