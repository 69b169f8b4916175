#include "surefield/bounds/log_z/free_items.hpp"

#include <cmath>

#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

FreeItems free_items(const Box* box, Index n, std::string_view method) {
  FreeItems items;
  if (box) require_inside_unit(*box, n);
  items.value.assign(n, kFree);
  for (Index i = 0; i < n; ++i) {
    const Interval interval = box ? (*box)[i] : Interval{0, 1};
    require(is_of_sets(interval), method, ": coordinate ", i, " has the interval [", interval.low,
            ", ", interval.high, "], which must be [0, 1], [0, 0] or [1, 1]");
    if (interval.is_point()) items.value[i] = static_cast<std::int8_t>(interval.low);
    if (interval.low == 1)
      items.in.push_back(i);
    else if (interval.high == 1)
      items.free.push_back(i);
  }
  return items;
}

void require_inverse_temperature(double beta, std::string_view method) {
  require(std::isfinite(beta) && beta >= 0, method, ": the inverse temperature is ", beta,
          ", which must be finite and >= 0");
}

void require_positive_inverse_temperature(double beta, std::string_view method) {
  require(std::isfinite(beta) && beta > 0, method, ": the inverse temperature is ", beta,
          ", which must be finite and > 0");
}

}  // namespace surefield
