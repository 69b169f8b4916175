#include "surefield/core/claim.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

std::string described(const End& end) {
  switch (end.basis) {
    case Basis::kAssumesSubmodular:
      return end.method + ", if F is submodular";
    case Basis::kAssumesRounding:
      return end.method + ", up to rounding";
    default:
      return end.method;
  }
}

}  // namespace

std::string_view text_of(Basis basis) {
  return basis == Basis::kProved            ? "proved"
         : basis == Basis::kAssumesRounding ? "proved up to rounding"
                                            : "assumed submodular";
}

Contradiction::Contradiction(std::string_view quantity, const End& low, const End& high)
    : std::runtime_error(message("contradiction: ", quantity, " is at least ", low.value, " (",
                                 described(low), ") and at most ", high.value, " (",
                                 described(high), "); nothing is certified")) {}

void Claim::at_least(End end) {
  if (!std::isfinite(end.value) || (low_ && low_->value >= end.value)) return;
  low_ = std::move(end);
  require_consistent();
}

void Claim::at_most(End end) {
  if (!std::isfinite(end.value) || (high_ && high_->value <= end.value)) return;
  high_ = std::move(end);
  require_consistent();
}

void Claim::merge(const Claim& other) {
  if (other.low_) at_least(*other.low_);
  if (other.high_) at_most(*other.high_);
}

Basis Claim::basis() const {
  const auto of = [](const std::optional<End>& end) { return end ? end->basis : Basis::kProved; };
  return std::max(of(low_), of(high_));
}

std::string Claim::method() const {
  if (!low_) return high_ ? high_->method : "";
  if (!high_ || low_->method == high_->method) return low_->method;
  return low_->method + ", " + high_->method;
}

void Claim::require_consistent() const {
  if (is_bounded() && low_->value > high_->value) throw Contradiction(quantity_, *low_, *high_);
}

}  // namespace surefield
