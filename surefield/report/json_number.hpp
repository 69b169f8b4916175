// A number in JSON: null where it is not known or not finite, so that no report holds a NaN.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace surefield {

inline nlohmann::ordered_json json_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value)
                                        : nlohmann::ordered_json(nullptr);
}

}  // namespace surefield
