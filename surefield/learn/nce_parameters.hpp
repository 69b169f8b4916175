// The parameters of a FLID or an FLDC and of its normaliser as one vector, with the score of a set and its
// derivatives.
//
//   theta = (u_0 .. u_{n-1}, a row of D weights W and E coherences V for each item, c)
//   score(S) = sum_{i in S} u_i + sum_d (max_{i in S} W_id - sum_{i in S} W_id)
//                               + sum_e (sum_{i in S} V_ie - max_{i in S} V_ie) + c
//
// d score / d u_i = 1 for i in S, d/dc = 1, d/dW_id = -1 and d/dV_ie = 1 for every i in S but the best of
// the dimension or concept, for which the two terms cancel (the lowest such item where several are best).
// A set touches |S| (D + E + 1) + 1 entries and a single item touches no weight: training costs what the
// sets hold, not what the model holds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

struct ScoredSet;

struct NceParameters {
  using Scored = ScoredSet;

  Index items = 0, dimensions = 0, concepts = 0;
  std::vector<double> theta = {};

  Index columns() const { return dimensions + concepts; }
  Index utility_at(Index i) const { return i; }
  /// Of column c: a dimension, or after these a concept.
  Index weight_at(Index i, Index c) const { return items + i * columns() + c; }
  Index constant_at() const { return theta.size() - 1; }
  double constant() const { return theta.back(); }
  /// Whether the entry must stay >= 0.
  bool is_weight(Index at) const { return at >= items && at != constant_at(); }
};

/// What one set needs to be scored; filled by score, read by for_each_partial. Made once, used for
/// all sets.
struct ScoredSet {
  explicit ScoredSet(const NceParameters& parameters)
      : best(parameters.columns()),
        best_weight(parameters.columns()),
        lesser(parameters.columns()) {}
  std::vector<std::uint32_t> best;  ///< item of the greatest weight in each column
  std::vector<double> best_weight;
  std::vector<double> lesser;  ///< what an item adds in each column; later its derivatives
};

/// The set must not be empty.
inline double score(const NceParameters& parameters, std::span<const std::uint32_t> set,
                    ScoredSet& scored) {
  const double* const theta = parameters.theta.data();
  const Index columns = parameters.columns();
  double sum = parameters.constant();
  for (const auto i : set) sum += theta[i];
  if (set.size() == 1 || columns == 0) return sum;  // alone, an item is best everywhere
  const double* const first = theta + parameters.weight_at(set[0], 0);
  for (Index c = 0; c < columns; ++c) {
    scored.best[c] = set[0];
    scored.best_weight[c] = first[c];
  }
  double* const lesser = scored.lesser.data();
  double* const best_weight = scored.best_weight.data();
  std::uint32_t* const best = scored.best.data();
  for (const auto i : set.subspan(1)) {
    const double* const row = theta + parameters.weight_at(i, 0);
    // The lesser of the best so far and of the item's own: what the pair loses, or gains. Without a branch, which would be a guess.
    for (Index c = 0; c < columns; ++c) {
      lesser[c] = std::min(row[c], best_weight[c]);
      best[c] = row[c] > best_weight[c] ? i : best[c];
      best_weight[c] = std::max(row[c], best_weight[c]);
    }
    for (Index d = 0; d < parameters.dimensions; ++d) sum -= lesser[d];
    for (Index e = parameters.dimensions; e < columns; ++e) sum += lesser[e];
  }
  return sum;
}

/// Calls step(index into theta, derivatives of the score from there on) for all entries the set touches, rows of weights at once.
/// `scored` is what score left for the same set and parameters.
template <class Step>
void for_each_partial(const NceParameters& parameters, std::span<const std::uint32_t> set,
                      ScoredSet& scored, Step&& step) {
  static constexpr double kOne = 1;
  for (const auto i : set) step(parameters.utility_at(i), std::span(&kOne, 1));
  step(parameters.constant_at(), std::span(&kOne, 1));
  if (set.size() == 1 || parameters.columns() == 0) return;
  for (const auto i : set) {
    for (Index d = 0; d < parameters.dimensions; ++d)
      scored.lesser[d] = scored.best[d] == i ? 0.0 : -1.0;
    for (Index e = parameters.dimensions; e < parameters.columns(); ++e)
      scored.lesser[e] = scored.best[e] == i ? 0.0 : 1.0;
    step(parameters.weight_at(i, 0), std::span<const double>(scored.lesser));
  }
}

/// The model without its constant; a FLID has no concepts.
Flid flid_of(const NceParameters& parameters);
Fldc fldc_of(const NceParameters& parameters);

}  // namespace surefield
