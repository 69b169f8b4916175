// Exact log Z and marginals by visiting every set: up to about 30 free items, any model.
//
//   log Z = log sum_S e^{beta F(S)},   P(i in S)     over the sets that agree with the fixed items
//
// A walk that takes items one by one, leaving the item out first and then putting it in; each set
// costs one gain, and half of them one add. The value of a set is a sum of at most n gains, so
// nothing drifts, as it would along a Gray code, which costs the same. The walk never takes an item
// out; what it carries from set to set is in growing_sets.hpp, a small constant a set for fields
// and determinants, the groups of an item for the rest. Items of few groups come last, where most
// of the sets are.
//
// The last items split the work into tasks, the first ones into blocks of 4096 sets that are added
// up together. Cost: 2^free gains and exponentials; 24 free items take a fraction of a second, 30 a
// minute. Tasks are added up in order, so the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/bounds/log_z/exact/block_sums.hpp"
#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/exact/growing_sets.hpp"

namespace surefield {

struct EnumerationOptions {
  double beta = 1;   ///< finite; may be negative
  Index limit = 30;  ///< free items, at most 40; 30 take about a minute
  bool marginals = true;
  unsigned threads = 0;  ///< 0: as many as the machine has
};

namespace detail {

/// Free item k is bit k of a set's number; the highest `task_bits` say the task, the lowest
/// `block_bits` the place in a block.
struct EnumerationPlan {
  Index free, task_bits, block_bits;
};

EnumerationPlan plan_enumeration(Index free, const EnumerationOptions& options);

/// Runs task(t, sums) for every t < 2^task_bits and adds up the sums in order.
ExactLogZ run_enumeration(Index items, const FreeItems& which, const EnumerationPlan& plan,
                          const EnumerationOptions& options,
                          const std::function<void(std::uint64_t, BlockSums&)>& task);

/// The walk of one task over growing sets of type C.
template <class C>
class EnumerationWalk {
 public:
  EnumerationWalk(const C& start, double start_value, const EnumerationPlan& plan, double beta)
      : plan_(plan), beta_(beta), value_(start_value), values_(std::size_t{1} << plan.block_bits) {
    sets_.assign(plan.free + 1, start);
  }

  void run(std::uint64_t task, BlockSums& sums) {
    sums_ = &sums;
    const Index rest = plan_.free - plan_.task_bits;
    double value = value_;
    for (Index k = plan_.free; k-- > rest;)  // from high to low, as everywhere
      if (task >> (k - rest) & 1) {
        value += sets_[0].gain(k);
        sets_[1].grow_from(sets_[0], k);
        std::swap(sets_[0], sets_[1]);
      }
    visit(rest, 0, task << rest, value);
  }

 private:
  void visit(Index bit, Index level, std::uint64_t code, double value) {
    if (bit == 0) {
      values_[code & (values_.size() - 1)] = beta_ * value;
    } else {
      --bit;
      visit(bit, level, code, value);
      const double with = value + sets_[level].gain(bit);
      const std::uint64_t code_with = code | std::uint64_t{1} << bit;
      if (bit == 0) {
        values_[code_with & (values_.size() - 1)] = beta_ * with;
      } else {
        sets_[level + 1].grow_from(sets_[level], bit);
        visit(bit, level + 1, code_with, with);
      }
      ++bit;
    }
    if (bit == plan_.block_bits) sums_->add_block(values_, code & ~(values_.size() - 1));
  }

  EnumerationPlan plan_;
  double beta_, value_;
  std::vector<C> sets_;  // one a level
  std::vector<double> values_;
  BlockSums* sums_ = nullptr;
};

/// How many groups a gain of the item asks.
template <class M>
Index groups_of(const M& model, Index i) {
  if constexpr (requires { model.members; })
    return model.members.of_item(i).size();
  else if constexpr (requires { model.tails; })
    return model.tails.of_item(i).size() + model.heads.of_item(i).size();
  else
    return 0;
}

}  // namespace detail

/// Throws Error above the limit, naming the number of sets; for an interval of the box that is not
/// [0, 1], 0 or 1; and where F is not finite. Without a box no item is fixed.
template <Model M>
ExactLogZ enumerate_log_z(const M& model, const Box* box = nullptr,
                          const EnumerationOptions& options = {}) {
  FreeItems which = free_items(box, model.size(), "enumeration");
  const auto plan = detail::plan_enumeration(which.free.size(), options);
  auto whole = model.empty_set();
  for (const Index i : which.in) whole.add(i);
  const double value = whole.value();
  std::ranges::stable_sort(which.free, {}, [&](Index i) { return detail::groups_of(model, i); });
  const auto start = growing_set(model, which);
  using Set = std::decay_t<decltype(start)>;
  return detail::run_enumeration(
      model.size(), which, plan, options, [&](std::uint64_t task, BlockSums& sums) {
        detail::EnumerationWalk<Set>(start, value, plan, options.beta).run(task, sums);
      });
}

}  // namespace surefield
