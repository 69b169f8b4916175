// A number that is promised: an interval that contains it, with the method behind each end.
//
// This is the only code that compares and merges bounds. An end comes with the rounding it can have
// suffered already taken off, so two ends that cross at all contradict each other: one of the methods,
// or what it was told of the model, is wrong. That is never clamped away; it throws, naming both.
// An estimate is no end of a claim: it stands beside it, and is marked where it lies outside.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "surefield/core/box.hpp"

namespace surefield {

/// Why an end may be believed, weakest last. A claim is as strong as its weakest end.
enum class Basis {
  kProved,           ///< by mathematics, for the model as it is
  kAssumesRounding,  ///< the same, if its evaluations round no more than is usual, which nobody proved
  kAssumesSubmodular  ///< if F is submodular, which was assumed and not refuted
};

/// proved, proved up to rounding, assumed submodular.
std::string_view text_of(Basis basis);

struct End {
  double value;        ///< already moved outwards by what rounding can do to it
  std::string method;  ///< in words
  Basis basis = Basis::kProved;
};

/// Two ends that exclude each other, or a witness against what a bound rests on. Not an Error: it is
/// never a refusal of one method, it fails the whole answer.
class Contradiction : public std::runtime_error {
 public:
  explicit Contradiction(const std::string& message) : std::runtime_error(message) {}
  Contradiction(std::string_view quantity, const End& low, const End& high);
};

class Claim {
 public:
  /// What the interval contains, as messages name it: "log Z", "the best ELBO".
  explicit Claim(std::string quantity) : quantity_(std::move(quantity)) {}

  /// Keep the tighter end. An end that is not finite says nothing. Throw Contradiction if the ends
  /// cross.
  void at_least(End end);
  void at_most(End end);
  /// Every end of another claim about the same number.
  void merge(const Claim& other);

  const std::optional<End>& low() const { return low_; }
  const std::optional<End>& high() const { return high_; }
  bool is_bounded() const { return low_ && high_; }
  double width() const {
    return is_bounded() ? high_->value - low_->value : std::numeric_limits<double>::infinity();
  }
  /// The weaker of the bases of the ends there are.
  Basis basis() const;
  /// "best items", or "mean field, hoelder" where the ends come from two methods.
  std::string method() const;

 private:
  void require_consistent() const;

  std::string quantity_;
  std::optional<End> low_, high_;
};

}  // namespace surefield
