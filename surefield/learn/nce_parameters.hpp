// The parameters of a FLID and of its normaliser as one vector, with the score of a set and its
// derivatives.
//
//   theta = (u_0 .. u_{n-1}, W row by row, c)
//   score(S) = sum_{i in S} u_i + sum_d (max_{i in S} W_id - sum_{i in S} W_id) + c
//
// d score / d u_i = 1 for i in S, d/dc = 1, d/dW_id = -1 for every i in S but the best of dimension
// d, for which the two terms cancel (the lowest such item where several are best). A set touches
// |S| (D + 1) + 1 entries and a single item touches no weight: training costs what the sets hold,
// not what the model holds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/models/flid/flid.hpp"

namespace surefield {

struct NceParameters {
  Index items = 0, dimensions = 0;
  std::vector<double> theta;

  Index utility_at(Index i) const { return i; }
  Index weight_at(Index i, Index d) const { return items + i * dimensions + d; }
  Index constant_at() const { return theta.size() - 1; }
  double constant() const { return theta.back(); }
};

/// What one set needs to be scored; filled by score, read by for_each_partial. Made once, used for
/// all sets.
struct ScoredSet {
  explicit ScoredSet(Index dimensions) : best(dimensions), best_weight(dimensions) {}
  std::vector<std::uint32_t> best;  ///< item of the greatest weight in each dimension
  std::vector<double> best_weight;
};

/// The set must not be empty.
inline double score(const NceParameters& parameters, std::span<const std::uint32_t> set,
                    ScoredSet& scored) {
  const double* const theta = parameters.theta.data();
  const Index dimensions = parameters.dimensions;
  double sum = parameters.constant();
  for (const auto i : set) sum += theta[i];
  if (set.size() == 1 || dimensions == 0) return sum;  // alone, an item is best everywhere
  const double* const first = theta + parameters.weight_at(set[0], 0);
  for (Index d = 0; d < dimensions; ++d) {
    scored.best[d] = set[0];
    scored.best_weight[d] = first[d];
  }
  for (const auto i : set.subspan(1)) {
    const double* const row = theta + parameters.weight_at(i, 0);
    for (Index d = 0; d < dimensions; ++d) {  // the lesser of the two is what the pair loses
      if (row[d] > scored.best_weight[d]) {
        sum -= scored.best_weight[d];
        scored.best_weight[d] = row[d];
        scored.best[d] = i;
      } else {
        sum -= row[d];
      }
    }
  }
  return sum;
}

/// Calls step(index into theta, derivative of the score there) for every entry the set touches.
/// `scored` is what score left for the same set and parameters.
template <class Step>
void for_each_partial(const NceParameters& parameters, std::span<const std::uint32_t> set,
                      const ScoredSet& scored, Step&& step) {
  for (const auto i : set) step(parameters.utility_at(i), 1.0);
  step(parameters.constant_at(), 1.0);
  if (set.size() == 1) return;
  for (const auto i : set)
    for (Index d = 0; d < parameters.dimensions; ++d)
      if (scored.best[d] != i) step(parameters.weight_at(i, d), -1.0);
}

/// The FLID without its constant.
Flid flid_of(const NceParameters& parameters);

}  // namespace surefield
