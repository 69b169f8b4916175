// Which of several candidates is best, from values of each on the same folds or on the same pairs
// of folds, and whether the data can tell.
//
//   a value              an interval that is certain to hold it (log Z is known from both sides, not to the last digit)
//   mean difference      of best and rival, over the folds or pairs: from the midpoints, with half the widths as slack
//   standard error       jackknife over the folds: one fold is left out, with every pair it is in,
//                        se^2 = (K - 1)/K sum_k (d without k - mean of those)^2
//   told apart           mean difference - slack > 2 se; never where the folds are too few for a standard error
//
// Folds share training sets, so the jackknife is a guide and not a test at a level: it errs towards
// too small a spread, the more so the more folds there are (Y. Bengio, Y. Grandvalet. No unbiased
// estimator of the variance of K-fold cross-validation. JMLR 2004).
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

/// What each fold or pair belongs to: (k, k) for a value of fold k, (a, b) for one of a pair.
using FoldPair = std::pair<Index, Index>;

struct Summary {
  Interval mean{0, 0};                   ///< certain for the mean of these values
  std::optional<double> standard_error;  ///< jackknife; none where the folds are too few for one
};

/// Throws Error unless there is one value a place, at least one, and low <= high, all finite.
Summary summarise(std::span<const Interval> values, std::span<const FoldPair> places);

struct Choice {
  Index best = 0;             ///< the largest mean midpoint; of equal ones the first
  std::vector<Index> rivals;  ///< those it cannot be told from, ascending
};

/// candidates[c] holds the values of candidate c at the places. Throws Error as above, and where
/// there is no candidate.
Choice choose(std::span<const std::vector<Interval>> candidates, std::span<const FoldPair> places);

/// (k, k) for every fold.
std::vector<FoldPair> fold_places(Index folds);
/// (a, b), a < b, in lexicographic order.
std::vector<FoldPair> pair_places(Index folds);

}  // namespace surefield
