// What data without empty sets leaves open: how likely the empty set is.
//
//   u_i + t,  W_id + t_d,  sum_d t_d = t     raises F(S) by t on every set but the empty one
//
// For |S| items: t |S| - sum_d t_d (|S| - 1) = t. So the probabilities among the sets that are not
// empty stay what they are, and only P(empty) = 1 / (1 + e^t (Z - 1)) moves. A method that learns
// from sets which are not empty ends anywhere on this line; here the place is chosen. Weights must
// stay >= 0, which bounds t from below by -sum_d min_i W_id; upwards nothing does, but the more a
// model forbids the empty set, the more its items exclude one another and the less a product
// distribution can say about it. Coherence is not touched: an FLDC moves by its dimensions alone.
#pragma once

#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// P(empty), where neither the data nor anybody says.
inline constexpr double kUnseenEmptyChance = 0.0125;

template <class M>
struct EmptyChance {
  M model;
  double raised = 0;  ///< t: what was added to F on all sets but the empty one
};

/// The model with P(empty) = chance, or as near as weights >= 0 allow; unchanged without
/// dimensions. `log_z_without_empty` is log(Z - 1) of the model given. Throws Error unless 0 <
/// chance < 1.
EmptyChance<Flid> with_empty_chance(const Flid& model, double log_z_without_empty, double chance);
EmptyChance<Fldc> with_empty_chance(const Fldc& model, double log_z_without_empty, double chance);

}  // namespace surefield
