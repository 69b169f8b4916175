// Cross-validation folds: every set is held out once.
//
// The sets are shuffled by the seed and dealt in turn, so that the sizes differ by at most one. A
// pure function of (sets, folds, seed).
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

struct Fold {
  SetCollection training, held_out;
};

/// The sets held out by each fold, ascending. Throws Error unless 2 <= folds <= sets.
std::vector<std::vector<Index>> fold_indices(Index sets, Index folds, std::uint64_t seed);

/// One of them, counted from 0; both parts keep the items and their names, and the order of the
/// sets. Throws Error as above, and unless fold < folds.
Fold fold_of(const SetCollection& data, Index folds, Index fold, std::uint64_t seed);

}  // namespace surefield
