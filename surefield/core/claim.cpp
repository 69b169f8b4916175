#include "surefield/core/claim.hpp"

#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

std::string described(const End& end) {
  return end.method + (end.basis == Basis::kAssumesSubmodular ? ", if F is submodular" : "");
}

}  // namespace

std::string_view text_of(Basis basis) {
  return basis == Basis::kProved ? "proved" : "assumed submodular";
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
  const auto assumed = [](const std::optional<End>& end) {
    return end && end->basis == Basis::kAssumesSubmodular;
  };
  return assumed(low_) || assumed(high_) ? Basis::kAssumesSubmodular : Basis::kProved;
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
