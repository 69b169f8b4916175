#include "surefield/bounds/log_z/exact/block_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/exp_batch.hpp"
#include "surefield/core/lane_sums.hpp"

namespace surefield {
namespace {

CompensatedSum scaled(const CompensatedSum& sum, double factor) {
  CompensatedSum result;
  result.add(sum.value() * factor);
  return result;
}

}  // namespace

double BlockSums::factor_to(double shift) {
  if (shift <= shift_) return std::exp(shift - shift_);
  if (shift_ > -kInfinity) {
    const double down = std::exp(shift_ - shift);
    total_ = scaled(total_, down);
    for (CompensatedSum& sum : with_) sum = scaled(sum, down);
  }
  shift_ = shift;
  return 1;
}

void BlockSums::add_block(std::span<double> values, std::uint64_t high) {
  double highest = -kInfinity;
  bool ordered = true;
  for (const double v : values) {
    ordered = ordered && v < kInfinity;  // false for NaN too
    highest = std::max(highest, v);
  }
  require(ordered, "enumeration: a value of F is not finite");
  if (highest == -kInfinity) return;
  factor_to(highest);
  for (double& v : values) v -= shift_;
  exp_batch(values);
  for (std::size_t half = values.size() / 2; half > 0; half /= 2) {
    const double with_item = sum_over_lanes<4>(half, [&](std::size_t c) {
      values[c] += values[half + c];
      return values[half + c];
    });
    const auto item = static_cast<Index>(std::countr_zero(half));
    if (item < with_.size()) with_[item].add(with_item);
  }
  total_.add(values[0]);
  for (Index i = 0; i < with_.size(); ++i)
    if (high >> i & 1) with_[i].add(values[0]);
}

void BlockSums::add(const BlockSums& other) {
  if (other.shift_ == -kInfinity) return;
  const double factor = factor_to(other.shift_);
  total_.add(other.total_.value() * factor);
  for (Index i = 0; i < with_.size(); ++i) with_[i].add(other.with_[i].value() * factor);
}

double BlockSums::log_total() const {
  return shift_ == -kInfinity ? shift_ : shift_ + std::log(total_.value());
}

}  // namespace surefield
