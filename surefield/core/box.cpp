#include "surefield/core/box.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"

namespace surefield {

Box unit_box(std::size_t n) { return {std::vector<double>(n, 0.0), std::vector<double>(n, 1.0)}; }

bool Box::is_unit() const {
  return std::ranges::all_of(low, [](double v) { return v == 0; }) &&
         std::ranges::all_of(high, [](double v) { return v == 1; });
}

void require_bounded(const Box& box, std::size_t n) {
  require(box.low.size() == n && box.high.size() == n, "box: it has ", box.low.size(),
          " lower and ", box.high.size(), " upper ends, but there are ", n, " coordinates");
  for (std::size_t i = 0; i < n; ++i)
    require(std::isfinite(box.low[i]) && std::isfinite(box.high[i]) && box.low[i] <= box.high[i],
            "box: coordinate ", i, " has the interval [", box.low[i], ", ", box.high[i],
            "], whose ends must be finite and in order");
}

void require_inside_unit(const Box& box, std::size_t n) {
  require_bounded(box, n);
  for (std::size_t i = 0; i < n; ++i)
    require(box.low[i] >= 0 && box.high[i] <= 1, "box: coordinate ", i, " has the interval [",
            box.low[i], ", ", box.high[i], "], which must lie in [0, 1]");
}

void require_inside(const Box& box, std::span<const double> point) {
  require(point.size() == box.size(), "point: it has ", point.size(), " coordinates, but the box ",
          box.size());
  for (std::size_t i = 0; i < point.size(); ++i)
    require(box[i].contains(point[i]), "point: coordinate ", i, " is ", point[i],
            ", which must be in [", box.low[i], ", ", box.high[i], "]");
}

}  // namespace surefield
