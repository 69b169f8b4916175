#include "surefield/core/exact_sum.hpp"

#include <cmath>
#include <cstddef>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

constexpr double kHuge = 0x1p960;
constexpr double kUnit = 0x1p100;

}  // namespace

void ExactSum::grow(Expansion& parts, double term) {
  std::size_t kept = 0;
  for (const double part : parts) {
    const double sum = term + part;  // two-sum: sum + lost == term + part
    const double of_part = sum - term;
    const double lost = (term - (sum - of_part)) + (part - of_part);
    if (lost != 0) parts[kept++] = lost;
    term = sum;
  }
  parts.resize(kept);
  if (term != 0) parts.push_back(term);
}

/// The largest parts settle the value, but for a tie, which all that is left decides.
double ExactSum::rounded(const Expansion& parts) {
  if (parts.empty()) return 0;
  std::size_t k = parts.size() - 1;
  double high = parts[k];
  double lost = 0;
  while (k > 0 && lost == 0) {
    const double sum = high + parts[--k];
    lost = parts[k] - (sum - high);
    high = sum;
  }
  if (k > 0 && lost != 0 && (lost < 0) == (parts[k - 1] < 0)) {
    const double twice = 2 * lost;
    const double next = high + twice;
    if (next - high == twice) high = next;  // lost was half an ulp: the rest lies on its side
  }
  return high;
}

void ExactSum::add(double term) {
  if (!std::isfinite(term))
    special_ += term;
  else if (std::abs(term) < kHuge)
    grow(parts_, term);
  else
    grow(huge_, term / kUnit);
}

void ExactSum::add(const ExactSum& other) {
  for (const double part : other.parts_) grow(parts_, part);
  for (const double part : other.huge_) grow(huge_, part);
  special_ += other.special_;
}

void ExactSum::subtract(const ExactSum& other) {
  for (const double part : other.parts_) grow(parts_, -part);
  for (const double part : other.huge_) grow(huge_, -part);
  special_ -= other.special_;
}

double ExactSum::value() const {
  if (special_ != 0) return special_;  // NaN != 0 too
  if (huge_.empty()) return rounded(parts_);
  // Bring both together in units of 2^100 as far as that is exact. What is too small for it is less
  // than the last bit of the parts before it, so less than `all` unless that is 0.
  Expansion all = huge_;
  Expansion tiny;
  for (const double part : parts_) {
    if (std::abs(part) < 0x1p-800)
      tiny.push_back(part);
    else
      grow(all, part / kUnit);
  }
  if (all.empty()) return rounded(tiny);
  if (std::abs(all.back()) < 0x1p900) {  // no longer huge: all back in units of 1
    for (const double part : all) grow(tiny, part * kUnit);
    return rounded(tiny);
  }
  if (!tiny.empty()) grow(all, std::copysign(0x1p-1000, tiny.back()));  // which side of a tie
  return rounded(all) * kUnit;
}

std::vector<double> ExactSum::parts() const {
  std::vector<double> all{special_, static_cast<double>(parts_.size())};
  all.insert(all.end(), parts_.begin(), parts_.end());
  all.insert(all.end(), huge_.begin(), huge_.end());
  return all;
}

ExactSum ExactSum::from_parts(std::span<const double> parts) {
  SUREFIELD_ASSERT(parts.size() >= 2 && parts[1] <= static_cast<double>(parts.size() - 2));
  ExactSum sum;
  sum.special_ = parts[0];
  const auto huge = parts.begin() + 2 + static_cast<std::ptrdiff_t>(parts[1]);
  sum.parts_.assign(parts.begin() + 2, huge);
  sum.huge_.assign(huge, parts.end());
  return sum;
}

int ExactSum::sign() const {
  const double sum = value();
  return (sum > 0) - (sum < 0);
}

double ExactSum::rest() const {
  const double sum = value();
  if (!std::isfinite(sum)) return std::abs(sum);
  ExactSum left = *this;
  left.add(-sum);
  const double rest = std::abs(left.value());
  return rest == 0 ? 0 : std::nextafter(rest, HUGE_VAL);
}

}  // namespace surefield
