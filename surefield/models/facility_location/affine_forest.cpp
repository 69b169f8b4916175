#include "surefield/models/facility_location/affine_forest.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

std::size_t blocks_of_tree(std::uint32_t leaves) {
  std::size_t total = 0;
  for (std::uint32_t width = leaves; width > 1 || total == 0; total += width)
    width = detail::blocks_of(width);
  return total;
}

}  // namespace

AffineForest::AffineForest(Index items, std::span<const std::vector<Entry>> lists)
    : list_start_(lists.size() + 1, 0), item_start_(items + 1, 0), first_block_(lists.size(), 0) {
  std::size_t entries = 0;
  for (const auto& list : lists) entries += list.size();
  ranked_.reserve(entries);
  leaves_.resize(entries);
  for (Index d = 0; d < lists.size(); ++d) {
    SUREFIELD_ASSERT(blocks_ < UINT32_MAX && lists[d].size() < UINT32_MAX);
    first_block_[d] = static_cast<std::uint32_t>(blocks_);
    if (!lists[d].empty()) blocks_ += blocks_of_tree(static_cast<std::uint32_t>(lists[d].size()));
    for (const Entry& entry : lists[d]) {
      ranked_.push_back(entry);
      ++item_start_[entry.index + 1];
    }
    list_start_[d + 1] = ranked_.size();
  }
  for (Index i = 0; i < items; ++i) item_start_[i + 1] += item_start_[i];
  auto next = item_start_;
  for (std::uint32_t d = 0; d < lists.size(); ++d) {
    const auto leaves = static_cast<std::uint32_t>(lists[d].size());
    for (std::uint32_t rank = 0; rank < leaves; ++rank)
      leaves_[next[lists[d][rank].index]++] = {lists[d][rank].value, d, first_block_[d], rank,
                                               leaves};
  }
}

void AffineForest::build(std::span<const double> x, std::vector<AffineBlock>& blocks,
                         std::vector<double>& values) const {
  blocks.assign(blocks_, {});
  values.assign(lists(), 0);
  for (Index d = 0; d < lists(); ++d) {
    const auto list = of_list(d);
    if (list.empty()) continue;
    AffineBlock* level = blocks.data() + first_block_[d];
    for (std::uint32_t rank = 0; rank < list.size(); ++rank) {
      const auto& [item, weight] = list[rank];
      level[rank >> 2].put(rank & 3, {1 - x[item], x[item] * weight});
    }
    std::uint32_t width = detail::blocks_of(static_cast<std::uint32_t>(list.size()));
    for (; width > 1; width = detail::blocks_of(width)) {
      for (std::uint32_t node = 0; node < width; ++node)
        level[width + (node >> 2)].put(node & 3, level[node].whole());
      level += width;
    }
    values[d] = level->whole().shift;
  }
}

void AffineForest::add_gradient(const std::vector<AffineBlock>& blocks,
                                std::span<double> out) const {
  std::vector<double> below;  // e before each rank
  for (Index d = 0; d < lists(); ++d) {
    const auto list = of_list(d);
    const AffineBlock* const leaves = blocks.data() + first_block_[d];
    below.resize(std::max(below.size(), list.size()));
    double e = 0;
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      below[rank] = e;
      e = leaves[rank >> 2].slope[rank & 3] * e + leaves[rank >> 2].shift[rank & 3];
    }
    double above = 1;
    for (std::size_t rank = list.size(); rank-- > 0;) {
      out[list[rank].index] += above * (list[rank].value - below[rank]);
      above *= leaves[rank >> 2].slope[rank & 3];
    }
  }
}

}  // namespace surefield
