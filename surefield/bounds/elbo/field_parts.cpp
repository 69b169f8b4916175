#include "surefield/bounds/elbo/field_parts.hpp"

#include <cmath>
#include <queue>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {

std::vector<StarPart> stars_of(const PairwiseField& field, double factor) {
  const Index n = field.size();
  std::vector<double> left(n, 0);  // |coupling| of the edges not yet covered
  std::priority_queue<std::pair<double, Index>> queue;
  for (Index i = 0; i < n; ++i) {
    for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e)
      left[i] += std::abs(field.coupling[e]);
    queue.emplace(left[i], i);
  }
  std::vector<bool> done(n, false);
  std::vector<StarPart> stars;
  while (!queue.empty()) {
    const auto [known, i] = queue.top();
    queue.pop();
    if (done[i]) continue;
    if (known > left[i]) {  // out of date: a neighbour has taken an edge since
      queue.emplace(left[i], i);
      continue;
    }
    done[i] = true;
    std::vector<std::uint32_t> leaves;
    std::vector<double> weight;
    for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e) {
      const Index j = field.neighbour[e];
      if (done[j] || field.coupling[e] == 0) continue;
      leaves.push_back(field.neighbour[e]);
      weight.push_back(factor * field.coupling[e]);
      left[j] -= std::abs(field.coupling[e]);
    }
    if (!leaves.empty()) stars.emplace_back(static_cast<std::uint32_t>(i), leaves, weight);
  }
  return stars;
}

DualDecomposition<StarPart> field_decomposition(const PairwiseField& field,
                                                double inverse_temperature) {
  require(std::isfinite(inverse_temperature) && inverse_temperature > 0,
          "field decomposition: the inverse temperature is ", inverse_temperature,
          ", which must be finite and > 0");
  std::vector<double> linear = field.bias;
  for (double& bias : linear) bias *= inverse_temperature;
  return {stars_of(field, inverse_temperature), std::move(linear),
          inverse_temperature * field.constant};
}

}  // namespace surefield
