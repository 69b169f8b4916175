// The posterior agreement of two models as a problem: p'(S) p''(S) ~ exp(beta (F'(S) + F''(S))).
#pragma once

#include "surefield/api/problem.hpp"

namespace surefield {

/// The sum of the two, with the first one's items; of two FLIDs again a FLID, with the dimensions of both. Throws Error
/// unless both have as many items, and where names are given to both, the same ones.
Problem agreement_problem(const Problem& first, const Problem& second);

}  // namespace surefield
