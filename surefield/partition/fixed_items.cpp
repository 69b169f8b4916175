#include "surefield/partition/fixed_items.hpp"

#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield {

FixedItems fixed_items(const Box* box, Index n, std::string_view what) {
  FixedItems result;
  result.value.assign(n, kFree);
  if (box != nullptr) {
    require_inside_unit(*box, n);
    for (Index i = 0; i < n; ++i) {
      const Interval in = (*box)[i];
      require(in == Interval{0, 1} || in == Interval{0, 0} || in == Interval{1, 1}, what, ": item ",
              i, " has the interval [", in.low, ", ", in.high, "], which must be [0, 1], 0 or 1");
      if (in.is_point()) result.value[i] = static_cast<std::int8_t>(in.low);
    }
  }
  for (Index i = 0; i < n; ++i)
    if (result.value[i] == kFree) result.free.push_back(i);
  return result;
}

void require_inverse_temperature(double beta, std::string_view what) {
  require(std::isfinite(beta) && beta > 0, what, ": the inverse temperature is ", beta,
          ", which must be finite and > 0");
}

}  // namespace surefield
