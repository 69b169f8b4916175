// The concave functions of one variable that a modular sum is passed through.
//
//   power       y^a, 0 < a <= 1
//   log         log(1 + y)
//   ratio       y / (1 + y)
//   saturating  1 - e^-y
//   truncated   min(y, c), c > 0
//
// All are 0 at 0 and non-decreasing on [0, infinity). All but `truncated` are Bernstein functions,
// mixtures of 1 - e^-ty.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace surefield {

/// A concave function psi on [0, infinity) with psi(0) = 0.
struct Concave {
  enum class Kind { kPower, kLog, kRatio, kSaturating, kTruncated };
  Kind kind = Kind::kPower;
  double parameter = 0;  ///< a in (0, 1] for kPower, c > 0 for kTruncated, unused (0) otherwise

  double operator()(double y) const;  ///< psi(y), y >= 0
  bool operator==(const Concave&) const = default;
};

/// "power", "log", "ratio", "saturating", "truncated".
std::string_view text_of(Concave::Kind kind);

/// What is wrong with the parameter, as the end of a sentence about the function; nothing if it is
/// in order.
std::optional<std::string> parameter_fault(const Concave& shape);

/// The function of that name. Throws Error if there is none, or the parameter is not one of its
/// own.
Concave make_concave(std::string_view name, double parameter = 0);

}  // namespace surefield
