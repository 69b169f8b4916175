// The best family for the data, learned from all of it: what `fit` does where no model is named.
//
//   compared   each family by folds (api/family_choice.hpp): noise contrastive estimation with a quarter of the noise and half
//              the patience, few iterations of a determinantal process, penalties by two folds
//   learned    the winner, from all sets; of many sets with the penalty that the comparison found
//
// All trainings that are compared share one amount of work, each family an equal part of what is left: epochs of noise contrastive
// estimation and iterations of fields are as many as that pays for, of many sets at most 60 iterations a penalty, and a family with too
// few is left out, which is said. The winner has its own. An operation is stated as a nanosecond of a core. Where there is a deadline the comparison has three
// fifths of it, each family an equal part of what is left, and one that does not end in its part is left out.
#pragma once

#include "surefield/api/fit.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

/// The families that are compared, plainest first: all but dpp, which takes n^3, where there are many items.
std::vector<std::string> families_to_compare(Index items);

/// Throws Error as fit() does.
FitResult fit_the_best(const SetCollection& data, const FitOptions& options);

}  // namespace surefield
