#include "surefield/models/facility_location/affine_forest.hpp"

#include <algorithm>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

std::size_t fours_of_tree(std::uint32_t leaves) {
  std::size_t total = 0;
  for (std::uint32_t width = leaves; width > 1 || total == 0; total += width)
    width = fours_of(width);
  return total;
}

}  // namespace

AffineForest::AffineForest(Index items, std::span<const std::vector<Entry>> lists)
    : list_start_(lists.size() + 1, 0), item_start_(items + 1, 0), trees_(lists.size()) {
  std::size_t entries = 0;
  for (const auto& list : lists) entries += list.size();
  ranked_.reserve(entries);
  leaves_.resize(entries);
  for (Index d = 0; d < lists.size(); ++d) {
    SUREFIELD_ASSERT(fours_ < UINT32_MAX && lists[d].size() < UINT32_MAX);
    trees_[d] = {static_cast<std::uint32_t>(fours_), static_cast<std::uint32_t>(lists[d].size())};
    if (!lists[d].empty()) fours_ += fours_of_tree(trees_[d].leaves);
    for (const Entry& entry : lists[d]) {
      ranked_.push_back(entry);
      ++item_start_[entry.index + 1];
    }
    list_start_[d + 1] = ranked_.size();
  }
  for (Index i = 0; i < items; ++i) item_start_[i + 1] += item_start_[i];
  auto next = item_start_;
  for (std::uint32_t d = 0; d < lists.size(); ++d) {
    for (std::uint32_t rank = 0; rank < trees_[d].leaves; ++rank)
      leaves_[next[lists[d][rank].index]++] = {lists[d][rank].value, d, rank};
  }
}

void AffineForest::build(std::span<const double> x, AffineMaps& maps,
                         std::vector<double>& values) const {
  maps.resize(4 * fours_);
  values.assign(lists(), 0);
  for (Index d = 0; d < lists(); ++d) {
    const auto list = of_list(d);
    if (list.empty()) continue;
    AffineMap* level = maps.data() + 4 * std::size_t{trees_[d].first_four};
    auto width = static_cast<std::uint32_t>(list.size());
    for (std::uint32_t rank = 0; rank < width; ++rank) {
      const double v = x[list[rank].index];
      level[rank] = {1 - v, v * list[rank].value};
    }
    for (;;) {
      const std::uint32_t fours = fours_of(width);
      for (std::uint32_t node = width; node < 4 * fours; ++node) level[node] = {1, 0};
      if (fours == 1) break;
      AffineMap* const above = level + 4 * std::size_t{fours};
      for (std::uint32_t node = 0; node < fours; ++node)
        above[node] = composition(level + 4 * node);
      level = above;
      width = fours;
    }
    values[d] = composition(level).shift;
  }
}

void AffineForest::add_gradient(const AffineMaps& maps, std::span<double> out) const {
  std::vector<double> below;  // e before each rank
  for (Index d = 0; d < lists(); ++d) {
    const auto list = of_list(d);
    const AffineMap* const leaves = maps.data() + 4 * std::size_t{trees_[d].first_four};
    below.resize(std::max(below.size(), list.size()));
    double e = 0;
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      below[rank] = e;
      e = leaves[rank].slope * e + leaves[rank].shift;
    }
    double above = 1;
    for (std::size_t rank = list.size(); rank-- > 0;) {
      out[list[rank].index] += above * (list[rank].value - below[rank]);
      above *= leaves[rank].slope;
    }
  }
}

}  // namespace surefield
