// What all trainings of a selection may take: epochs, starts and noise as far as an amount of work pays for them.
//
//   as asked        where that is paid
//   one start       else; then a quarter of the noise, where fewer than 20 epochs of one start are paid
//   fewer epochs    as many as are paid, the same of every D and fold
//
// Operations are counted, never measured (core/paid_rounds.hpp): the same trainings on every machine, however many threads.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "surefield/core/paid_rounds.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/noise_contrastive.hpp"

namespace surefield {

struct PaidTraining {
  NceOptions how;
  std::vector<std::string>
      notes;  ///< what is less than was asked for, in a sentence; none if nothing is
};

/// One training a fold and number of dimensions, 0 of which cost nothing. Throws TooMuch where fewer epochs than are of use are paid.
PaidTraining paid_training(const SetCollection& data, std::span<const Index> dimensions,
                           Index folds, const NceOptions& asked, const RoundsWork& work);

}  // namespace surefield
