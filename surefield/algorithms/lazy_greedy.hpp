// The greedy set of at most k items: the item that adds most, again and again, while it adds anything.
//
// For submodular F a gain never rises as the set grows, so an old gain is an upper bound of a new one:
// items wait in a heap by their last gain, and only the first is asked again (M. Minoux. Accelerated
// greedy algorithms for maximizing submodular set functions. 1978). If F is also monotone,
//
//   F(greedy) - F(start) >= (1 - 1/e) (best - F(start))       G. Nemhauser, L. Wolsey, M. Fisher. 1978
//
// For an F that is not submodular it is a heuristic all the same. Cost: n gains, then a few a step.
#pragma once

#include <cstddef>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

/// Moves at most `most` of the open items, each once, by `gain(i)` and `take(i)`: what moving it adds
/// now, and the move. How many were moved.
template <class Gain, class Take>
std::size_t lazy_greedy(std::span<const Index> open, std::size_t most, const Gain& gain,
                        const Take& take, const Budget& budget = {}) {
  using Waiting = std::pair<double, Index>;
  // Of equal gains the lowest item first.
  const auto later = [](const Waiting& a, const Waiting& b) {
    return a.first != b.first ? a.first < b.first : a.second > b.second;
  };
  Ticks ticks(budget, 64);
  std::vector<Waiting> first;
  for (const Index i : open) {
    if (ticks.spent()) return 0;
    first.emplace_back(gain(i), i);
  }
  std::priority_queue<Waiting, std::vector<Waiting>, decltype(later)> heap(later, std::move(first));
  std::size_t moved = 0;
  bool fresh = true;  // the gains of all, before the first move
  while (moved < most && !heap.empty() && !ticks.spent()) {
    Waiting best = heap.top();
    heap.pop();
    if (!fresh) {
      best.first = gain(best.second);
      if (!heap.empty() && later(best, heap.top())) {
        heap.push(best);
        continue;
      }
    }
    if (!(best.first > 0)) break;
    take(best.second);
    ++moved;
    fresh = false;
  }
  return moved;
}

}  // namespace surefield
