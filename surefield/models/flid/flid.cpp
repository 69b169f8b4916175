#include "surefield/models/flid/flid.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

double Flid::evaluate(Subset chosen) const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) sum.add(utility[i]);
  for (Index d = 0; d < dimensions; ++d) {
    double best = -kInfinity;
    for (Index i = 0; i < size(); ++i) {
      if (!chosen[i]) continue;
      best = std::max(best, weight(i, d));
      sum.add(-weight(i, d));
    }
    if (best > -kInfinity) sum.add(best);
  }
  return sum.value();
}

Flid make_flid(std::vector<double> utility, std::vector<double> weights, Index dimensions) {
  const Index n = utility.size();
  const bool sizes_match = n == 0 || dimensions == 0
                               ? weights.empty()
                               : weights.size() % n == 0 && weights.size() / n == dimensions;
  require(sizes_match, "flid: there are ", weights.size(),
          " weights, which must be one for each of ", n, " items in each of ", dimensions,
          " dimensions");
  double total = 0;
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(utility[i]), "flid: item ", i, " has utility ", utility[i],
            ", which must be finite");
    total += std::abs(utility[i]);
    for (Index d = 0; d < dimensions; ++d) {
      const double weight = weights[i * dimensions + d];
      require(std::isfinite(weight), "flid: item ", i, " has weight ", weight, " in dimension ", d,
              ", which must be finite");
      total += 2 * std::abs(weight);  // once as a benefit, once in the cost
    }
  }
  require(std::isfinite(total), "flid: the sizes of all utilities and weights add up to ", total,
          ", which must be finite");

  std::vector<double> cost(n);
  std::vector<std::vector<Entry>> customers(n == 0 ? 0 : dimensions);
  for (auto& customer : customers) customer.reserve(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    ExactSum sum;
    sum.add(-utility[i]);
    for (Index d = 0; d < dimensions; ++d) {
      sum.add(weights[i * dimensions + d]);
      customers[d].push_back({i, weights[i * dimensions + d]});
    }
    cost[i] = sum.value();
  }
  Flid model{.dimensions = dimensions,
             .utility = std::move(utility),
             .weights = std::move(weights),
             .facility = {}};
  model.facility = make_facility_location(std::move(cost), customers);
  return model;
}

std::optional<std::string> submodularity_violation(const Flid& model) {
  if (model.size() < 2) return std::nullopt;
  for (Index i = 0; i < model.size(); ++i)
    for (Index d = 0; d < model.dimensions; ++d)
      if (model.weight(i, d) < 0)
        return message("item ", i, " has weight ", model.weight(i, d), " in dimension ", d,
                       ", which must be >= 0 (the best of no item is 0)");
  return std::nullopt;
}

Flid sum_of(double a_weight, const Flid& a, double b_weight, const Flid& b) {
  require(a.size() == b.size(), "sum of two flids: the first has ", a.size(), " items, the second ",
          b.size(), ", which must be the same");
  require(std::isfinite(a_weight) && a_weight >= 0, "sum of two flids: the first has factor ",
          a_weight, ", which must be finite and >= 0");
  require(std::isfinite(b_weight) && b_weight >= 0, "sum of two flids: the second has factor ",
          b_weight, ", which must be finite and >= 0");
  std::vector<double> utility(a.size());
  std::vector<double> weights;
  weights.reserve(a.weights.size() + b.weights.size());
  for (Index i = 0; i < a.size(); ++i) {
    utility[i] = a_weight * a.utility[i] + b_weight * b.utility[i];
    for (Index d = 0; d < a.dimensions; ++d) weights.push_back(a_weight * a.weight(i, d));
    for (Index d = 0; d < b.dimensions; ++d) weights.push_back(b_weight * b.weight(i, d));
  }
  return make_flid(std::move(utility), std::move(weights), a.dimensions + b.dimensions);
}

}  // namespace surefield
