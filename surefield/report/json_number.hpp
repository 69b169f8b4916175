// A number in JSON: null where it is not known or not finite, so that no report holds a NaN.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "surefield/core/ordered_json.hpp"

namespace surefield {

inline OrderedJson json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? OrderedJson(*value) : OrderedJson(nullptr);
}

}  // namespace surefield
