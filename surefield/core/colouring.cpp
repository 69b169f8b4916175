#include "surefield/core/colouring.hpp"

#include <algorithm>
#include <limits>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// Which blocks touch which, as lists of neighbours, each block once.
struct BlockGraph {
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> list;
};

BlockGraph touching_blocks(Neighbours neighbours, Index n, Index block) {
  BlockGraph graph;
  std::vector<std::uint32_t> touched;
  for (Index first = 0; first < n; first += block) {
    touched.clear();
    for (Index i = first; i < std::min(first + block, n); ++i)
      for (const auto j : neighbours.of(i))
        if (j / block != first / block) touched.push_back(static_cast<std::uint32_t>(j / block));
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    graph.list.insert(graph.list.end(), touched.begin(), touched.end());
    graph.start.push_back(graph.list.size());
  }
  return graph;
}

/// The smallest colour that none of its neighbours has so far, one by one.
class Greedy {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  template <class See>
  std::uint32_t colour(const See& colours_beside) {
    ++now_;
    colours_beside([this](std::uint32_t c) {
      if (c == kNone) return;
      if (c >= taken_.size()) taken_.resize(c + 1, 0);
      taken_[c] = now_;
    });
    std::uint32_t free = 0;
    while (free < taken_.size() && taken_[free] == now_) ++free;
    return free;
  }

 private:
  std::vector<Index> taken_;  // by whom last
  Index now_ = 0;
};

/// The colours of the coordinates first .. last - 1, breadth first in each of their components.
class BlockColours {
 public:
  explicit BlockColours(Neighbours neighbours) : neighbours_(neighbours) {}

  std::span<const std::uint32_t> operator()(Index first, Index last) {
    colour_.assign(last - first, Greedy::kNone);
    met_.assign(last - first, 0);
    for (Index root = first; root < last; ++root) {
      if (met_[root - first]) continue;
      queue_.assign(1, root);
      met_[root - first] = 1;
      for (std::size_t k = 0; k < queue_.size(); ++k) {
        const Index i = queue_[k];
        colour_[i - first] = greedy_.colour([&](const auto& see) {
          for (const auto j : neighbours_.of(i)) {
            if (j < first || j >= last) continue;
            see(colour_[j - first]);
            if (met_[j - first]) continue;
            met_[j - first] = 1;
            queue_.push_back(j);
          }
        });
      }
    }
    return colour_;
  }

 private:
  Neighbours neighbours_;
  Greedy greedy_;
  std::vector<std::uint32_t> colour_;
  std::vector<std::uint8_t> met_;
  std::vector<Index> queue_;
};

}  // namespace

Index block_for(Index n) {
  constexpr Index kUnit = 64;
  constexpr Index kBlocks = 256;  // enough to share
  return std::clamp(n / kBlocks / kUnit * kUnit, kUnit, Index{4096});
}

Waves waves_of(Neighbours blocks) {
  Waves waves;
  Greedy greedy;
  waves.of_block.assign(blocks.start.size() - 1, Greedy::kNone);
  for (Index b = 0; b + 1 < blocks.start.size(); ++b) {
    waves.of_block[b] = greedy.colour([&](const auto& see) {
      for (const auto other : blocks.of(b)) see(waves.of_block[other]);
    });
    waves.count = std::max(waves.count, waves.of_block[b] + 1);
  }
  return waves;
}

Colouring arrange(Neighbours neighbours, Index n, Index block,
                  std::span<const std::uint32_t> wave_of_block, std::uint32_t waves) {
  Colouring result;
  result.order.reserve(n);
  std::vector<std::vector<Index>> in_wave(waves);
  for (Index b = 0; b < wave_of_block.size(); ++b) in_wave[wave_of_block[b]].push_back(b);
  BlockColours colours(neighbours);
  std::vector<std::vector<Index>> classes;
  for (const auto& blocks : in_wave) {
    for (const Index b : blocks) {
      const Index first = b * block;
      const Index last = std::min(first + block, n);
      const auto colour = colours(first, last);
      for (Index i = first; i < last; ++i) {
        if (colour[i - first] >= classes.size()) classes.resize(colour[i - first] + 1);
        classes[colour[i - first]].push_back(i);
      }
      for (auto& members : classes) {
        if (members.empty()) continue;
        result.order.insert(result.order.end(), members.begin(), members.end());
        result.class_ends.push_back(result.order.size());
        members.clear();
      }
      result.block_ends.push_back(result.class_ends.size());
    }
    result.wave_ends.push_back(result.block_ends.size());
  }
  return result;
}

Colouring colour_in_blocks(Neighbours neighbours, Index block) {
  require(block > 0, "colouring: a block has 0 coordinates, but it takes at least 1");
  const Index n = neighbours.empty() ? 0 : neighbours.start.size() - 1;
  const BlockGraph blocks = touching_blocks(neighbours, n, block);
  const Waves waves = waves_of({blocks.start, blocks.list});
  return arrange(neighbours, n, block, waves.of_block, waves.count);
}

}  // namespace surefield
