// Bounds that rest on submodularity watch for a witness against it: an item that adds less to a set
// than to a larger one, by more than rounding can explain.
#pragma once

#include "surefield/core/concepts.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

/// Throws Contradiction if the gain of item i on a larger set is above the one on a smaller set. Both
/// gains and the facts are times beta.
void require_falling_gain(Index i, double on_smaller, double on_larger, const Facts& facts);

}  // namespace surefield
