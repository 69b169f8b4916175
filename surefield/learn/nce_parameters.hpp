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
      : best(parameters.columns()), best_weight(parameters.columns()) {}
  std::vector<std::uint32_t> best;  ///< item of the greatest weight in each column
  std::vector<double> best_weight;
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
  // The lesser of the best so far and of the item's own: what the pair loses, or gains.
  const auto lesser = [&scored](std::uint32_t i, Index c, double own) {
    if (own <= scored.best_weight[c]) return own;
    const double beaten = scored.best_weight[c];
    scored.best_weight[c] = own;
    scored.best[c] = i;
    return beaten;
  };
  for (const auto i : set.subspan(1)) {
    const double* const row = theta + parameters.weight_at(i, 0);
    for (Index d = 0; d < parameters.dimensions; ++d) sum -= lesser(i, d, row[d]);
    for (Index e = parameters.dimensions; e < columns; ++e) sum += lesser(i, e, row[e]);
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
    for (Index c = 0; c < parameters.columns(); ++c)
      if (scored.best[c] != i)
        step(parameters.weight_at(i, c), c < parameters.dimensions ? -1.0 : 1.0);
}

/// The model without its constant; a FLID has no concepts.
Flid flid_of(const NceParameters& parameters);
Fldc fldc_of(const NceParameters& parameters);

}  // namespace surefield
