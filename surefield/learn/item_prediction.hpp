// Hide an item of a set and ask for it back: how well a score ranks what is missing.
//
//   rank of the hidden h = 1 + #{j : s_j > s_h} + #{j != h : s_j = s_h} / 2      j outside the rest
//
// Candidates are all items outside the rest of the set, h among them; ties share their mean rank.
// Of a model the score is the marginal gain s_j = F(rest + j) - F(rest), which ranks as p(rest +
// j), hence as the probability that j is the one item that completes the rest. Any other score goes
// through the same door: popularity is one.
//
// A set's hit at k is the share of its hidden items of rank <= k, its reciprocal rank their mean 1
// / rank, its ndcg their mean 1 / log2(1 + rank); the estimates are means over sets, which are independent, so their standard errors hold
// although the items of a set are not. To hide every item in turn is the mean of what hiding one at
// random would give. Sets of fewer than two items are left out: nothing would be given.
//
// Coverage is the share of all items that are among the first 10 for some hidden item: a score that
// always says the same is right often and covers little. What two scores differ by is estimated set by
// set (`difference`), which is sharper than two estimates side by side.
//
// Cost: n scores a hidden item, two changes of an incremental set between two of them.
// Deterministic on every thread count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/mean_estimate.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

/// Writes a score for every item outside the rest; what it writes for the others is not read.
using ItemScores =
    std::function<void(std::span<const std::uint32_t> rest, std::span<double> scores)>;
/// One for each thread: a score may keep a state of its own.
using MakeItemScores = std::function<ItemScores()>;

/// By marginal gain, with the model's incremental set. The model must outlive it.
MakeItemScores gain_scores(const AnyModel& model);
/// By how many of the training sets hold the item, whatever the rest.
MakeItemScores popularity_scores(const SetCollection& training);

struct ItemPredictionOptions {
  std::vector<Index> at = {1, 5, 10};  ///< the k of the hit rates, each >= 1
  /// Hide one item of each set, drawn by this seed; by default every item in turn.
  std::optional<std::uint64_t> one_by_seed = {};
  unsigned threads = 1;  ///< or those of the budget, if they are more
  /// Once it is spent the sets judged by then are all that count.
  Budget budget = {};
};

/// What one set adds to the means.
struct SetScore {
  Index set = 0;  ///< of the data
  double rank = 0, reciprocal_rank = 0, ndcg = 0;
  std::vector<double> hits;
};

struct ItemPrediction {
  struct HitRate {
    Index at;
    MeanEstimate rate;
  };
  Index sets = 0;           ///< with two items or more
  Index sets_left_out = 0;  ///< with fewer
  Index hidden_items = 0;
  std::vector<HitRate> hits;
  MeanEstimate reciprocal_rank;
  MeanEstimate rank;
  MeanEstimate ndcg;
  double coverage = 0;           ///< of the items, by the first 10
  std::vector<SetScore> by_set;  ///< of the sets judged, ascending
  bool complete = true;          ///< false: the budget was spent; `sets` counts those judged
};

/// Throws Error if an item is out of range, a score is not a number, or some k is 0. No set of two
/// items is an answer, not an error: counts of 0.
ItemPrediction predict_items(const SetCollection& data, const MakeItemScores& scores,
                             const ItemPredictionOptions& options = {});

/// first - second, measure by measure, over the sets that both judged, with the standard error of that
/// difference. Throws Error unless both have hit rates at the same k.
ItemPrediction difference(const ItemPrediction& first, const ItemPrediction& second);

/// The same over the sets that the other judged too. Throws Error as above.
ItemPrediction of_sets_in(const ItemPrediction& prediction, const ItemPrediction& other);

/// As of one data set, the parts one after another: of folds, each judged by a model of its own. The
/// coverage is the mean. Throws Error as above.
ItemPrediction pooled(std::span<const ItemPrediction> parts);

}  // namespace surefield
