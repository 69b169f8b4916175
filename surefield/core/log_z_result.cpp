#include "surefield/core/log_z_result.hpp"

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

}  // namespace surefield
