#include "surefield/learn/training_log_z.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/error.hpp"
#include "surefield/learn/elbo_gradient.hpp"
#include "surefield/learn/flid_likelihood.hpp"
#include "surefield/learn/weight_columns.hpp"

namespace surefield {

std::string_view text_of(LogZMethod method) {
  switch (method) {
    case LogZMethod::kHoelder:
      return "hoelder";
    case LogZMethod::kExact:
      return "exact";
    case LogZMethod::kMeanField:
      return "mean-field";
  }
  return "unknown";
}

FlidLogZSlopes TrainingLogZ::operator()(const Flid& model, std::span<const double> multipliers,
                                        std::span<double> slope) {
  if (method_ == LogZMethod::kMeanField) return by_mean_field(model);
  if (method_ == LogZMethod::kHoelder && columns_of(model) > 0)
    return hoelder_objective(model, multipliers, slope);
  return exact_log_z_slopes(model, budget_);
}

FlidLogZSlopes TrainingLogZ::operator()(const Fldc& model, std::span<const double> multipliers,
                                        std::span<double> slope) {
  require(method_ != LogZMethod::kMeanField,
          "likelihood fit: the ELBO as log Z learns no fldc; there are exact and hoelder");
  if (method_ == LogZMethod::kHoelder && columns_of(model) > 0)
    return hoelder_objective(model, multipliers, slope);
  return exact_log_z_slopes(model, budget_);
}

FlidLogZSlopes TrainingLogZ::by_mean_field(const Flid& model) {
  const Index n = model.size();
  const Box box = unit_box(n);
  Report best;
  best.value = -kInfinity;
  for (const std::vector<double>& from : {last_, std::vector<double>(n, 0.5), box.low, box.high}) {
    Report found = coordinate_ascent(Elbo(model.at(from)), box, Order::natural(n),
                                     {.epochs = 2000, .tolerance = 1e-9},
                                     [&](TracePoint&) { return !budget_.spent(); });
    if (found.value > best.value) best = std::move(found);
  }
  last_ = best.point;
  const std::vector<double> slopes = parameter_gradient(model, best.point);
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(n);
  return {best.value, {slopes.begin(), middle}, {middle, slopes.end()}};
}

void leave_out_empty(std::span<const double> utility, FlidLogZSlopes& of,
                     std::span<double> multiplier_slope) {
  const double others = -std::expm1(-of.log_z);
  if (others < 1e-9) {
    of.log_z = log_sum_exp(utility);
    for (Index i = 0; i < utility.size(); ++i) of.utility[i] = std::exp(utility[i] - of.log_z);
    std::ranges::fill(of.weights, 0.0);
    std::ranges::fill(multiplier_slope, 0.0);
    return;
  }
  of.log_z += std::log(others);
  for (double& slope : of.utility) slope /= others;
  for (double& slope : of.weights) slope /= others;
  for (double& slope : multiplier_slope) slope /= others;
}

}  // namespace surefield
