// The best family for the data, learned from all of it: what `fit` does where no model is named.
//
//   compared   each family by folds (api/family_choice.hpp): noise contrastive estimation with a quarter of the noise and half
//              the patience, few iterations of a determinantal process, penalties by two folds
//   learned    the winner, from all sets; of many sets with the penalty that the comparison found
//
// Of many sets fields that are compared have at most 60 iterations a penalty, and noise contrastive estimation as many epochs as 2 x
// 10^10 operations pay for. What costs too much even so is left out, and that is said. Where there is a deadline the comparison has three
// fifths of it, each family an equal part of what is left, and one that does not end in its part is left out.
#pragma once

#include "surefield/api/fit.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

/// Throws Error as fit() does.
FitResult fit_the_best(const SetCollection& data, const FitOptions& options);

}  // namespace surefield
