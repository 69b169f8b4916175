#include "surefield/learn/item_baselines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr double kBeyondChance = 2;  // standard errors

/// How often items met, item by item.
struct CoOccurrence {
  struct Partner {
    std::uint32_t item;
    double share;  // of the sets with the one that hold the other too
  };
  std::vector<std::vector<Partner>> partners;
  std::vector<double> frequency;  // of each item among all sets
  std::vector<std::uint8_t> seen;
};

CoOccurrence co_occurrence_of(const SetCollection& training) {
  const Index n = training.items;
  std::vector<std::vector<std::uint32_t>> holders(n);
  for (Index k = 0; k < training.sets.size(); ++k)
    for (const std::uint32_t i : training.sets[k]) {
      require(i < n, "co-occurrence: a training set holds item ", i, ", which must be below ", n);
      holders[i].push_back(static_cast<std::uint32_t>(k));
    }
  CoOccurrence found;
  found.partners.resize(n);
  found.frequency.assign(n, 0.0);
  found.seen.assign(n, 0);
  std::vector<double> met(n, 0.0);
  std::vector<std::uint32_t> order;
  for (Index i = 0; i < n; ++i) {
    if (holders[i].empty()) continue;
    const auto count = static_cast<double>(holders[i].size());
    found.seen[i] = 1;
    found.frequency[i] = count / static_cast<double>(training.sets.size());
    order.clear();
    for (const auto k : holders[i])
      for (const std::uint32_t j : training.sets[k]) {
        if (j == i) continue;
        if (met[j] == 0) order.push_back(j);
        ++met[j];
      }
    std::sort(order.begin(), order.end());
    for (const auto j : order) {
      found.partners[i].push_back({j, met[j] / count});
      met[j] = 0;
    }
  }
  return found;
}

}  // namespace

MakeItemScores co_occurrence_scores(const SetCollection& training) {
  auto found = std::make_shared<const CoOccurrence>(co_occurrence_of(training));
  return [found = std::move(found)]() -> ItemScores {
    return [found](std::span<const std::uint32_t> rest, std::span<double> scores) {
      require(scores.size() == found->seen.size(), "co-occurrence: the training sets are of ",
              found->seen.size(), " items, the sets to judge by of ", scores.size(),
              ", which must be the same");
      std::ranges::fill(scores, 0.0);
      double unseen = rest.empty() ? 1 : 0;
      for (const std::uint32_t i : rest) {
        if (found->seen[i] == 0) ++unseen;
        for (const auto& [j, share] : found->partners[i]) scores[j] += share;
      }
      if (unseen > 0)
        for (Index j = 0; j < scores.size(); ++j) scores[j] += unseen * found->frequency[j];
    };
  };
}

ItemJudgement judge_items(const AnyModel& model, const SetCollection& held_out,
                          const SetCollection* training, const ItemPredictionOptions& options) {
  ItemJudgement judged;
  judged.by_gain = predict_items(held_out, gain_scores(model), options);
  if (training == nullptr) return judged;
  judged.by_popularity = predict_items(held_out, popularity_scores(*training), options);
  judged.by_co_occurrence = predict_items(held_out, co_occurrence_scores(*training), options);
  judged.over_popularity = difference(judged.by_gain, *judged.by_popularity);
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
