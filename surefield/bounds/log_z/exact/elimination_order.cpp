#include "surefield/bounds/log_z/exact/elimination_order.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "surefield/bounds/log_z/exact/min_fill.hpp"

namespace surefield {
namespace {

void sort_unique(std::vector<std::uint32_t>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

Adjacency adjacency_of(Index n, const Scopes& scopes, Subset skip) {
  Adjacency graph(n);
  for (const auto& scope : scopes)
    for (const auto a : scope)
      for (const auto b : scope)
        if (a != b && !skip[a] && !skip[b]) graph[a].push_back(b);
  for (auto& near : graph) sort_unique(near);
  return graph;
}

/// The free variables of the largest term: no order does with less.
Index largest_scope(const Scopes& scopes, Subset skip) {
  Index largest = 0;
  for (const auto& scope : scopes)
    largest = std::max(largest, static_cast<Index>(std::count_if(
                                    scope.begin(), scope.end(), [&](auto i) { return !skip[i]; })));
  return largest;
}

/// The largest k such that some part of the graph has only nodes of degree k or more: no order does
/// with less than k + 1 variables.
Index degeneracy(const Adjacency& graph) {
  std::vector<std::vector<std::uint32_t>>
      of_degree;  // may hold a node more than once; the last entry counts
  std::vector<Index> degree(graph.size());
  for (std::uint32_t v = 0; v < graph.size(); ++v) {
    degree[v] = graph[v].size();
    if (of_degree.size() <= degree[v]) of_degree.resize(degree[v] + 1);
    of_degree[degree[v]].push_back(v);
  }
  std::vector<std::uint8_t> gone(graph.size(), 0);
  Index largest = 0;
  for (Index d = 0; d < of_degree.size();) {
    if (of_degree[d].empty()) {
      ++d;
      continue;
    }
    const auto v = of_degree[d].back();
    of_degree[d].pop_back();
    if (gone[v] || degree[v] != d) continue;
    gone[v] = 1;
    largest = std::max(largest, d);
    for (const auto u : graph[v])
      if (!gone[u]) of_degree[--degree[u]].push_back(u);
    if (d > 0) --d;
  }
  return largest;
}

/// The tables an order takes; nothing as soon as one has more than `most` variables.
std::optional<EliminationOrder> tables_of(const Adjacency& graph, std::vector<std::uint32_t> order,
                                          Index most) {
  EliminationOrder result;
  result.later.resize(order.size());
  std::vector<std::uint32_t> step(graph.size(), 0);
  for (std::uint32_t s = 0; s < order.size(); ++s) step[order[s]] = s;
  for (std::uint32_t s = 0; s < order.size(); ++s) {
    auto& later = result.later[s];  // holds what earlier tables have passed on
    for (const auto u : graph[order[s]])
      if (step[u] > s) later.push_back(step[u]);
    sort_unique(later);
    result.width = std::max(result.width, later.size() + 1);
    if (result.width > most) return std::nullopt;
    if (!later.empty())
      result.later[later[0]].insert(result.later[later[0]].end(), later.begin() + 1, later.end());
  }
  result.order = std::move(order);
  return result;
}

/// The sum of the table sizes.
double cost_of(const EliminationOrder& order) {
  double cost = 0;
  for (const auto& later : order.later) cost += std::ldexp(1, static_cast<int>(later.size()));
  return cost;
}

/// Breadth first from `start`, neighbours of smaller degree first; appends to `order` what it
/// reaches.
void breadth_first(const Adjacency& graph, std::uint32_t start, std::vector<std::uint8_t>& seen,
                   std::vector<std::uint32_t>& order) {
  seen[start] = 1;
  order.push_back(start);
  for (Index next = order.size() - 1; next < order.size(); ++next) {
    const Index first = order.size();
    for (const auto u : graph[order[next]]) {
      if (seen[u]) continue;
      seen[u] = 1;
      order.push_back(u);
    }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                     [&](auto a, auto b) { return graph[a].size() < graph[b].size(); });
  }
}

/// Each component from one of its ends to the other: the start is what a search from anywhere
/// reaches last, twice over.
std::vector<std::uint32_t> sweep(const Adjacency& graph, Subset skip) {
  std::vector<std::uint32_t> order;
  std::vector<std::uint8_t> seen(skip.begin(), skip.end());
  for (std::uint32_t start = 0; start < graph.size(); ++start) {
    if (seen[start]) continue;
    std::uint32_t end = start;
    for (int look = 0; look < 2; ++look) {
      std::vector<std::uint32_t> reached;
      breadth_first(graph, end, seen, reached);
      end = reached.back();
      for (const auto v : reached) seen[v] = 0;
    }
    breadth_first(graph, end, seen, order);
  }
  return order;
}

/// The better of min-fill and the sweep; where neither is within what is worth its while, `hopeless`.
EliminationOrder better_order(const Adjacency& graph, Subset skip, Index limit,
                              const MinFill& filled, EliminationOrder hopeless) {
  constexpr double kCheap = 1e5;  // entries; below, no second order is tried
  std::optional<EliminationOrder> best;
  if (filled.complete) best = tables_of(graph, filled.order, filled.width);
  if (best && cost_of(*best) <= kCheap) return std::move(*best);
  auto swept = tables_of(graph, sweep(graph, skip), best ? best->width : limit);
  if (swept && (!best || cost_of(*swept) < cost_of(*best))) best = std::move(swept);
  return best ? std::move(*best) : std::move(hopeless);
}

}  // namespace

EliminationOrder elimination_order(Index variables, const Scopes& scopes, Subset skip, Index limit,
                                   const Budget& budget) {
  constexpr Index kHopeless = 1000;  // variables of one term; above, not even the graph is built
  constexpr Index kDense =
      100;  // variables; above, no order is searched for if it is over the limit
  EliminationOrder hopeless;
  hopeless.complete = false;
  hopeless.width = largest_scope(scopes, skip);
  if (hopeless.width > std::max(limit, kHopeless)) return hopeless;
  const Adjacency graph = adjacency_of(variables, scopes, skip);
  hopeless.width = degeneracy(graph) + 1;
  if (hopeless.width > std::max(limit, kDense)) return hopeless;
  const MinFill filled = min_fill(graph, skip, limit, kMinFillPatience, budget);
  return better_order(graph, skip, limit, filled, std::move(hopeless));
}

EliminationOrder narrow_order(Index variables, const Scopes& scopes, Index limit) {
  const std::vector<std::uint8_t> none(variables, 0);
  EliminationOrder hopeless;
  hopeless.complete = false;
  hopeless.width = largest_scope(scopes, none);
  if (hopeless.width > limit) return hopeless;
  const Adjacency graph = adjacency_of(variables, scopes, none);
  hopeless.width = degeneracy(graph) + 1;
  if (hopeless.width > limit) return hopeless;
  return better_order(graph, none, limit, min_fill(graph, none, limit, 0), std::move(hopeless));
}

}  // namespace surefield
