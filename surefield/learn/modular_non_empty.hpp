// Items by themselves, given that a set is not empty: the model to beat on data without empty sets.
//
//   F(S) = sum_{i in S} u_i, fitted to log p(S | S not empty) = F(S) - log(Z - 1)
//   greatest where P(i in S | S not empty) = f_i, the share of the sets with i:
//   sigmoid(u_i) = f_i (1 - e),   e = P(empty) = prod_i (1 - f_i (1 - e))
//
// The plain fit of learn/modular.hpp puts f_i itself and so spends mass on a set that never comes;
// a richer model that need not would seem to gain by that alone. The equation for e has one root
// below 1 if the f_i add up to more than 1, as they do for sets that are not empty, unless nearly
// all hold one item; e is then kept below 1 - 1e-6. Smoothing as in learn/modular.hpp.
// Cost: one pass over the data, then n a bisection step.
#pragma once

#include <vector>

#include "surefield/core/set_collection.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// A FLID of no dimensions; empty sets are left out. Throws Error for data that flat_sets refuses,
/// where every set is empty, for smoothing that is not finite and >= 0, and at smoothing 0 for an
/// item in none or all of the sets.
Flid fit_modular_given_non_empty(const SetCollection& data, double smoothing = 1);

/// The one that the data ask for: given that a set is not empty if none of them is, else that of learn/modular.hpp.
Flid fit_items_alone(const SetCollection& data, double smoothing = 1);

/// Of items by themselves: the chance of each to be in a set.
std::vector<double> chances(const Flid& items);

}  // namespace surefield
