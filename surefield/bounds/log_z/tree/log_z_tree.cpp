#include "surefield/bounds/log_z/tree/log_z_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <tuple>

#include "surefield/bounds/log_z/log_sum.hpp"
#include "surefield/bounds/log_z/witness.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/exp_batch.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/packing.hpp"

namespace surefield {

namespace {

/// log(e^upper - e^lower).
double log_gap(double upper, double lower) {
  return lower < upper ? upper + std::log(-std::expm1(lower - upper)) : -kInfinity;
}

}  // namespace

LogZTree::LogZTree(std::unique_ptr<const GainBounds> added, std::unique_ptr<const GainBounds> taken,
                   FreeItems which, Index items, Facts facts)
    : added_(std::move(added)),
      taken_(std::move(taken)),
      which_(std::move(which)),
      items_(items),
      words_((added_->size() + 63) / 64),
      facts_(std::move(facts)) {
  const Index n = added_->size();
  Scratch scratch;
  for (ItemNumber k = 0; k < n; ++k) scratch.rest.push_back(k);
  const double value = look_below(scratch, scratch.below);
  look_above(scratch, scratch.above);
  // Every gain met later lies between these two. A product of n factors and its logarithm round 16
  // times a factor at most; softplus and log never magnify the errors of the gains.
  double scale = std::abs(value) + static_cast<double>(n) + 1;
  for (const Gains* gains : {&scratch.below, &scratch.above})
    for (const auto* part : {&gains->added, &gains->taken})
      for (const double gain : *part) scale += std::abs(gain);
  require(std::isfinite(scale), "branch and bound: F is not finite");
  margin_ = kRounding * scale + facts_.value_error + facts_.gain_error_sum;
  require(std::isfinite(margin_),
          "branch and bound: the numbers of the model are so large that "
          "nothing can be said of its gains");
  leaves_.push_back(bound(value, scratch.below, scratch.above, scratch));
  bits_.assign(2 * words_, 0);
  for (const ItemNumber k : scratch.rest) bits_[words_ + k / 64] |= std::uint64_t{1} << (k % 64);
  push(0);
  add_up();
}

double LogZTree::look_below(const Scratch& s, Gains& gains) const {
  gains.resize(s.rest.size(), taken_ != nullptr);
  const double value = added_->from_below(s.in, s.rest, gains.added);
  return taken_ ? value - taken_->from_below(s.in, s.rest, gains.taken) : value;
}

void LogZTree::look_above(const Scratch& s, Gains& gains) const {
  gains.resize(s.rest.size(), taken_ != nullptr);
  added_->from_above(s.out, s.rest, gains.added);
  if (taken_) taken_->from_above(s.out, s.rest, gains.taken);
}

void LogZTree::ends_of(const Gains& below, const Gains& above, Scratch& s) const {
  s.up = s.first = below.added;
  s.lo = above.added;
  for (Index r = 0; r < below.taken.size(); ++r) {
    s.up[r] -= above.taken[r];
    s.lo[r] -= below.taken[r];
    s.first[r] -= below.taken[r];
  }
}

LogZTree::Leaf LogZTree::bound(double value, const Gains& below, const Gains& above,
                               Scratch& scratch) const {
  ends_of(below, above, scratch);
  const auto& [rest, up, lo, first] = std::tie(scratch.rest, scratch.up, scratch.lo, scratch.first);
  const Index n = rest.size();
  Leaf leaf{value, value, -kInfinity, 0};
  double highest = -kInfinity;
  for (Index r = 0; r < n; ++r) {
    require_falling_gain(which_.free[rest[r]], up[r], lo[r], facts_);
    highest = std::max(highest, up[r]);
  }
  double best = 0;
  if (highest < 200) {  // lo <= up: what underflows is below rounding, or makes the lower end lower
    scratch.exp_up.assign(up.begin(), up.end());
    scratch.exp_lo.assign(lo.begin(), lo.end());
    exp_batch(scratch.exp_up);
    exp_batch(scratch.exp_lo);
    const double* const a = scratch.exp_up.data();
    const double* const b = scratch.exp_lo.data();
    const double* c = a;  // of first
    if (taken_) {
      scratch.exp_first.assign(first.begin(), first.end());
      exp_batch(scratch.exp_first);
      c = scratch.exp_first.data();
    }
    double best_ratio = 1;
    double product = 1;
    constexpr double kLarge = 0x1p600;  // times e^200 it is still finite
    const double log_large = 600 * std::numbers::ln2;
    for (Index r = 0; r < n; ++r) {
      product *= 1 + a[r];
      if (product > kLarge) {
        product /= kLarge;
        leaf.upper += log_large;
      }
      const double high = 1 + a[r];
      const double low = 1 + b[r];
      if (high > best_ratio * low) {
        best_ratio = high / low;
        leaf.branch = rest[r];
      }
    }
    best = std::log(best_ratio);
    scratch.order.resize(n);
    for (ItemNumber r = 0; r < n; ++r) scratch.order[r] = r;
    std::ranges::sort(scratch.order, [&](ItemNumber x, ItemNumber y) {
      return first[x] - lo[x] < first[y] - lo[y];
    });
    double chain = 1, before = 1;
    for (const ItemNumber r : scratch.order) {
      chain += c[r] * before;
      before *= 1 + b[r];
      if (chain > kLarge) {  // then so is every `before` that matters, or the rest adds nothing
        chain /= kLarge;
        before /= kLarge;
        leaf.lower += log_large;
      }
    }
    leaf.upper += std::log(product);
    leaf.lower += std::log(chain);
  } else {
    for (Index r = 0; r < n; ++r) {
      const double high = softplus(up[r]);
      const double low = softplus(lo[r]);
      leaf.upper += high;
      leaf.lower += low;
      if (high - low > best) {
        best = high - low;
        leaf.branch = rest[r];
      }
    }
  }
  leaf.upper += margin_;
  leaf.lower -= margin_;
  // A leaf whose ends agree to rounding is never split.
  if (best > 0 && n > 1 && leaf.upper - leaf.lower > 3 * margin_)
    leaf.priority = log_gap(leaf.upper, leaf.lower);
  return leaf;
}

void LogZTree::read(const std::uint64_t* in, Scratch& scratch) const {
  scratch.in.clear();
  scratch.out.clear();
  scratch.rest.clear();
  const std::uint64_t* const open = in + words_;
  for (ItemNumber k = 0; k < added_->size(); ++k) {
    const std::uint64_t bit = std::uint64_t{1} << (k % 64);
    (open[k / 64] & bit ? scratch.rest : in[k / 64] & bit ? scratch.in : scratch.out).push_back(k);
  }
}

LogZTree::Children LogZTree::split(const std::uint64_t* of, ItemNumber branch, Scratch& s) const {
  read(of, s);
  const double value = look_below(s, s.below);
  look_above(s, s.above);
  const auto place =
      static_cast<std::ptrdiff_t>(std::ranges::find(s.rest, branch) - s.rest.begin());
  s.rest.erase(s.rest.begin() + place);
  s.below.erase(place);
  s.above.erase(place);
  s.in.push_back(branch);
  const double value_in = look_below(s, s.child_below);
  s.out.push_back(branch);
  look_above(s, s.child_above);
  return {bound(value_in, s.child_below, s.above, s), bound(value, s.below, s.child_above, s),
          true};
}

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
