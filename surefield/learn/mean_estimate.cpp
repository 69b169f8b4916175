#include "surefield/learn/mean_estimate.hpp"

#include <cmath>

#include "surefield/core/numeric.hpp"

namespace surefield {

MeanEstimate mean_of(std::span<const double> values) {
  MeanEstimate estimate{.count = values.size(), .mean = 0, .standard_error = kInfinity};
  if (values.empty()) return estimate;
  const auto n = static_cast<double>(values.size());
  CompensatedSum sum;
  for (const double v : values) sum.add(v);
  estimate.mean = sum.value() / n;
  if (!std::isfinite(estimate.mean)) {  // of numbers so large that only their mean is a double
    sum = {};
    for (const double v : values) sum.add(v / n);
    estimate.mean = sum.value();
  }
  if (values.size() < 2) return estimate;
  CompensatedSum squares;
  for (const double v : values) squares.add((v - estimate.mean) * (v - estimate.mean));
  if (std::isfinite(squares.value()))
    estimate.standard_error = std::sqrt(squares.value() / (n * (n - 1)));
  return estimate;
}

}  // namespace surefield
