// Items by themselves: the model every other one has to beat.
//
//   F(S) = sum_{i in S} u_i,   u_i = logit of (count_i + smoothing) / (N + 2 smoothing)
//
// Greatest likelihood at smoothing 0; each unit of smoothing is one more set with the item and one
// without. Empty sets are sets like any other. log Z = sum softplus(u_i), exactly. Cost: one pass
// over the data.
#pragma once

#include "surefield/core/set_collection.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// A FLID of no dimensions. Throws Error for data that flat_sets refuses, for smoothing that is not
/// finite and >= 0, and at smoothing 0 for an item in none or all of the sets, whose u_i would be
/// infinite.
Flid fit_modular(const SetCollection& data, double smoothing = 1);

/// log Z of a FLID of no dimensions; throws Error for any other.
double modular_log_z(const Flid& model);

}  // namespace surefield
