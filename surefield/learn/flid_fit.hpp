// What learning a FLID or an FLDC returns, whatever the method: the model, an estimate of its log Z, how
// it went.
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include "surefield/core/report.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

struct FlidFitEpoch {
  std::size_t epoch = 0;  ///< passes over the data done
  double training = 0;    ///< objective per set that was trained on, the mean over the pass
  double watched = 0;     ///< objective per set held aside; as `training` where none was
  double constant = 0;    ///< the running estimate of the log normaliser
};

inline auto fields_of(FlidFitEpoch& epoch) {
  auto& [number, training, watched, constant] = epoch;
  return std::tie(number, training, watched, constant);
}

struct FitCourse {
  std::string method;         ///< in words
  double log_z_estimate = 0;  ///< an estimate, no bound; the method says of what
  Status status = Status::kEpochLimit;
  std::vector<FlidFitEpoch> trace;  ///< one entry an epoch
  std::size_t best_epoch = 0;       ///< the one whose parameters are in `model`
  Index training_sets = 0, held_aside = 0;
  Index empty_sets = 0;  ///< left out
  Index restarts = 0;    ///< weights that fell to 0 or below and were drawn again
};

struct FlidFit : FitCourse {
  Flid model;
};

struct FldcFit : FitCourse {
  Fldc model;
};

}  // namespace surefield
