// What is left of a field when the fixed nodes of a box are gone: edges between free nodes, as flat arrays. End 2e is the `from` of edge e, end
// 2e + 1 its `to`. Cost: O(n + edges).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct EdgeNetwork {
  struct Link {
    std::uint32_t from, to;
    double weight;
    std::size_t edge;  // in the model
  };
  std::vector<Link> links;
  std::vector<double> bias;  // with what the fixed neighbours add
  std::vector<std::size_t> start{0};
  std::vector<std::uint32_t> end;  // the ends at node i: end[start[i]] .. end[start[i + 1]]
  std::vector<double> scale;       // mean |coupling| at a node
  double settled = 0;              // of fixed and lonely nodes, rounding margin included

  std::span<const std::uint32_t> ends(Index i) const {
    return {end.data() + start[i], end.data() + start[i + 1]};
  }
};

EdgeNetwork edge_network(const PairwiseField& model, const Box& box);

}  // namespace surefield
