// The posterior agreement of two models as a problem: p'(S) p''(S) ~ exp(beta (F'(S) + F''(S))).
#pragma once

#include "surefield/api/problem.hpp"
#include "surefield/core/box.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// The sum of the two, with the items that either names, on the sets that both boxes allow. Two
/// models of a family that holds its own sums give that family again, so that its fast and exact
/// methods apply: FLIDs and facility locations with the dimensions of both, coverages with the
/// concepts of both, fields and cuts with the couplings added up and flipped together. Throws Error
/// unless both have as many items and the same names where both name them, where an item is left
/// with no value, and where the sum is not log-submodular (unless a given problem is not so
/// already, or the options allow it).
Problem agreement_problem(const Problem& first, const Problem& second, ProblemOptions options = {});

/// log sum_S p'(S) p''(S) over sets that are not empty, both given that they are not: from that over all sets,
/// log Z+ - log Z' - log Z'', whose ends are of the ends of these three.
Interval agreement_of_non_empty_sets(const Flid& first, const Interval& first_log_z,
                                     const Flid& second, const Interval& second_log_z,
                                     const Interval& agreement);

}  // namespace surefield
