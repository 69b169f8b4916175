#include "surefield/bounds/log_z/hoelder/edge_cover.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "surefield/core/assert.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

EliminationOrder order_of(Index nodes, std::span<const Edge> edges,
                          const std::vector<std::uint32_t>& chosen, Index width) {
  Scopes scopes;
  for (const auto e : chosen) scopes.push_back({edges[e].from, edges[e].to});
  return narrow_order(nodes, scopes, width);
}

/// The nodes by their distance from one end of their component, the node last reached from another.
std::vector<std::uint32_t> breadth_first_order(Index nodes, std::span<const Edge> edges) {
  std::vector<std::vector<std::uint32_t>> neighbours(nodes);
  for (const Edge& edge : edges) {
    neighbours[edge.from].push_back(edge.to);
    neighbours[edge.to].push_back(edge.from);
  }
  std::vector<std::uint8_t> seen(nodes, 0);
  std::vector<std::uint32_t> order;
  const auto walk = [&](std::uint32_t root) {
    const std::size_t first = order.size();
    order.push_back(root);
    seen[root] = 1;
    for (std::size_t k = first; k < order.size(); ++k)
      for (const auto to : neighbours[order[k]])
        if (!seen[to]) {
          seen[to] = 1;
          order.push_back(to);
        }
    return first;
  };
  for (std::uint32_t i = 0; i < nodes; ++i) {
    if (seen[i]) continue;
    const std::size_t first = walk(i);
    const auto end = order.back();
    for (std::size_t k = first; k < order.size(); ++k) seen[order[k]] = 0;
    order.resize(first);
    walk(end);
  }
  return order;
}

/// Strips along an order of the nodes. A cut before place t leaves out the edges from places below
/// t to places from t on.
class Strips {
 public:
  Strips(Index nodes, std::span<const Edge> edges, const std::vector<std::uint32_t>& order,
         Index width, const Budget& budget)
      : nodes_(nodes),
        edges_(edges),
        width_(width),
        budget_(budget),
        crossing_(nodes + 1, 0),
        above_(nodes) {
    std::vector<std::size_t> place(nodes);
    for (std::size_t k = 0; k < nodes; ++k) place[order[k]] = k;
    for (const Edge& edge : edges) {
      span_.push_back(std::minmax(place[edge.from], place[edge.to]));
      above_[span_.back().first].push_back(span_.back().second);
      crossing_[span_.back().first + 1] += std::abs(edge.weight);
      crossing_[span_.back().second + 1] -= std::abs(edge.weight);
    }
    for (std::size_t t = 1; t <= nodes; ++t) crossing_[t] += crossing_[t - 1];
  }

  /// Two subgraphs, or none if strips of that share of the longest ones do not make them, or time is over.
  std::vector<Subgraph> pair(double share) const {
    std::vector<std::size_t> first, second;
    for (std::size_t start = 0;;) {
      const std::size_t longest = longest_from(start);
      if (budget_.spent()) return {};
      if (longest >= nodes_) break;
      const auto length = static_cast<std::size_t>(share * static_cast<double>(longest - start));
      if (length < 2) return {};
      start = cheapest(crossing_, start + (length + 1) / 2, start + length + 1);
      first.push_back(start);
    }
    // The second cuts must not meet an edge that a first one does.
    std::vector<double> cost = crossing_;
    for (std::uint32_t e = 0; e < edges_.size(); ++e)
      if (crosses(e, first))
        std::fill(cost.begin() + static_cast<std::ptrdiff_t>(span_[e].first + 1),
                  cost.begin() + static_cast<std::ptrdiff_t>(span_[e].second + 1), kInfinity);
    std::size_t start = 0;
    for (std::size_t k = 0; k <= first.size(); ++k) {
      const std::size_t end = k < first.size() ? first[k] : nodes_;
      const std::size_t room = (end - start) / 4;
      for (const std::size_t spared : {room, std::size_t{0}}) {  // in the middle, or else anywhere
        if (end - start < 2) break;
        const std::size_t cut = cheapest(cost, start + spared + 1, end - spared);
        if (cost[cut] == kInfinity) continue;
        second.push_back(cut);
        break;
      }
      start = end;
    }
    std::vector<Subgraph> parts;
    for (const auto* cuts : {&first, &second}) {
      Subgraph part;
      for (std::uint32_t e = 0; e < edges_.size(); ++e)
        if (!crosses(e, *cuts)) part.edges.push_back(e);
      part.order = order_of(nodes_, edges_, part.edges, width_);
      if (budget_.spent()) return {};
      if (!part.order.complete || part.order.width > width_) return {};
      parts.push_back(std::move(part));
    }
    return parts;
  }

 private:
  bool crosses(std::uint32_t e, const std::vector<std::size_t>& cuts) const {
    const auto [low, high] = span_[e];
    const auto next = std::ranges::upper_bound(cuts, low);
    return next != cuts.end() && *next <= high;
  }

  /// The last of the places in [from, to) that cost least.
  std::size_t cheapest(const std::vector<double>& cost, std::size_t from, std::size_t to) const {
    std::size_t best = from;
    for (std::size_t t = from; t < to && t < nodes_; ++t)
      if (cost[t] <= cost[best]) best = t;
    return best;
  }

  bool fits(std::size_t start, std::size_t end) const {
    Scopes inside;  // by place, counted from the start of the strip
    for (std::size_t low = start; low < end; ++low)
      for (const auto high : above_[low])
        if (high < end)
          inside.push_back(
              {static_cast<std::uint32_t>(low - start), static_cast<std::uint32_t>(high - start)});
    const EliminationOrder order = narrow_order(end - start, inside, width_);
    return order.complete && order.width <= width_;
  }

  /// The largest end for which the strip from start on is narrow: by doubling, then by halving.
  std::size_t longest_from(std::size_t start) const {
    std::size_t good = std::min<std::size_t>(start + 2, nodes_);
    std::size_t bad = good;
    while (bad < nodes_ && !budget_.spent()) {
      bad = std::min<std::size_t>(start + 2 * (good - start), nodes_);
      if (!fits(start, bad)) break;
      good = bad;
    }
    if (good >= nodes_) return nodes_;
    while (bad - good > 1 && !budget_.spent()) {
      const std::size_t middle = good + (bad - good) / 2;
      (fits(start, middle) ? good : bad) = middle;
    }
    return good;
  }

  Index nodes_;
  std::span<const Edge> edges_;
  Index width_;
  const Budget& budget_;
  std::vector<double> crossing_;                 // the weight of the edges across each place
  std::vector<std::vector<std::size_t>> above_;  // per place, where its edges upwards end
  std::vector<std::pair<std::size_t, std::size_t>> span_;
};

double weight_of(std::span<const Edge> edges, const std::vector<Subgraph>& parts) {
  double sum = 0;
  for (const auto& part : parts)
    for (const auto e : part.edges) sum += std::abs(edges[e].weight);
  return sum;
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

std::vector<Subgraph> edge_cover(Index nodes, std::span<const Edge> edges, Index width,
                                 const Budget& budget) {
  if (edges.empty()) return {};
  std::vector<std::uint32_t> all(edges.size());
  std::iota(all.begin(), all.end(), 0U);
  Subgraph whole{all, order_of(nodes, edges, all, width)};
  if (narrow(whole, width)) return {std::move(whole)};
  std::vector<Subgraph> best;
  if (width > 2 && !budget.spent()) {
    std::vector<std::uint32_t> given(nodes);
    std::iota(given.begin(), given.end(), 0U);
    for (const auto& order : {breadth_first_order(nodes, edges), given}) {
      const Strips strips(nodes, edges, order, width, budget);
      for (const double share : {1.0, 0.75, 0.5}) {
        auto found = strips.pair(share);
        if (found.empty()) continue;
        if (best.empty() || weight_of(edges, found) > weight_of(edges, best))
          best = std::move(found);
        break;
      }
    }
  }
  return best.empty() ? forests(nodes, edges) : best;
}

}  // namespace surefield
