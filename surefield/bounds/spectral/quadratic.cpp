#include "surefield/bounds/spectral/quadratic.hpp"

#include <utility>

#include "surefield/bounds/free_field.hpp"

namespace surefield {

Quadratic free_quadratic(const PairwiseField& field, const Box& box, bool entropies,
                         double narrow) {
  FreeField free = free_field(field, box, entropies, narrow);
  Quadratic result;
  const auto n = static_cast<Eigen::Index>(free.item.size());
  result.constant = free.constant;
  result.error = free.error;
  result.bias = Eigen::Map<const Eigen::VectorXd>(free.bias.data(), n);
  result.low.resize(n), result.high.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Index item = free.item[static_cast<std::size_t>(k)];
    result.low[k] = box.low[item], result.high[k] = box.high[item];
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(2 * free.edges.size());
  for (const auto& [from, to, weight] : free.edges) {
    entries.emplace_back(from, to, weight);
    entries.emplace_back(to, from, weight);
  }
  result.couplings.resize(n, n);
  result.couplings.setFromTriplets(entries.begin(), entries.end());
  result.item = std::move(free.item);
  return result;
}

}  // namespace surefield
