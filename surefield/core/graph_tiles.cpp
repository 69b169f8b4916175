#include "surefield/core/graph_tiles.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

class Halving {
 public:
  Halving(Neighbours graph, Index size)
      : graph_(graph), size_(size), nodes_(graph.start.size() - 1), met_(nodes_.size()) {
    std::iota(nodes_.begin(), nodes_.end(), std::uint32_t{0});
    label_.assign(nodes_.size(), 0);
    tiles_.of_node.assign(nodes_.size(), 0);
  }

  GraphTiles operator()() {
    if (!nodes_.empty()) split(nodes_);
    return std::move(tiles_);
  }

 private:
  using Part = std::span<std::uint32_t>;

  /// All nodes of the part, in the order met from one of them; where none is left to meet, from the next that is not.
  void search(Part part, std::uint32_t from) {
    const std::uint32_t inside = label_[from];
    const std::uint32_t seen = next_label_++;
    std::size_t known = 0;
    const auto meet = [&](std::uint32_t node) {
      if (label_[node] != inside) return;
      label_[node] = seen;
      met_[known++] = node;
    };
    meet(from);
    std::size_t next = 0, start = 0;
    for (; next < part.size(); ++next) {
      while (next == known) meet(part[start++]);
      for (const std::uint32_t other : graph_.of(met_[next])) meet(other);
    }
    std::copy_n(met_.begin(), part.size(), part.begin());
  }

  void split(Part part) {
    if (part.size() <= size_) {
      for (const std::uint32_t node : part) tiles_.of_node[node] = tiles_.count;
      ++tiles_.count;
      return;
    }
    // A label of its own: searches never leave the part.
    const std::uint32_t label = next_label_++;
    for (const std::uint32_t node : part) label_[node] = label;
    search(part, part.front());
    search(part, part.back());
    const std::size_t pieces = (part.size() + size_ - 1) / size_;
    const std::size_t left = part.size() * ((pieces + 1) / 2) / pieces;
    split(part.subspan(0, left));
    split(part.subspan(left));
  }

  Neighbours graph_;
  Index size_;
  std::vector<std::uint32_t> nodes_, met_;
  std::vector<std::uint32_t> label_;  // of the last part or search that held the node
  std::uint32_t next_label_ = 1;
  GraphTiles tiles_;
};

}  // namespace

GraphTiles graph_tiles(Neighbours graph, Index size) {
  require(size >= 1, "tiles: the size is ", size, ", which must be >= 1");
  if (graph.empty()) return {};
  return Halving(graph, size)();
}

}  // namespace surefield
