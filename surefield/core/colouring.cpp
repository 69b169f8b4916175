#include "surefield/core/colouring.hpp"

#include <algorithm>
#include <cstdint>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// The smallest colour that none before it among its neighbours has, one by one. `show(i, see)` calls
/// see(j) for every neighbour j of i, more than once if it likes.
template <class Show>
std::vector<std::uint32_t> greedy_colours(Index n, const Show& show) {
  std::vector<std::uint32_t> colour(n);
  std::vector<Index> taken_by;  // taken_by[c] == i + 1: a neighbour of i has colour c
  for (Index i = 0; i < n; ++i) {
    show(i, [&](Index j) {
      if (j >= i) return;
      if (colour[j] >= taken_by.size()) taken_by.resize(colour[j] + 1, 0);
      taken_by[colour[j]] = i + 1;
    });
    std::uint32_t free = 0;
    while (free < taken_by.size() && taken_by[free] == i + 1) ++free;
    colour[i] = free;
  }
  return colour;
}

/// Blocks by wave, those of a wave ascending; where each wave ends goes to `ends`.
std::vector<Index> blocks_by_wave(Neighbours neighbours, Index n, Index block,
                                  std::vector<std::size_t>& ends) {
  const Index blocks = (n + block - 1) / block;
  const auto wave = greedy_colours(blocks, [&](Index b, const auto& see) {
    for (Index i = b * block; i < std::min((b + 1) * block, n); ++i)
      for (const auto j : neighbours.of(i)) see(j / block);
  });
  std::vector<Index> sorted(blocks);
  for (Index b = 0; b < blocks; ++b) sorted[b] = b;
  std::ranges::stable_sort(sorted, {}, [&](Index b) { return wave[b]; });
  for (Index k = 0; k < blocks; ++k)
    if (k + 1 == blocks || wave[sorted[k]] != wave[sorted[k + 1]]) ends.push_back(k + 1);
  return sorted;
}

}  // namespace

Colouring colour_in_blocks(Neighbours neighbours, Index block) {
  require(block > 0, "colouring: a block has 0 coordinates, but it takes at least 1");
  const Index n = neighbours.empty() ? 0 : neighbours.start.size() - 1;
  const auto colour = greedy_colours(n, [&](Index i, const auto& see) {
    for (const auto j : neighbours.of(i)) see(j);
  });
  Colouring result;
  result.order.reserve(n);
  std::vector<std::vector<Index>> classes;
  for (const Index b : blocks_by_wave(neighbours, n, block, result.wave_ends)) {
    for (Index i = b * block; i < std::min((b + 1) * block, n); ++i) {
      if (colour[i] >= classes.size()) classes.resize(colour[i] + 1);
      classes[colour[i]].push_back(i);
    }
    for (auto& members : classes) {
      if (members.empty()) continue;
      result.order.insert(result.order.end(), members.begin(), members.end());
      result.class_ends.push_back(result.order.size());
      members.clear();
    }
    result.block_ends.push_back(result.class_ends.size());
  }
  return result;
}

}  // namespace surefield
