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

}  // namespace surefield
