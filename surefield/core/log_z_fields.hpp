// What intervals and results about log Z hold, for core/packing.hpp.
#pragma once

#include <tuple>

#include "surefield/core/box.hpp"
#include "surefield/core/log_z_result.hpp"

namespace surefield {

inline auto fields_of(Interval& interval) {
  auto& [low, high] = interval;
  return std::tie(low, high);
}

inline auto fields_of(LogZValue& found) {
  auto& [method, side, value, standard_error, error, seconds, outside] = found;
  return std::tie(method, side, value, standard_error, error, seconds, outside);
}

inline auto fields_of(LogZResult& found) {
  auto& [kind, items, values, refused, lower, upper, lower_method, upper_method, basis, exact,
         value, failure, interrupted, seconds, names, marginals, marginals_exact, marginals_method,
         marginals_wanted] = found;
  return std::tie(kind, items, values, refused, lower, upper, lower_method, upper_method, basis,
                  exact, value, failure, interrupted, seconds, names, marginals, marginals_exact,
                  marginals_method, marginals_wanted);
}

}  // namespace surefield
