#include "surefield/core/log_z_result.hpp"

#include <limits>

namespace surefield {

std::string_view text_of(Side side) {
  switch (side) {
    case Side::kLower:
      return "lower";
    case Side::kUpper:
      return "upper";
    case Side::kExact:
      return "exact";
    case Side::kEstimate:
      return "estimate";
  }
  return "estimate";
}

double LogZResult::width() const {
  return is_bounded() ? *upper - *lower : std::numeric_limits<double>::infinity();
}

std::string LogZResult::method() const {
  if (!lower) return upper_method;
  if (!upper || lower_method == upper_method) return lower_method;
  return lower_method + ", " + upper_method;
}

const LogZResult& LogZResult::sound() const {
  if (!failure.empty()) throw Contradiction(failure);
  return *this;
}

}  // namespace surefield
