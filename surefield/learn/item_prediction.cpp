#include "surefield/learn/item_prediction.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>

#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/all_gains.hpp"

namespace surefield {
namespace {

constexpr Index kCovering = 10;   // first items that count as shown
constexpr Index kSetsATask = 64;  // sets a task; a task starts from the empty set, whoever does it

class Ranking {
 public:
  /// Marks in `shown` the items that are among the first for some hidden one; several may share it.
  Ranking(const MakeItemScores& make, std::span<std::uint8_t> shown)
      : scores_(shown.size()), inside_(shown.size(), 0), shown_(shown), score_(make()) {}

  /// The rank of set[hidden] given the others.
  double operator()(std::span<const std::uint32_t> set, Index hidden) {
    rest_.clear();
    for (Index k = 0; k < set.size(); ++k)
      if (k != hidden) rest_.push_back(set[k]);
    score_(rest_, scores_);
    for (const std::uint32_t i : rest_) inside_[i] = 1;
    const double own = scores_[set[hidden]];
    Index above = 0;
    Index level = 0;
    for (Index j = 0; j < scores_.size(); ++j) {
      if (inside_[j]) continue;
      require(!std::isnan(scores_[j]), "item prediction: the score of item ", j,
              " is not a number");
      above += scores_[j] > own;
      level += scores_[j] == own;
    }
    show_first();
    for (const std::uint32_t i : rest_) inside_[i] = 0;
    return static_cast<double>(above) + (static_cast<double>(level) + 1) / 2;
  }

 private:
  /// Marks the first items outside the rest, ties to the smaller number.
  void show_first() {
    first_.clear();
    for (Index j = 0; j < scores_.size(); ++j) {
      if (inside_[j] || (first_.size() == kCovering && !(scores_[j] > scores_[first_.back()])))
        continue;
      if (first_.size() == kCovering) first_.pop_back();
      auto place = first_.end();
      while (place != first_.begin() && scores_[j] > scores_[*(place - 1)]) --place;
      first_.insert(place, j);
    }
    for (const Index j : first_) std::atomic_ref(shown_[j]).store(1, std::memory_order_relaxed);
  }

  std::vector<double> scores_;
  std::vector<std::uint8_t> inside_;
  std::span<std::uint8_t> shown_;
  std::vector<std::uint32_t> rest_;
  std::vector<Index> first_;
  ItemScores score_;
};

/// The means over the sets judged.
void take_means(ItemPrediction& result, const std::vector<Index>& at) {
  result.sets = result.by_set.size();
  std::vector<double> column(result.sets);
  const auto mean_over_sets = [&](auto&& part) {
    std::ranges::transform(result.by_set, column.begin(), part);
    return mean_of(column);
  };
  for (Index k = 0; k < at.size(); ++k)
    result.hits.push_back(
        {at[k], mean_over_sets([k](const SetScore& score) { return score.hits[k]; })});
  result.reciprocal_rank = mean_over_sets(&SetScore::reciprocal_rank);
  result.rank = mean_over_sets(&SetScore::rank);
  result.ndcg = mean_over_sets(&SetScore::ndcg);
}

/// The k of the hit rates of both.
std::vector<Index> common_places(const ItemPrediction& first, const ItemPrediction& second) {
  require(first.hits.size() == second.hits.size(), "item prediction: one has ", first.hits.size(),
          " hit rates, the other ", second.hits.size(), ", which must be the same");
  std::vector<Index> at;
  for (Index k = 0; k < first.hits.size(); ++k) {
    require(first.hits[k].at == second.hits[k].at, "item prediction: one hit rate is at ",
            first.hits[k].at, ", the other at ", second.hits[k].at, ", which must be the same");
    at.push_back(first.hits[k].at);
  }
  return at;
}

}  // namespace

MakeItemScores gain_scores(const AnyModel& model) {
  return [&model]() -> ItemScores {
    return [gains = AllGains(model)](std::span<const std::uint32_t> rest,
                                     std::span<double> scores) mutable {
      require(scores.size() == gains.size(), "item prediction: the model has ", gains.size(),
              " items, the sets are of ", scores.size(), ", which must be the same");
      gains(rest, scores);
    };
  };
}

MakeItemScores popularity_scores(const SetCollection& training) {
  auto counted = std::make_shared<std::vector<double>>(training.items, 0.0);
  auto& counts = *counted;
  for (const auto& set : training.sets)
    for (const std::uint32_t i : set) {
      require(i < training.items, "popularity: a training set holds item ", i,
              ", which must be below ", training.items);
      ++counts[i];
    }
  return [counted = std::move(counted)]() -> ItemScores {
    return [counted](std::span<const std::uint32_t>, std::span<double> scores) {
      require(scores.size() == counted->size(), "popularity: the training sets are of ",
              counted->size(), " items, the sets to judge by of ", scores.size(),
              ", which must be the same");
      std::ranges::copy(*counted, scores.begin());
    };
  };
}

ItemPrediction predict_items(const SetCollection& data, const MakeItemScores& scores,
                             const ItemPredictionOptions& options) {
  for (const Index k : options.at)
    require(k >= 1, "item prediction: a hit rate is asked for at 0, which must be at least 1");
  std::vector<Index> used;
  for (Index s = 0; s < data.sets.size(); ++s) {
    for (const std::uint32_t i : data.sets[s])
      require(i < data.items, "item prediction: set ", s, " holds item ", i,
              ", which must be below ", data.items);
    if (data.sets[s].size() >= 2) used.push_back(s);
  }
  std::vector<std::optional<SetScore>> judged(used.size());
  const Budget budget =
      options.budget.with_threads(std::max({1U, options.threads, options.budget.threads()}));
  const Index tasks = (used.size() + kSetsATask - 1) / kSetsATask;
  std::vector<std::uint8_t> shown(data.items, 0);
  for_each_index(tasks, budget, [&](std::size_t block) {
    Ranking rank_of(scores, shown);
    const Index end = std::min(used.size(), (block + 1) * kSetsATask);
    for (Index u = block * kSetsATask; u < end; ++u) {
      const auto& set = data.sets[used[u]];
      Index first = 0;
      Index last = set.size();
      if (options.one_by_seed) {
        first = static_cast<Index>(keyed_uniform(*options.one_by_seed, used[u], 0) *
                                   static_cast<double>(set.size()));
        last = first + 1;
      }
      const double share = 1 / static_cast<double>(last - first);
      SetScore mine;
      mine.set = used[u];
      mine.hits.assign(options.at.size(), 0);
      for (Index hidden = first; hidden < last; ++hidden) {
        if (budget.spent()) return;
        const double rank = rank_of(set, hidden);
        mine.rank += share * rank;
        mine.reciprocal_rank += share / rank;
        mine.ndcg += share / std::log2(1 + rank);
        for (Index k = 0; k < options.at.size(); ++k)
          if (rank <= static_cast<double>(options.at[k])) mine.hits[k] += share;
      }
      judged[u] = std::move(mine);
    }
  });

  ItemPrediction result;
  for (auto& score : judged)
    if (score) result.by_set.push_back(std::move(*score));
  result.complete = result.by_set.size() == used.size();
  result.sets_left_out = data.sets.size() - used.size();
  for (const SetScore& score : result.by_set)
    result.hidden_items += options.one_by_seed ? 1 : data.sets[score.set].size();
  if (data.items > 0)
    result.coverage =
        static_cast<double>(std::ranges::count(shown, 1)) / static_cast<double>(data.items);
  take_means(result, options.at);
  return result;
}

ItemPrediction difference(const ItemPrediction& first, const ItemPrediction& second) {
  const std::vector<Index> at = common_places(first, second);
  ItemPrediction result;
  result.complete = first.complete && second.complete;
  result.sets_left_out = first.sets_left_out;
  result.hidden_items = std::min(first.hidden_items, second.hidden_items);
  result.coverage = first.coverage - second.coverage;
  auto other = second.by_set.begin();
  for (const SetScore& mine : first.by_set) {
    while (other != second.by_set.end() && other->set < mine.set) ++other;
    if (other == second.by_set.end() || other->set != mine.set) continue;
    SetScore less = mine;
    less.rank -= other->rank;
    less.reciprocal_rank -= other->reciprocal_rank;
    less.ndcg -= other->ndcg;
    for (Index k = 0; k < at.size(); ++k) less.hits[k] -= other->hits[k];
    result.by_set.push_back(std::move(less));
  }
  take_means(result, at);
  return result;
}

ItemPrediction of_sets_in(const ItemPrediction& prediction, const ItemPrediction& other) {
  const std::vector<Index> at = common_places(prediction, other);
  ItemPrediction result = prediction;
  result.by_set.clear();
  result.hits.clear();
  std::ranges::set_intersection(prediction.by_set, other.by_set, std::back_inserter(result.by_set),
                                {}, &SetScore::set, &SetScore::set);
  result.complete = prediction.complete && other.complete;
  result.hidden_items = std::min(prediction.hidden_items, other.hidden_items);
  take_means(result, at);
  return result;
}

ItemPrediction pooled(std::span<const ItemPrediction> parts) {
  ItemPrediction result;
  if (parts.empty()) return result;
  std::vector<Index> at;
  Index before = 0;
  for (const ItemPrediction& part : parts) {
    at = common_places(parts.front(), part);
    for (SetScore score : part.by_set) {
      score.set += before;
      result.by_set.push_back(std::move(score));
    }
    before += part.sets + part.sets_left_out;
    result.hidden_items += part.hidden_items;
    result.sets_left_out += part.sets_left_out;
    result.coverage += part.coverage / static_cast<double>(parts.size());
    result.complete = result.complete && part.complete;
  }
  take_means(result, at);
  return result;
}

}  // namespace surefield
