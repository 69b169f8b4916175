#include "surefield/api/log_z_checks.hpp"

#include <cmath>

#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

void require_sets_of_log_z(const Box& box) {
  for (Index i = 0; i < box.size(); ++i)
    require(is_of_sets(box[i]), "log Z: item ", i, " is bounded to [", box.low[i], ", ",
            box.high[i], "]; only in, out or free has a meaning for sets");
}

void require_temperature_of_log_z(double inverse_temperature) {
  require(std::isfinite(inverse_temperature) && inverse_temperature > 0,
          "log Z: the inverse temperature is ", inverse_temperature,
          ", which must be finite and > 0");
}

void require_width_of_log_z(double width) {
  require(width > 0, "log Z: the width is ", width, ", which must be > 0");
}

}  // namespace surefield
