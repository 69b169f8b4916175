// How well a model p(S) = e^{F(S)} / Z foretells sets it has not seen.
//
//   all sets         mean log p(S)               = mean F(S) - log Z
//   non-empty sets   mean log p(S | S not empty) = mean F(S) - log(Z - e^{F(empty)})
//
// Z comes as an interval that contains it, so the likelihood is an interval too: a proof, where log
// Z is one. The constant that noise contrastive estimation learns is an estimate and has no place
// here. Data that cannot hold an empty set (registries, baskets) are judged by the second form: the
// first spends part of its mass on a set that never comes. Z - e^{F(empty)} is at least the sum of
// e^{F({i})}, so the second form is finite however wide the interval of log Z.
//
// Cost: one evaluation of F a set; the sums do not depend on the number of threads.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/mean_estimate.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

/// The sets a probability is spread over.
enum class Support { kAllSets, kNonEmptySets };

struct HeldOutLikelihood {
  Support support = Support::kAllSets;
  MeanEstimate value;         ///< of F(S): its standard error is that of the log-likelihood too
  Interval log_normaliser;    ///< log Z, or log(Z - e^{F(empty)})
  Index empty_sets_left_out;  ///< under kNonEmptySets, where they have no probability

  bool complete = true;  ///< false: the budget was spent; `value` is of the sets judged

  /// Mean log-likelihood a set, in nats; nothing is known of it where no set was judged.
  Interval log_likelihood() const {
    if (value.count == 0) return {-kInfinity, kInfinity};
    constexpr double kLargest =
        std::numeric_limits<double>::max();  // beyond, the other end is that
    return {std::min(value.mean - log_normaliser.high, kLargest),
            std::max(value.mean - log_normaliser.low, -kLargest)};
  }
};

/// F(S) of every set. Throws Error unless the data's items are those of the model and every F(S) is
/// finite.
std::vector<double> values_of(const AnyModel& model, const SetCollection& data,
                              unsigned threads = 1);
/// The same; NaN for what a spent budget left out.
std::vector<double> values_of(const AnyModel& model, const SetCollection& data,
                              const Budget& budget);

/// log(Z - e^{F(empty)}) from an interval of log Z. Throws Error if there is no item: then no set
/// but the empty one.
Interval log_z_of_non_empty_sets(const AnyModel& model, Interval log_z);

/// P(i in S | S not empty) from P(i in S), with log Z at the middle of its interval.
std::vector<double> marginals_given_non_empty(const AnyModel& model,
                                              std::span<const double> marginals, Interval log_z);

/// Throws Error if no set is left, or the interval is not one.
HeldOutLikelihood held_out_likelihood(const AnyModel& model, const SetCollection& data,
                                      Interval log_z, Support support, unsigned threads = 1);
HeldOutLikelihood held_out_likelihood(const AnyModel& model, const SetCollection& data,
                                      Interval log_z, Support support, const Budget& budget);

}  // namespace surefield
