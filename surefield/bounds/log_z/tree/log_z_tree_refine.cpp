// How a tree grows: leaves wait by what they leave open, are split in rounds, here or by helpers, and add up to both ends of log Z.
#include <algorithm>
#include <cmath>

#include "surefield/bounds/log_z/tree/log_z_tree.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"

namespace surefield {

bool LogZTree::comes_after(std::uint32_t a, std::uint32_t b) const {
  return leaves_[a].priority < leaves_[b].priority ||
         (leaves_[a].priority == leaves_[b].priority && a > b);
}

void LogZTree::push(Index leaf) {
  if (leaves_[leaf].priority == -kInfinity) return;
  queue_.push_back(static_cast<std::uint32_t>(leaf));
  std::ranges::push_heap(queue_,
                         [&](std::uint32_t a, std::uint32_t b) { return comes_after(a, b); });
}

void LogZTree::add_up() {
  shift_ = -kInfinity;
  for (const Leaf& leaf : leaves_) shift_ = std::max(shift_, leaf.upper);
  shift_ = std::max(shift_, given_.high);
  CompensatedSum upper, lower;
  if (given_up_ > 0) {
    upper.add(std::exp(given_.high - shift_));
    lower.add(std::exp(given_.low - shift_));
  }
  for (const Leaf& leaf : leaves_) {
    upper.add(std::exp(leaf.upper - shift_));
    lower.add(std::exp(leaf.lower - shift_));
  }
  sum_upper_ = upper.value();
  sum_lower_ = lower.value();
  // Each exponential and the logarithm may be off by an ulp or two, relative.
  const double margin = kRounding * (1 + std::abs(shift_));
  const double high = shift_ + std::log(sum_upper_) + margin;
  const double low = shift_ + std::log(sum_lower_) - margin;
  log_z_ = {low, high};
}

std::string LogZTree::answer(std::string_view question, const Budget& budget) const {
  const auto task = unpacked<SplitTask>(question);
  require(task.bits.size() == task.branch.size() * 2 * words_, "branch and bound: a leaf of ",
          task.bits.size() / task.branch.size(), " words, which must be ", 2 * words_);
  std::vector<Children> children(task.branch.size());
  Scratch scratch;
  for (Index k = 0; k < children.size() && !budget.spent(); ++k)
    children[k] = split(task.bits.data() + k * 2 * words_, task.branch[k], scratch);
  return packed(std::move(children));
}

void LogZTree::refine(double width, Index splits, const Budget& budget, bool gives_up,
                      Helpers* helpers, const Subject& subject) {
  const Index end = splits_ + splits;
  const Index most = room(budget);
  const auto below = [&](std::uint32_t a, std::uint32_t b) { return comes_after(a, b); };
  constexpr Index kRound = 256;
  std::vector<std::uint32_t> round;
  std::vector<Children> children(kRound);
  std::vector<Scratch> scratch(kRound / kTask);
  Index since = 0;  // splits since all leaves were added up
  while (log_z_.width() > width && splits_ < end && !queue_.empty()) {
    if (leaves_.size() >= most) {
      if (!gives_up) break;
      give_up(most - most / 4);
      since = 0;
      continue;
    }
    const Index count =
        std::min({std::clamp<Index>(leaves_.size() / 16, 1, kRound), end - splits_, queue_.size()});
    round.clear();
    for (Index k = 0; k < count; ++k) {
      std::ranges::pop_heap(queue_, below);
      round.push_back(queue_.back());
      queue_.pop_back();
    }
    const auto last = [&](std::size_t t) { return std::min(t * kTask + kTask, count); };
    const auto here = [&](std::size_t t) {
      for (Index k = t * kTask; k < last(t); ++k) {
        children[k].made = false;
        if (!budget.spent())
          children[k] = split(bits(round[k]), leaves_[round[k]].branch, scratch[t]);
      }
    };
    const auto question = [&](std::size_t t) {
      SplitTask task;
      for (Index k = t * kTask; k < last(t); ++k) {
        task.branch.push_back(leaves_[round[k]].branch);
        task.bits.insert(task.bits.end(), bits(round[k]), bits(round[k]) + 2 * words_);
      }
      return packed(std::move(task));
    };
    const auto keep = [&](std::size_t t, std::string_view bytes) {
      const auto made = unpacked<std::vector<Children>>(bytes);
      std::ranges::copy(made, children.begin() + static_cast<std::ptrdiff_t>(t * kTask));
    };
    ask(helpers, {.subject = subject,
                  .count = (count + kTask - 1) / kTask,
                  .budget = budget,
                  .here = here,
                  .question = question,
                  .keep = keep,
                  .ahead = 1});
    for (Index k = 0; k < count; ++k) {
      const Index leaf = round[k];
      if (!children[k].made) {
        push(leaf);
        continue;
      }
      ++splits_;
      ++since;
      const Leaf old = leaves_[leaf];
      const Leaf& in = children[k].in;
      const Leaf& out = children[k].out;
      sum_upper_ +=
          std::exp(in.upper - shift_) + std::exp(out.upper - shift_) - std::exp(old.upper - shift_);
      sum_lower_ +=
          std::exp(in.lower - shift_) + std::exp(out.lower - shift_) - std::exp(old.lower - shift_);
      const Index added = leaves_.size();
      leaves_[leaf] = in;
      leaves_.push_back(out);
      bits_.resize(bits_.size() + 2 * words_);
      std::copy_n(bits(leaf), 2 * words_, bits(added));
      const std::uint64_t bit = std::uint64_t{1} << (old.branch % 64);
      bits(leaf)[old.branch / 64] |= bit;
      bits(leaf)[words_ + old.branch / 64] &= ~bit;
      bits(added)[words_ + old.branch / 64] &= ~bit;
      push(leaf);
      push(added);
    }
    if (budget.spent()) break;
    const bool looks_done = !(sum_upper_ > sum_lower_ * std::exp(width));
    if (looks_done || since > leaves_.size() / 2) {
      add_up();
      since = 0;
    }
  }
  add_up();
}

}  // namespace surefield
