#include "surefield/bounds/log_z/exact/enumeration.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "surefield/bounds/log_z/exact/block_sums.hpp"
#include "surefield/bounds/log_z/exact/growing_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {
namespace {

/// Free item k is bit k of a set's number; the highest `task_bits` say the task, the lowest
/// `block_bits` the place in a block.
struct EnumerationPlan {
  Index free, task_bits, block_bits;
};

EnumerationPlan plan_enumeration(Index free, const EnumerationOptions& options) {
  require(std::isfinite(options.beta), "enumeration: the inverse temperature is ", options.beta,
          ", which must be finite");
  require(options.limit <= 40, "enumeration: the limit is ", options.limit,
          " free items, which must be at most 40");
  if (free > options.limit) {
    const double sets = std::ldexp(1.0, static_cast<int>(std::min<Index>(free, 2000)));
    fail("enumeration: ", free, " free items make 2^", free, " = ", sets,
         " sets, more than the limit of 2^", options.limit);
  }
  const Index block_bits = std::min<Index>(free, 12);
  return {free, std::min<Index>(free - block_bits, 6), block_bits};
}

/// The walk of one task over growing sets of type C.
template <class C>
class EnumerationWalk {
 public:
  EnumerationWalk(const C& start, double start_value, const EnumerationPlan& plan, double beta,
                  const Budget& budget)
      : plan_(plan),
        beta_(beta),
        value_(start_value),
        budget_(&budget),
        values_(std::size_t{1} << plan.block_bits) {
    sets_.assign(plan.free + 1, start);
  }

  /// Remembers the largest |beta F| in `largest`.
  void measure(double& largest) { largest_ = &largest; }

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
    if (bit >= plan_.block_bits && budget_->spent()) return;
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
    if (bit != plan_.block_bits || budget_->spent()) return;
    if (largest_ != nullptr)
      for (const double v : values_) *largest_ = std::max(*largest_, std::abs(v));
    sums_->add_block(values_, code & ~(values_.size() - 1));
  }

  EnumerationPlan plan_;
  double beta_, value_;
  const Budget* budget_;
  std::vector<C> sets_;  // one a level
  std::vector<double> values_;
  BlockSums* sums_ = nullptr;
  double* largest_ = nullptr;
};

/// How many groups a gain of the item asks.
Index groups_of(const AnyModel& model, Index i) {
  if (const auto* coverage = model.as<Coverage>()) return coverage->members.of_item(i).size();
  if (const auto* concave = model.as<ConcaveOverModular>())
    return concave->members.of_item(i).size();
  if (const auto* cut = model.as<HypergraphCut>())
    return cut->tails.of_item(i).size() + cut->heads.of_item(i).size();
  return 0;
}

/// A value is a sum of at most n gains on top of one value; blocks are added up pairwise, tasks and
/// blocks compensated, each exponential and logarithm rounds a few times.
double error_of_walk(const Facts& facts, Index n, double log_z) {
  return facts.value_error + facts.gain_error_sum +
         gamma_of(2 * static_cast<double>(n) + 2) * facts.magnitude +
         gamma_of(64) * (1 + std::abs(log_z));
}

/// Of a function of which nothing is known, the facts go by what a submodular F may reach. This is
/// what they would be, had they seen the largest value that there is: a gain is at most twice that.
double error_of_unknown(Index n, double largest) {
  const auto count = static_cast<double>(n);
  return 2 * (1 + count) * gamma_of(4 * count + 16) * largest;
}

}  // namespace

ExactLogZ enumerate_log_z(const AnyModel& model, const Box* box,
                          const EnumerationOptions& options) {
  FreeItems which = free_items(box, model.size(), "enumeration");
  const EnumerationPlan plan = plan_enumeration(which.free.size(), options);
  AnySet whole = model.empty_set();
  for (const Index i : which.in) whole.add(i);
  const double value = whole.value();
  std::ranges::stable_sort(which.free, {}, [&](Index i) { return groups_of(model, i); });
  const Index counted = options.marginals ? plan.free : 0;
  std::vector<BlockSums> sums(std::size_t{1} << plan.task_bits, BlockSums(counted));
  const bool unknown = model.facts().submodularity != Submodularity::kProved && !model.has_terms();
  std::vector<double> largest(sums.size(), 0);
  const auto walk = [&](const auto& start) {
    using Set = std::decay_t<decltype(start)>;
    for_each_index(sums.size(), options.budget.threads(), [&](std::size_t task) {
      EnumerationWalk<Set> walker(start, value, plan, options.beta, options.budget);
      if (unknown) walker.measure(largest[task]);
      walker.run(task, sums[task]);
    });
  };
  if (const auto* sum = model.as<WeightedSum>())
    walk(GrowingSum(*sum, which));
  else
    with_growing_set(model, which, walk);
  require(!options.budget.spent(), "enumeration: time ran out");
  BlockSums total(counted);
  for (const BlockSums& part : sums) total.add(part);
  ExactLogZ result{.log_z = total.log_total(), .error = 0, .marginals = {}};
  result.error =
      error_of_walk(model.facts().times(std::abs(options.beta)), model.size(), result.log_z);
  if (unknown) result.error += error_of_unknown(model.size(), *std::ranges::max_element(largest));
  if (!options.marginals) return result;
  require(result.log_z > -kInfinity,
          "enumeration: no set has a finite F, so there are no marginals");
  result.marginals.assign(model.size(), 0);
  for (const Index i : which.in) result.marginals[i] = 1;
  for (Index k = 0; k < plan.free; ++k) result.marginals[which.free[k]] = total.share(k);
  return result;
}

}  // namespace surefield
