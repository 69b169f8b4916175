// Annealed importance sampling: an ESTIMATE of log Z with its standard error. It proves nothing.
//
// Each run begins with independent fair items (Z = 2^free) and goes through the inverse
// temperatures beta_t = beta t / steps, one Gibbs sweep at each; its weight is
//
//   w = 2^free e^{sum_t (beta_t - beta_{t-1}) F(S_t)},      E w = Z exactly
//
// The log of the mean of w is too low on average, by more the wider w is spread. The error given is
// that of the delta method together with what the mean would rise by if log w were normal: honest where
// few runs carry all the weight, which the delta method alone is not. Cost: runs * steps sweeps of n gains, and one value a sweep.
//
// R. Neal. Annealed importance sampling. Statistics and Computing 11, 2001.
#pragma once

#include <cstdint>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct AnnealingOptions {
  double beta = 1;
  Index steps = 1000;
  Index runs = 50;  ///< at least 2
  std::uint64_t seed = 1;
  Budget budget = {};  ///< once spent, Error
};

struct LogZEstimate {
  double log_z;           ///< an estimate, not a bound
  double standard_error;  ///< of log_z, bias included
};

/// Throws Error for options out of range, and where the budget is spent before all runs are done.
LogZEstimate annealed_importance(const AnyModel& model, const Box* box = nullptr,
                                 const AnnealingOptions& options = {});

}  // namespace surefield
