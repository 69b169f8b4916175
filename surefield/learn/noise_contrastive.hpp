// FLID or FLDC from sets by noise contrastive estimation: stochastic ascent that never computes a log Z.
//
// The objective J is in learn/nce_sample.hpp. One step takes one set S, observed or noise, in
// random order:
//
//   excess = (1 if observed else 0) - h(S)         theta += rate * excess * d score(S) / d theta
//
// Rates: AdaGrad, step / sqrt(0.01 + sum of squared slopes of that entry); or plain, step (t +
// 1)^-0.1 as in the authors' code. A weight that falls to 0 or below is drawn again from U[0,
// 1e-3], which keeps W >= 0 and a dimension alive. The start is the noise itself: u its log odds, c
// its -log(Z - 1), W ~ U[0, 1e-3].
//
// Some of the data is held aside, with noise of its own; training ends when J there has not
// improved by `tolerance` for `patience` epochs, and the best parameters are returned. J
// has many local optima, in which two dimensions share what one could say; several starts on the
// same sets are several chances. Empty sets say nothing about sets that are not empty: training
// leaves them out, and -c estimates log(Z - 1), not log Z. How likely the empty set is, is then
// settled by their share in the data, or chosen where there is none (learn/empty_chance.hpp).
//
// Cost: O(sum of |S| (D + E + 1)) an epoch over all sets, observed and noise; memory the same for the
// sets.
//
// S. Tschiatschek, J. Djolonga, A. Krause. Learning Probabilistic Submodular Diversity Models via
// Noise Contrastive Estimation. AISTATS 2016.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "surefield/core/budget.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/flid_fit.hpp"

namespace surefield {

struct NceProgress {
  std::size_t starts = 1, start = 0;  ///< how many, and which this is, from 0
  std::size_t epochs = 0;             ///< at most, of each
  FlidFitEpoch now;
  double best = 0;  ///< the greatest watched objective so far
};

struct NceOptions {
  enum class Optimiser { kAdaGrad, kSgd };

  Index dimensions = 10;
  Index concepts = 0;        ///< of an FLDC
  std::size_t epochs = 200;  ///< at most, passes over observed and noise sets
  double noise_ratio = 20;   ///< noise sets per observed set
  Optimiser optimiser = Optimiser::kAdaGrad;
  double step = 0;  ///< of the optimiser; 0: 0.1 for AdaGrad, 0.01 for plain ascent
  std::size_t starts =
      1;  ///< runs from fresh weights on the same sets; the best watched J is returned
  std::uint64_t seed = 1;
  double held_aside =
      0.1;  ///< share of the sets that early stopping watches; 0: none, all epochs run
  double tolerance = 1e-5;    ///< an epoch has improved if J is greater by so much, per set
  std::size_t patience = 10;  ///< epochs without improvement before it ends
  /// P(empty set), in (0, 1). Nothing: the share of empty sets in the data, 0.0125 where there is
  /// none.
  std::optional<double> empty_chance = {};
  std::function<bool(const NceProgress&)> observer = {};  ///< after every epoch; whether to go on
  /// Once it is spent the best of the epochs finished is returned, or where it began if there is
  /// none. One thread is used.
  Budget budget = {};
};

/// Operations of an epoch, about: every set, observed and noise, is scored, and every entry of it has a slope a column, which takes
/// longer where the weights do not fit a cache.
double nce_operations(const SetCollection& data, const NceOptions& options);

/// log_z_estimate comes from the -c that estimates log(Z - 1). Throws Error for data that
/// flat_sets refuses, where every set is empty, and for options out of range.
FlidFit fit_flid_nce(const SetCollection& data, const NceOptions& options = {});
/// The same with concepts.
FldcFit fit_fldc_nce(const SetCollection& data, const NceOptions& options = {});

}  // namespace surefield
