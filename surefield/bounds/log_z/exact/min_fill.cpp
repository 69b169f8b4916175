#include "surefield/bounds/log_z/exact/min_fill.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace surefield {
namespace {

/// Calls f(w) for every w in both sorted lists.
template <class F>
void for_common(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b, F&& f) {
  if (a.size() > b.size()) return for_common(b, a, f);
  auto at = b.begin();
  for (const auto w : a) {
    if (8 * a.size() < b.size())
      at = std::lower_bound(at, b.end(), w);
    else
      while (at != b.end() && *at < w) ++at;
    if (at == b.end()) return;
    if (*at == w) f(w);
  }
}

/// The graph that is left, with the fill of every node.
class Eliminator {
 public:
  Eliminator(const Adjacency& graph, Subset skip)
      : adjacent_(graph), fill_(graph.size(), 0), gone_(graph.size(), 0) {
    for (Index v = 0; v < graph.size(); ++v)
      if (!skip[v]) fill_[v] = graph[v].size() * (graph[v].size() - 1) / 2;
    for (std::uint32_t a = 0; a < graph.size(); ++a)
      for (const auto b : graph[a])
        if (b > a) for_common(graph[a], graph[b], [&](auto w) { --fill_[w]; });
    for (std::uint32_t v = 0; v < graph.size(); ++v)
      if (!skip[v]) {
        queue_.push(key(v));
        ++left_;
      }
  }

  bool empty() const { return left_ == 0; }
  Index work() const { return work_; }

  /// Takes out the best node and joins its neighbours; returns it and their number.
  std::pair<std::uint32_t, Index> eliminate() {
    while (gone_[std::get<2>(queue_.top())] || queue_.top() != key(std::get<2>(queue_.top())))
      queue_.pop();  // out of date: the node has been put in again since
    const std::uint32_t v = std::get<2>(queue_.top());
    queue_.pop();
    gone_[v] = 1;
    --left_;
    const auto near = std::move(adjacent_[v]);
    for (const auto u : near) remove(u, v);
    // Pairs of neighbours of u, one of them v, that were not joined: all but those with the other
    // neighbours of v.
    for (const auto u : near) for_common(adjacent_[u], near, [&](auto) { ++fill_[u]; });
    for (const auto u : near) fill_[u] -= adjacent_[u].size();
    for (Index a = 0; a < near.size(); ++a)
      for (Index b = a + 1; b < near.size(); ++b)
        if (!std::binary_search(adjacent_[near[a]].begin(), adjacent_[near[a]].end(), near[b]))
          join(near[a], near[b]);
    changed_.insert(changed_.end(), near.begin(), near.end());
    std::sort(changed_.begin(), changed_.end());
    changed_.erase(std::unique(changed_.begin(), changed_.end()), changed_.end());
    for (const auto u : changed_) queue_.push(key(u));
    changed_.clear();
    work_ += near.size() * near.size() + 10;
    return {v, near.size()};
  }

 private:
  using Key = std::tuple<Index, Index, std::uint32_t>;  // fill, degree, node
  Key key(std::uint32_t v) const { return {fill_[v], adjacent_[v].size(), v}; }

  void remove(std::uint32_t from, std::uint32_t v) {
    auto& near = adjacent_[from];
    near.erase(std::lower_bound(near.begin(), near.end(), v));
  }
  void insert(std::uint32_t into, std::uint32_t v) {
    auto& near = adjacent_[into];
    near.insert(std::lower_bound(near.begin(), near.end(), v), v);
  }

  void join(std::uint32_t a, std::uint32_t b) {
    Index common = 0;
    for_common(adjacent_[a], adjacent_[b], [&](auto w) {
      ++common;
      --fill_[w];
      changed_.push_back(w);
    });
    work_ += std::min(adjacent_[a].size(), adjacent_[b].size());
    fill_[a] += adjacent_[a].size() - common;  // the old neighbours of a that b is not joined to
    fill_[b] += adjacent_[b].size() - common;
    insert(a, b);
    insert(b, a);
  }

  Adjacency adjacent_;
  std::vector<Index> fill_;
  std::priority_queue<Key, std::vector<Key>, std::greater<>> queue_;
  std::vector<std::uint8_t> gone_;
  std::vector<std::uint32_t> changed_;
  Index left_ = 0;
  Index work_ = 0;
};

}  // namespace

MinFill min_fill(const Adjacency& graph, Subset skip, Index limit, Index patience,
                 const Budget& budget) {
  MinFill result;
  Eliminator left(graph, skip);
  while (!left.empty()) {
    const auto [v, neighbours] = left.eliminate();
    result.order.push_back(v);
    result.width = std::max(result.width, neighbours + 1);
    if (result.width > limit && (left.work() > patience || budget.spent())) {
      result.complete = left.empty();
      break;
    }
  }
  return result;
}

}  // namespace surefield
