#include "surefield/api/complete.hpp"

#include <algorithm>

#include "surefield/api/user_set.hpp"

namespace surefield {
namespace {

struct Candidate {
  double gain;
  Index item;
  bool operator<(const Candidate& other) const {  // the largest gain on top of a heap
    return gain < other.gain || (gain == other.gain && item > other.item);
  }
};

/// The best candidate with its gain as of now. With falling gains, a candidate whose fresh gain
/// still beats the old ones of all others is the best.
Candidate best_of(std::vector<Candidate>& heap, const UserSet& set, bool falling) {
  if (!falling) {
    for (Candidate& candidate : heap) candidate.gain = set.gain(candidate.item);
    std::make_heap(heap.begin(), heap.end());
  }
  for (;;) {
    std::pop_heap(heap.begin(), heap.end());
    Candidate& last = heap.back();
    last.gain = set.gain(last.item);
    if (heap.size() == 1 || !(last < heap.front())) {
      const Candidate best = last;
      heap.pop_back();
      return best;
    }
    std::push_heap(heap.begin(), heap.end());
  }
}

}  // namespace

std::vector<double> greedy_gains(const Problem& problem) {
  const Box box = user_box(problem);
  UserSet set(problem);
  for (Index i = 0; i < box.size(); ++i)
    if (box.low[i] > 0) set.add(i);
  std::vector<double> gains;
  for (Index i = 0; i < box.size(); ++i) gains.push_back(set.gain(i));
  return gains;
}

Completion greedy_completion(const Problem& problem, const Budget& budget) {
  const Box box = user_box(problem);
  UserSet set(problem);
  Completion found;
  for (Index i = 0; i < box.size(); ++i)
    if (box.low[i] > 0) set.add(i);
  found.start_value = found.end_value = set.value();
  std::vector<Candidate> heap;
  for (Index i = 0; i < box.size(); ++i) {
    found.gains.push_back(set.gain(i));
    if (box.low[i] == 0 && box.high[i] > 0) heap.push_back({found.gains.back(), i});
  }
  std::make_heap(heap.begin(), heap.end());
  const bool falling = problem.is_submodular() && problem.flips.empty();
  while (!heap.empty() && !budget.spent()) {
    const auto [gain, item] = best_of(heap, set, falling);
    if (!(gain > 0)) break;
    set.add(item);
    found.steps.push_back({item, gain});
  }
  found.end_value = set.value();
  return found;
}

}  // namespace surefield
