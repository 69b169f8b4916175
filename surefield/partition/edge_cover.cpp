#include "surefield/partition/edge_cover.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

EliminationOrder order_of(Index nodes, std::span<const Edge> edges,
                          const std::vector<std::uint32_t>& chosen, Index width) {
  Scopes scopes;
  for (const auto e : chosen) scopes.push_back({edges[e].from, edges[e].to});
  const std::vector<std::uint8_t> none(nodes, 0);
  return elimination_order(nodes, scopes, none, width);
}

/// The distance of every node from one end of its component: the node last reached from any other.
std::vector<std::size_t> layers_of(Index nodes, std::span<const Edge> edges) {
  std::vector<std::vector<std::uint32_t>> neighbours(nodes);
  for (const Edge& edge : edges) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  constexpr std::size_t kUnseen = ~std::size_t{0};
  std::vector<std::size_t> layer(nodes, kUnseen);
  std::vector<std::uint32_t> reached;
  const auto walk = [&](std::uint32_t root) {
    reached.assign(1, root);
    layer[root] = 0;
    for (std::size_t k = 0; k < reached.size(); ++k)
      for (const auto to : neighbours[reached[k]])
        if (layer[to] == kUnseen) {
          layer[to] = layer[reached[k]] + 1;
          reached.push_back(to);
        }
  };
  for (std::uint32_t i = 0; i < nodes; ++i) {
    if (layer[i] != kUnseen) continue;
    walk(i);
    const auto end = reached.back();
    for (const auto node : reached) layer[node] = kUnseen;
    walk(end);
  }
  return layer;
}

/// The edges left when every h-th step between layers is cut, the first one after `offset` layers.
Subgraph strips(Index nodes, std::span<const Edge> edges, const std::vector<std::size_t>& layer,
                std::size_t h, std::size_t offset, Index width) {
  Subgraph part;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const auto [low, high] = std::minmax(layer[edges[e].from], layer[edges[e].to]);
    if (low == high || (high + h - offset) % h != 0) part.edges.push_back(e);
  }
  part.order = order_of(nodes, edges, part.edges, width);
  return part;
}

bool narrow(const Subgraph& part, Index width) {
  return part.order.complete && part.order.width <= width;
}

std::vector<Subgraph> forests(Index nodes, std::span<const Edge> edges) {
  std::vector<Subgraph> parts;
  std::vector<std::uint32_t> uses(edges.size(), 0), list(edges.size()), root(nodes);
  std::iota(list.begin(), list.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  while (std::ranges::find(uses, 0U) != uses.end()) {
    std::ranges::stable_sort(list, [&](auto a, auto b) { return uses[a] < uses[b]; });
    std::iota(root.begin(), root.end(), 0U);
    Subgraph part;
    for (const auto e : list) {
      const auto from = find(edges[e].from);
      const auto to = find(edges[e].to);
      if (from == to) continue;
      root[from] = to;
      ++uses[e];
      part.edges.push_back(e);
    }
    std::ranges::sort(part.edges);
    part.order = order_of(nodes, edges, part.edges, 2);
    SUREFIELD_ASSERT(narrow(part, 2));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

std::vector<Subgraph> edge_cover(Index nodes, std::span<const Edge> edges, Index width) {
  if (edges.empty()) return {};
  std::vector<std::uint32_t> all(edges.size());
  std::iota(all.begin(), all.end(), 0U);
  Subgraph whole{all, order_of(nodes, edges, all, width)};
  if (narrow(whole, width)) return {std::move(whole)};
  std::vector<Subgraph> best;
  if (width > 2) {
    const auto layer = layers_of(nodes, edges);
    const auto layers = *std::ranges::max_element(layer) + 1;
    for (std::size_t h = 2; h < 2 * layers; ++h) {
      Subgraph first = strips(nodes, edges, layer, h, 0, width);
      Subgraph second = strips(nodes, edges, layer, h, h / 2, width);
      if (!narrow(first, width) || !narrow(second, width)) break;
      best.clear();
      best.push_back(std::move(first));
      best.push_back(std::move(second));
    }
  }
  return best.empty() ? forests(nodes, edges) : best;
}

}  // namespace surefield
