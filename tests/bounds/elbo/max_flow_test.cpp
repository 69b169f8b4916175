#include "surefield/bounds/elbo/max_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

/// The capacity of the cut that puts the nodes of `source_side` with the source.
std::int64_t cut_value(const std::vector<std::int64_t>& supply, const std::vector<FlowEdge>& edges,
                       const std::vector<bool>& source_side) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < supply.size(); ++i)
    if ((supply[i] > 0) != source_side[i]) value += supply[i] > 0 ? supply[i] : 0;
  for (std::size_t i = 0; i < supply.size(); ++i)
    if (supply[i] < 0 && source_side[i]) value -= supply[i];
  for (const auto& [from, to, capacity] : edges)
    if (source_side[from] != source_side[to]) value += capacity;
  return value;
}

TEST(MaxFlow, APathCarriesItsNarrowestEdge) {
  // source -7-> 0 -3- 1 -5- 2 -4-> sink
  const std::vector<FlowEdge> edges{{0, 1, 3}, {1, 2, 5}};
  MaxFlow flow({7, 0, -4}, edges);
  EXPECT_EQ(flow.run(), 3);
  EXPECT_TRUE(flow.on_source_side(0));
  EXPECT_FALSE(flow.on_source_side(1));
  EXPECT_FALSE(flow.on_source_side(2));
}

TEST(MaxFlow, EqualsTheSmallestOfAllCuts) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::size_t n = random.below(10);
    std::vector<std::int64_t> supply(n);
    for (auto& s : supply)
      s = random.chance(0.3) ? 0 : static_cast<std::int64_t>(random.below(21)) - 10;
    std::vector<FlowEdge> edges;
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < i; ++j)
        while (random.chance(0.4))  // some of them parallel
          edges.push_back({i, j, static_cast<std::int64_t>(random.below(8))});
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t code = 0; code < (std::size_t{1} << n); ++code) {
      std::vector<bool> side(n);
      for (std::size_t i = 0; i < n; ++i) side[i] = (code >> i) & 1;
      least = std::min(least, cut_value(supply, edges, side));
    }
    MaxFlow flow(supply, edges);
    EXPECT_EQ(flow.run(), least);
    std::vector<bool> side(n);
    for (std::uint32_t i = 0; i < n; ++i) side[i] = flow.on_source_side(i);
    EXPECT_EQ(cut_value(supply, edges, side), least);
  }
}

TEST(MaxFlow, FlowEqualsCutOnLargeGridsWithHugeCapacities) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    constexpr std::uint32_t kSide = 60;
    std::vector<std::int64_t> supply(kSide * kSide);
    for (auto& s : supply) s = static_cast<std::int64_t>((random.uniform() - 0.5) * 0x1p46);
    std::vector<FlowEdge> edges;
    for (std::uint32_t i = 0; i < kSide; ++i)
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const std::uint32_t k = i * kSide + j;
        const auto capacity = [&] { return static_cast<std::int64_t>(random.uniform() * 0x1p44); };
        if (j + 1 < kSide) edges.push_back({k, k + 1, capacity()});
        if (i + 1 < kSide) edges.push_back({k, k + kSide, capacity()});
      }
    MaxFlow flow(supply, edges);
    const std::int64_t value = flow.run();
    std::vector<bool> side(supply.size());
    for (std::uint32_t i = 0; i < side.size(); ++i) side[i] = flow.on_source_side(i);
    EXPECT_EQ(cut_value(supply, edges, side), value);  // a flow and a cut that meet are both best
  }
}

}  // namespace
}  // namespace surefield
