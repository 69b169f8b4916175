#include "surefield/models/pairwise_field/colouring.hpp"

#include <algorithm>
#include <cstdint>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// The smallest colour that no earlier neighbour has, node by node.
std::vector<std::uint32_t> greedy_colours(const PairwiseField& model) {
  std::vector<std::uint32_t> colour(model.size());
  std::vector<Index> taken_by;  // taken_by[c] == i + 1: a neighbour of i has colour c
  for (Index i = 0; i < model.size(); ++i) {
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e) {
      const auto j = model.neighbour[e];
      if (j >= i) break;  // neighbours ascend
      if (colour[j] >= taken_by.size()) taken_by.resize(colour[j] + 1, 0);
      taken_by[colour[j]] = i + 1;
    }
    std::uint32_t free = 0;
    while (free < taken_by.size() && taken_by[free] == i + 1) ++free;
    colour[i] = free;
  }
  return colour;
}

}  // namespace

Colouring colour_in_blocks(const PairwiseField& model, Index block) {
  require(block > 0, "colouring: a block has 0 nodes, but it takes at least 1");
  const auto colour = greedy_colours(model);
  Colouring result;
  result.order.reserve(model.size());
  std::vector<std::vector<Index>> classes;
  for (Index first = 0; first < model.size(); first += block) {
    for (Index i = first; i < std::min(first + block, model.size()); ++i) {
      if (colour[i] >= classes.size()) classes.resize(colour[i] + 1);
      classes[colour[i]].push_back(i);
    }
    for (auto& members : classes) {
      if (members.empty()) continue;
      result.order.insert(result.order.end(), members.begin(), members.end());
      result.class_ends.push_back(result.order.size());
      members.clear();
    }
  }
  return result;
}

}  // namespace surefield
