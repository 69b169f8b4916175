#include "surefield/bounds/log_z/hoelder/edge_forests.hpp"

#include <numeric>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// Which nodes are connected, by union and path halving.
class Components {
 public:
  explicit Components(Index n) : up_(n) { std::iota(up_.begin(), up_.end(), 0U); }

  /// False if they were connected already.
  bool connect(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return false;
    up_[a < b ? b : a] = a < b ? a : b;
    return true;
  }

 private:
  std::uint32_t root(std::uint32_t a) {
    while (up_[a] != a) a = up_[a] = up_[up_[a]];
    return a;
  }
  std::vector<std::uint32_t> up_;
};

/// Breadth first from the least node of every tree.
Forest rooted(Index n, std::span<const Edge> edges) {
  const PairwiseField graph = make_pairwise_field(std::vector<double>(n, 0.0), edges);
  Forest forest;
  forest.order.reserve(n);
  forest.parent.reserve(n);
  forest.weight.reserve(n);
  std::vector<std::uint8_t> seen(n, 0);
  for (Index root = 0; root < n; ++root) {
    if (seen[root]) continue;
    seen[root] = 1;
    forest.order.push_back(static_cast<std::uint32_t>(root));
    forest.parent.push_back(Forest::kRoot);
    forest.weight.push_back(0);
    for (std::size_t place = forest.order.size() - 1; place < forest.order.size(); ++place) {
      const Index i = forest.order[place];
      for (std::size_t e = graph.start[i]; e < graph.start[i + 1]; ++e) {
        const auto j = graph.neighbour[e];
        if (seen[j]) continue;
        seen[j] = 1;
        forest.order.push_back(j);
        forest.parent.push_back(static_cast<std::uint32_t>(place));
        forest.weight.push_back(graph.coupling[e]);
      }
    }
  }
  return forest;
}

}  // namespace

std::vector<Forest> edge_forests(Index n, std::span<const Edge> edges, std::size_t most) {
  std::vector<Components> components;
  std::vector<std::vector<Edge>> dealt;
  for (const Edge& edge : edges) {
    std::size_t t = 0;
    while (t < components.size() && !components[t].connect(edge.from, edge.to)) ++t;
    if (t == components.size()) {
      require(t < most, "forests: the graph is so dense that its edges do not fit into ", most,
              " forests");
      components.emplace_back(n).connect(edge.from, edge.to);
      dealt.emplace_back();
    }
    dealt[t].push_back(edge);
  }
  if (dealt.empty()) dealt.emplace_back();
  std::vector<Forest> forests;
  for (auto& own : dealt) {
    forests.push_back(rooted(n, own));
    own = std::vector<Edge>();  // `{}` would keep its memory
  }
  return forests;
}

}  // namespace surefield
