// Questions to a conditional tree: both passes, each where something moves.
#include <algorithm>
#include <cmath>
#include <functional>

#include "surefield/bounds/log_z/exact/conditional_tree.hpp"
#include "surefield/bounds/log_z/exact/table_bits.hpp"

namespace surefield {
namespace {

constexpr double kNoMass = 1e-250;

}  // namespace

ConditionalTree::Asker::Asker(const ConditionalTree& tree)
    : tree_(&tree),
      value_(tree.order_.order.size(), kFree),
      change_at_(tree.order_.order.size(), kNone) {}

auto ConditionalTree::Asker::fresh_change(std::uint32_t step) -> Change& {
  if (used_ == changes_.size()) changes_.push_back(std::make_unique<Change>());
  change_at_[step] = static_cast<std::uint32_t>(used_++);
  Change& fresh = *changes_[change_at_[step]];
  fresh.step = step;
  fresh.below = fresh.moved = false;
  waiting_.push_back(step);
  return fresh;
}

/// The product of a step begins as its conditional, without what contradicts the condition.
void ConditionalTree::Asker::enter(std::uint32_t step) {
  if (change_at_[step] != kNone) return;
  Change& now = fresh_change(step);
  std::ranges::push_heap(waiting_, std::greater{});
  now.below = true;
  const auto chance = tree_->chance(step);
  now.product.resize(2 * chance.size());
  for (std::size_t y = 0; y < chance.size(); ++y) {
    now.product[2 * y] = value_[step] == 1 ? 0 : 1 - chance[y];
    now.product[2 * y + 1] = value_[step] == 0 ? 0 : chance[y];
  }
}

bool ConditionalTree::Asker::up(std::span<const Condition> condition) {
  for (const auto& [item, in] : condition) {
    if (tree_->fixed_[item] != kFree) {
      if (tree_->fixed_[item] != (in ? 1 : 0)) return false;
      continue;
    }
    value_[tree_->step_[item]] = in ? 1 : 0;
  }
  for (const auto& [item, in] : condition)
    if (tree_->fixed_[item] == kFree) enter(tree_->step_[item]);
  while (!waiting_.empty()) {  // children before parents
    std::ranges::pop_heap(waiting_, std::greater{});
    const auto s = waiting_.back();
    waiting_.pop_back();
    Change& now = *changes_[change_at_[s]];
    now.likely.resize(now.product.size() / 2);
    double low = kInfinity, high = 0;
    for (std::size_t y = 0; y < now.likely.size(); ++y) {
      now.likely[y] = now.product[2 * y] + now.product[2 * y + 1];
      low = std::min(low, now.likely[y]);
      high = std::max(high, now.likely[y]);
    }
    if (!(high > kNoMass)) return false;
    for (double& entry : now.product)
      entry /= high;  // so that baskets of many items do not underflow
    for (double& entry : now.likely) entry /= high;
    const auto p = tree_->parent_[s];
    if (p == kNone || high - low <= tree_->tolerance_ * high) continue;
    enter(p);
    multiply_by(now.likely, tree_->inside_[s], tree_->bits(p) + 1,
                changes_[change_at_[p]]->product);
  }
  return true;
}

void ConditionalTree::Asker::down(std::span<double> marginals) {
  for (Index k = 0; k < used_; ++k) waiting_.push_back(changes_[k]->step);
  std::ranges::make_heap(waiting_);
  while (!waiting_.empty()) {  // parents before children
    std::ranges::pop_heap(waiting_);
    const auto s = waiting_.back();
    waiting_.pop_back();
    ++visited_;
    Change& now = *changes_[change_at_[s]];
    const auto chance = tree_->chance(s);
    if (!now.moved) {  // nothing above moves but by what is below: all of it by a constant factor
      now.above.assign(tree_->above(s).begin(), tree_->above(s).end());
      double total = 0;
      for (std::size_t y = 0; y < now.above.size(); ++y) total += now.above[y] *= now.likely[y];
      for (double& entry : now.above) entry /= total;
    }
    table_.resize(2 * now.above.size());
    double in = 0;
    for (std::size_t y = 0; y < now.above.size(); ++y) {
      const double on =
          now.below ? (now.likely[y] > 0 ? now.product[2 * y + 1] / now.likely[y] : 0) : chance[y];
      table_[2 * y + 1] = now.above[y] * on;
      table_[2 * y] = now.above[y] - table_[2 * y + 1];
      in += table_[2 * y + 1];
    }
    marginals[tree_->order_.order[s]] = std::min(in, 1.0);
    std::uint32_t last = 0;
    for (const auto c : tree_->children(s)) {
      if (last != tree_->inside_[c]) {  // children of the same neighbours share their distribution
        other_ = table_;
        sum_to(tree_->inside_[c], tree_->bits(s) + 1, other_);
        last = tree_->inside_[c];
      }
      if (change_at_[c] == kNone) {
        const auto before = tree_->above(c);
        double apart = 0;
        for (std::size_t y = 0; y < other_.size(); ++y) apart += std::abs(other_[y] - before[y]);
        if (apart <= 2 * tree_->tolerance_) continue;
        if (tree_->children(c).empty()) {  // a leaf needs no table
          ++visited_;
          const auto of = tree_->chance(c);
          double sum = 0;
          for (std::size_t y = 0; y < other_.size(); ++y) sum += other_[y] * of[y];
          marginals[tree_->order_.order[c]] = std::min(sum, 1.0);
          continue;
        }
        fresh_change(c);
        std::ranges::push_heap(waiting_);
      }
      Change& child = *changes_[change_at_[c]];
      child.moved = true;
      child.above = other_;
    }
  }
}

bool ConditionalTree::Asker::operator()(std::span<const Condition> condition,
                                        std::span<double> marginals) {
  std::ranges::copy(tree_->marginal_, marginals.begin());
  visited_ = 0;
  const bool possible = up(condition);
  if (possible) down(marginals);
  waiting_.clear();
  for (Index k = 0; k < used_; ++k) change_at_[changes_[k]->step] = kNone;
  used_ = 0;
  for (const auto& [item, in] : condition)
    if (tree_->step_[item] != kNone) value_[tree_->step_[item]] = kFree;
  return possible;
}

}  // namespace surefield
