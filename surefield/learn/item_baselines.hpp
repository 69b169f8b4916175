// What a model of sets has to beat at hidden items, on the same sets: popularity and co-occurrence.
//
//   popularity       s_j = c_j                                     whatever the rest
//   co-occurrence    s_j = mean over i in the rest of met_ij / c_i     P(j | i); P(j) where i was never seen
//
// c_i: training sets that hold i; met_ij: those that hold both. Items by themselves (`modular`) rank as
// popularity does, so they are not a third. The differences are those of every measure, set by set, so
// that their standard errors are of the difference and not of two means side by side.
//
// Cost: popularity n a hidden item; co-occurrence n + the partners of the rest, or the sets that hold an item
// where those are few. Memory O(entries) and 8 bytes a partner of an item in 64 sets or more.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "surefield/core/set_collection.hpp"
#include "surefield/learn/item_prediction.hpp"

namespace surefield {

/// The mean conditional frequency in the training sets. Throws Error for an item out of range.
MakeItemScores co_occurrence_scores(const SetCollection& training);

/// A model beside the baselines; those are none without training sets.
struct ItemJudgement {
  ItemPrediction by_gain;
  std::optional<ItemPrediction> by_popularity, by_co_occurrence;
  std::optional<ItemPrediction> over_popularity, over_co_occurrence;  ///< by gain less the other
};

/// All over the same sets, also where the budget of the options ends them early.
ItemJudgement judge_items(const AnyModel& model, const SetCollection& held_out,
                          const SetCollection* training, const ItemPredictionOptions& options = {});

inline constexpr double kMostRanked = 5e9;  ///< half a minute, about

/// The same, at most so many items ranked for hidden ones: where every item in turn is more, one of each set is hidden, drawn by a
/// seed of its own, and where that is more too, of sets at equal distances alone.
ItemJudgement judge_items_within(double most_ranked, const AnyModel& model,
                                 const SetCollection& held_out, const SetCollection* training,
                                 ItemPredictionOptions options = {});

/// judge_items with the baselines of another judgement of the same sets by the same options, which is complete.
ItemJudgement judge_items_beside(const ItemJudgement& other, const AnyModel& model,
                                 const SetCollection& held_out,
                                 const ItemPredictionOptions& options = {});

/// The judgements of folds as one, every part over all their sets.
ItemJudgement pooled(std::span<const ItemJudgement> folds);

/// Whether the mean reciprocal rank is above popularity's by more than two standard errors; nothing
/// where that cannot be said for want of sets.
std::optional<bool> beats_popularity(const ItemJudgement& judged);

/// In a sentence: how much better than popularity, or that it is not; empty where it cannot be said.
std::string against_popularity(const ItemJudgement& judged);

}  // namespace surefield
