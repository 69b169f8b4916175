// Maximum flow between two terminals in an undirected network with whole-number capacities.
//
// Every node is tied to one terminal at most: a supply > 0 is a capacity from the source, a supply
// < 0 one to the sink. Search trees grow from both terminals and are mended, not rebuilt, after
// every augmentation: Y. Boykov, V. Kolmogorov. An Experimental Comparison of Min-Cut/Max-Flow
// Algorithms for Energy Minimization in Vision. PAMI 2004. All arithmetic is exact. Cost: near
// linear in the arcs on the sparse networks of this library, with no such guarantee; memory 32
// bytes an edge and 40 a node.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"

namespace surefield {

struct FlowEdge {
  std::uint32_t from, to;
  std::int64_t capacity;  ///< >= 0, in either direction
};

class MaxFlow {
 public:
  /// The sum of all capacities and supplies must stay below 2^62.
  MaxFlow(std::vector<std::int64_t> supply, std::span<const FlowEdge> edges);

  /// The value of a maximum flow. Call once. Once the budget is spent, the flow so far: no more than
  /// the maximum.
  std::int64_t run(const Budget& budget = {});

  /// After run: whether the node is on the source's side of a minimum cut.
  bool on_source_side(std::uint32_t node) const {
    return parent_[node] != kFree && !to_sink_[node];
  }

 private:
  using Node = std::uint32_t;
  using Arc = std::uint32_t;
  static constexpr Arc kFree = 0xffffffffU, kTerminal = kFree - 1, kOrphan = kFree - 2;

  /// What may still flow from the node's parent side to the node, along the arc leaving it.
  std::int64_t towards_tree(Node node, Arc arc) const {
    return to_sink_[node] ? rest_[arc] : rest_[twin_[arc]];
  }
  void activate(Node node);
  void orphan(Node node);
  Arc grow(Node node);
  void augment(Arc bridge);
  void adopt(Node node);
  bool find_root(Node node, std::uint32_t& distance);

  std::vector<std::uint32_t> start_;  // the arcs leaving a node, in one stretch
  std::vector<Node> head_;
  std::vector<Arc> twin_;
  std::vector<std::int64_t> rest_, supply_;
  std::vector<Arc> parent_;  // the arc from a node to its parent
  std::vector<std::uint32_t> distance_, stamp_;
  std::vector<std::uint8_t> to_sink_, waiting_;
  std::deque<Node> active_;
  std::vector<Node> orphans_;
  std::uint32_t now_ = 0;
  std::int64_t flow_ = 0;
};

}  // namespace surefield
