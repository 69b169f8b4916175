// Exact log Z and marginals by visiting every set: up to about 30 free items, any model.
//
//   log Z = log sum_S e^{beta F(S)},   P(i in S)     over the sets that agree with the fixed items
//
// A walk that takes items one by one, leaving the item out first and then putting it in; each set
// costs one gain, and half of them one add. The value of a set is a sum of at most n gains, so
// nothing drifts, as it would along a Gray code, which costs the same. The walk goes on from copies
// and never takes an item out, which is dear for maxima. Of pairwise fields it carries the gains of
// all items, of facility locations and FLIDs the best of each customer.
//
// The last items split the work into tasks, the first ones into blocks of 4096 sets that are added
// up together. Cost: 2^free gains and exponentials; 24 free items take a fraction of a second.
// Tasks are added up in order, so the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/models/facility_location.hpp"
#include "surefield/models/flid.hpp"
#include "surefield/models/graph_cut.hpp"
#include "surefield/models/pairwise_field.hpp"
#include "surefield/partition/block_sums.hpp"
#include "surefield/partition/exact_log_z.hpp"
#include "surefield/partition/free_items.hpp"

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

/// The walk of one task; C is copyable and has gain(k) and add(k) of free item k.
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
        sets_[0].add(k);
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
        sets_[level + 1] = sets_[level];
        sets_[level + 1].add(bit);
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

/// A set with its free items numbered from 0.
template <SetState S>
struct FreeItemsOf {
  S set;
  const std::vector<Index>* free;
  double gain(Index k) const { return set.gain((*free)[k]); }
  void add(Index k) { set.add((*free)[k]); }
};

/// Returns whether it has filled in the result: not if a benefit is negative.
bool enumerate_facilities(const FacilityLocation& model, const FreeItems& which,
                          const EnumerationPlan& plan, const EnumerationOptions& options,
                          ExactLogZ& result);

ExactLogZ enumerate_pairwise(const PairwiseField& model, const FreeItems& which,
                             const EnumerationPlan& plan, const EnumerationOptions& options);

}  // namespace detail

/// Throws Error above the limit, naming the number of sets; for an interval of the box that is not
/// [0, 1], 0 or 1; and where F is not finite. Without a box no item is fixed.
template <Model M>
ExactLogZ enumerate_log_z(const M& model, const Box* box = nullptr,
                          const EnumerationOptions& options = {}) {
  const FreeItems which = free_items(box, model.size(), "enumeration");
  const auto plan = detail::plan_enumeration(which.free.size(), options);
  ExactLogZ result;
  if constexpr (std::is_same_v<M, FacilityLocation>) {
    if (detail::enumerate_facilities(model, which, plan, options, result)) return result;
  } else if constexpr (std::is_same_v<M, Flid>) {
    if (detail::enumerate_facilities(model.facility, which, plan, options, result)) return result;
  } else if constexpr (std::is_same_v<M, PairwiseField>) {
    return detail::enumerate_pairwise(model, which, plan, options);
  } else if constexpr (std::is_same_v<M, GraphCut>) {
    return detail::enumerate_pairwise(model.field, which, plan, options);
  }
  auto start = model.empty_set();
  using Set = decltype(start);
  for (const Index i : which.in) start.add(i);
  const double value = start.value();
  const detail::FreeItemsOf<Set> free{start, &which.free};
  return detail::run_enumeration(
      model.size(), which, plan, options, [&](std::uint64_t task, BlockSums& sums) {
        detail::EnumerationWalk<detail::FreeItemsOf<Set>>(free, value, plan, options.beta)
            .run(task, sums);
      });
}

}  // namespace surefield
