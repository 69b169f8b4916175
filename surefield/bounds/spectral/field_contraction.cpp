#include "surefield/bounds/spectral/field_contraction.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

Interval slope_range(const PairwiseField& field, const Box& box, Index i) {
  double low = field.bias[i], high = low, size = std::abs(low);
  for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e) {
    const double w = field.coupling[e];
    const double a = w * box.low[field.neighbour[e]], b = w * box.high[field.neighbour[e]];
    low += std::min(a, b), high += std::max(a, b), size += std::abs(w);
  }
  const auto degree = static_cast<double>(field.start[i + 1] - field.start[i]);
  const double error = gamma_of(degree + 4) * size + 1e-300;
  return {low - error, high + error};
}

bool contract_field(const PairwiseField& field, const Box& domain, Box& box, std::size_t sweeps) {
  constexpr double kProgress = 1e-3;  // of a width, in the sweep as a whole
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (Index i = 0; i < field.size(); ++i) {
      if (box[i].is_point()) continue;
      const Interval slope = slope_range(field, box, i);
      constexpr double kImage = 16 * kUnitRoundoff;
      const double least = domain[i].clamp(sigmoid(slope.low) * (1 - kImage));
      const double most = domain[i].clamp(std::min(1.0, sigmoid(slope.high) * (1 + kImage)));
      if (std::isnan(least) || std::isnan(most)) continue;
      if (least > box.high[i] || most < box.low[i]) return false;
      const double width = box[i].width();
      box.low[i] = std::max(box.low[i], least);
      box.high[i] = std::min(box.high[i], most);
      moved = std::max(moved, (width - box[i].width()) / width);
    }
    if (moved <= kProgress) break;
  }
  return true;
}

}  // namespace surefield
