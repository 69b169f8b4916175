// A pairwise field from sets, couplings of both signs, by noise contrastive estimation.
//
// The same fields as learn/pairwise_fit.hpp, on the same pairs and kept to the sizes seen in the same way, by
// another objective: sets are told from noise as wholes (learn/noise_contrastive.hpp), not every item foretold from
// the rest of its set. What ends it is the objective on sets held aside, in place of a penalty; -c estimates
// log(Z - 1) before sizes are kept.
#pragma once

#include "surefield/learn/noise_contrastive.hpp"
#include "surefield/learn/pairwise_fit.hpp"

namespace surefield {

/// Of the options of the field: least_pair, sizes_seen, smoothing (of the measure of sizes), budget. `evaluations`
/// are epochs, `objective` is J on the sets held aside. Throws Error as fit_pairwise and fit_flid_nce do, and if
/// the field is to be repulsive.
PairwiseFit fit_pairwise_nce(const SetCollection& data, const PairwiseFitOptions& field,
                             const NceOptions& options);

}  // namespace surefield
