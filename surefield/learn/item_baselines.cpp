#include "surefield/learn/item_baselines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "surefield/core/error.hpp"
#include "surefield/learn/flat_sets.hpp"

namespace surefield {
namespace {

constexpr double kBeyondChance = 2;  // standard errors
constexpr std::uint64_t kHideSeed = 1;

SetCollection at_equal_distances(const SetCollection& data, Index count) {
  SetCollection kept{.items = data.items, .sets = {}, .names = {}};
  for (Index k = 0; k < count; ++k) kept.sets.push_back(data.sets[k * data.sets.size() / count]);
  return kept;
}

/// How often items met. Partners of items in many sets are kept, where each comes again and again; those
/// of rare ones are counted from their sets when asked for, or pairs that met once would take most of the memory.
class CoOccurrence {
 public:
  struct Partner {
    std::uint32_t item;
    std::uint32_t met;  // sets with both
  };

  explicit CoOccurrence(const SetCollection& training)
      : total_(static_cast<double>(training.sets.size())),
        start_(training.items + 1, 0),
        kept_(training.items) {
    const Index n = training.items;
    for (const auto& set : training.sets) {
      for (const std::uint32_t i : set) {
        require(i < n, "co-occurrence: a training set holds item ", i, ", which must be below ", n);
        ++start_[i + 1];
      }
      sets_.add(set);
    }
    for (Index i = 0; i < n; ++i) start_[i + 1] += start_[i];
    holder_.resize(start_[n]);
    auto next = start_;
    for (Index k = 0; k < sets_.size(); ++k)
      for (const auto i : sets_[k]) holder_[next[i]++] = static_cast<std::uint32_t>(k);
    std::vector<std::uint32_t> met(n, 0);
    for (Index i = 0; i < n; ++i)
      if (count(i) >= kManySets) {
        count_partners(i, met, kept_[i]);
        kept_[i].shrink_to_fit();
        for (const Partner& partner : kept_[i]) met[partner.item] = 0;
      }
  }

  Index items() const { return kept_.size(); }
  double count(Index i) const { return static_cast<double>(start_[i + 1] - start_[i]); }
  double frequency(Index i) const { return count(i) / total_; }

  /// `met` is of zeros, an item each, and is left so; `partners` may be used for what is found.
  std::span<const Partner> partners(Index i, std::vector<std::uint32_t>& met,
                                    std::vector<Partner>& partners) const {
    if (count(i) >= kManySets) return kept_[i];
    count_partners(i, met, partners);
    for (const Partner& partner : partners) met[partner.item] = 0;
    return partners;
  }

 private:
  static constexpr double kManySets = 64;

  void count_partners(Index i, std::vector<std::uint32_t>& met,
                      std::vector<Partner>& partners) const {
    partners.clear();
    for (std::size_t e = start_[i]; e < start_[i + 1]; ++e)
      for (const std::uint32_t j : sets_[holder_[e]])
        if (j != i && met[j]++ == 0) partners.push_back({j, 0});
    for (Partner& partner : partners) partner.met = met[partner.item];
  }

  FlatSets sets_;
  double total_;
  std::vector<std::size_t> start_;  // the sets that hold item i are holder_[start_[i]] ..
  std::vector<std::uint32_t> holder_;
  std::vector<std::vector<Partner>> kept_;
};

/// Scores by it, with room to count in.
class CoOccurrenceScores {
 public:
  explicit CoOccurrenceScores(std::shared_ptr<const CoOccurrence> found)
      : found_(std::move(found)), met_(found_->items(), 0) {}

  void operator()(std::span<const std::uint32_t> rest, std::span<double> scores) {
    require(scores.size() == found_->items(), "co-occurrence: the training sets are of ",
            found_->items(), " items, the sets to judge by of ", scores.size(),
            ", which must be the same");
    std::ranges::fill(scores, 0.0);
    double unseen = rest.empty() ? 1 : 0;
    for (const std::uint32_t i : rest) {
      const double count = found_->count(i);
      if (count == 0) ++unseen;
      for (const auto& [j, met] : found_->partners(i, met_, partners_)) scores[j] += met / count;
    }
    if (unseen > 0)
      for (Index j = 0; j < scores.size(); ++j) scores[j] += unseen * found_->frequency(j);
  }

 private:
  std::shared_ptr<const CoOccurrence> found_;
  std::vector<std::uint32_t> met_;
  std::vector<CoOccurrence::Partner> partners_;
};

}  // namespace

MakeItemScores co_occurrence_scores(const SetCollection& training) {
  auto found = std::make_shared<const CoOccurrence>(training);
  return [found = std::move(found)]() -> ItemScores { return CoOccurrenceScores(found); };
}

ItemJudgement judge_items(const AnyModel& model, const SetCollection& held_out,
                          const SetCollection* training, const ItemPredictionOptions& options) {
  // A deadline is shared, and what it left out of one is left out of all.
  ItemPredictionOptions now = options;
  const auto predicted = [&](const MakeItemScores& scores, double share) {
    now.budget = options.budget.part(share);
    return predict_items(held_out, scores, now);
  };
  ItemJudgement judged;
  if (training == nullptr) {
    judged.by_gain = predicted(gain_scores(model), 1);
    return judged;
  }
  judged.by_gain = predicted(gain_scores(model), 1.0 / 3);
  judged.by_popularity = predicted(popularity_scores(*training), 1.0 / 2);
  judged.by_co_occurrence = predicted(co_occurrence_scores(*training), 1);
  if (!judged.by_gain.complete || !judged.by_popularity->complete ||
      !judged.by_co_occurrence->complete) {
    judged.by_gain =
        of_sets_in(of_sets_in(judged.by_gain, *judged.by_popularity), *judged.by_co_occurrence);
    judged.by_popularity = of_sets_in(*judged.by_popularity, judged.by_gain);
    judged.by_co_occurrence = of_sets_in(*judged.by_co_occurrence, judged.by_gain);
  }
  judged.over_popularity = difference(judged.by_gain, *judged.by_popularity);
  judged.over_co_occurrence = difference(judged.by_gain, *judged.by_co_occurrence);
  return judged;
}

ItemJudgement judge_items_within(double most_ranked, const AnyModel& model,
                                 const SetCollection& held_out, const SetCollection* training,
                                 ItemPredictionOptions options) {
  const auto items = static_cast<double>(std::max<Index>(1, held_out.items));
  double hidden = 0;
  for (const auto& set : held_out.sets) hidden += static_cast<double>(set.size());
  if (!options.one_by_seed && hidden * items > most_ranked) options.one_by_seed = kHideSeed;
  const auto sets = static_cast<double>(held_out.sets.size());
  if (!options.one_by_seed || sets * items <= most_ranked)
    return judge_items(model, held_out, training, options);
  return judge_items(model, at_equal_distances(held_out, static_cast<Index>(most_ranked / items)),
                     training, options);
}

ItemJudgement judge_items_beside(const ItemJudgement& other, const AnyModel& model,
                                 const SetCollection& held_out,
                                 const ItemPredictionOptions& options) {
  ItemJudgement judged = other;
  judged.by_gain = predict_items(held_out, gain_scores(model), options);
  if (judged.by_popularity)
    judged.over_popularity = difference(judged.by_gain, *judged.by_popularity);
  if (judged.by_co_occurrence)
    judged.over_co_occurrence = difference(judged.by_gain, *judged.by_co_occurrence);
  return judged;
}

ItemJudgement pooled(std::span<const ItemJudgement> folds) {
  const auto part = [&](auto member) -> std::optional<ItemPrediction> {
    std::vector<ItemPrediction> parts;
    for (const ItemJudgement& fold : folds) {
      const auto& found = fold.*member;
      if (!found) return std::nullopt;
      parts.push_back(*found);
    }
    return pooled(parts);
  };
  ItemJudgement all;
  std::vector<ItemPrediction> gains;
  for (const ItemJudgement& fold : folds) gains.push_back(fold.by_gain);
  all.by_gain = pooled(gains);
  all.by_popularity = part(&ItemJudgement::by_popularity);
  all.by_co_occurrence = part(&ItemJudgement::by_co_occurrence);
  all.over_popularity = part(&ItemJudgement::over_popularity);
  all.over_co_occurrence = part(&ItemJudgement::over_co_occurrence);
  return all;
}

std::optional<bool> beats_popularity(const ItemJudgement& judged) {
  if (!judged.over_popularity) return std::nullopt;
  const MeanEstimate& gain = judged.over_popularity->reciprocal_rank;
  if (gain.count < 2 || !std::isfinite(gain.standard_error)) return std::nullopt;
  return gain.mean > kBeyondChance * gain.standard_error;
}

std::string against_popularity(const ItemJudgement& judged) {
  const auto better = beats_popularity(judged);
  if (!better) return "";
  const MeanEstimate& gain = judged.over_popularity->reciprocal_rank;
  const std::string by =
      fmt::format("mean reciprocal rank {:.4f} against {:.4f}, {:+.4f} +- {:.4f}",
                  judged.by_gain.reciprocal_rank.mean, judged.by_popularity->reciprocal_rank.mean,
                  gain.mean, gain.standard_error);
  return *better ? "hidden items are ranked better than by popularity: " + by
                 : "hidden items are ranked no better than by popularity: " + by;
}

}  // namespace surefield
