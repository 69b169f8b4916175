#include "surefield/learn/item_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

constexpr Index kSetsATask = 64;  // sets a task; a task starts from the empty set, whoever does it

/// Gains over a rest, from an incremental set moved there from the rest before.
class GainScores {
 public:
  explicit GainScores(AnySet empty) : set_(std::move(empty)), wanted_(set_.size(), 0) {}

  void operator()(std::span<const std::uint32_t> rest, std::span<double> scores) {
    require(scores.size() == set_.size(), "item prediction: the model has ", set_.size(),
            " items, the sets are of ", scores.size(), ", which must be the same");
    for (const std::uint32_t i : rest) wanted_[i] = 1;
    for (const std::uint32_t i : now_)
      if (!wanted_[i]) set_.remove(i);
    for (const std::uint32_t i : rest)
      if (!set_.contains(i)) set_.add(i);
    for (Index j = 0; j < scores.size(); ++j)
      if (!wanted_[j]) scores[j] = set_.gain(j);
    for (const std::uint32_t i : rest) wanted_[i] = 0;
    now_.assign(rest.begin(), rest.end());
  }

 private:
  AnySet set_;
  std::vector<std::uint32_t> now_;
  std::vector<std::uint8_t> wanted_;
};

/// What one set adds to the means.
struct SetScore {
  bool judged = false;
  double rank = 0, reciprocal_rank = 0;
  std::vector<double> hits;
};

class Ranking {
 public:
  Ranking(Index items, const MakeItemScores& make)
      : scores_(items), inside_(items, 0), score_(make()) {}

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
    for (const std::uint32_t i : rest_) inside_[i] = 0;
    return static_cast<double>(above) + (static_cast<double>(level) + 1) / 2;
  }

 private:
  std::vector<double> scores_;
  std::vector<std::uint8_t> inside_;
  std::vector<std::uint32_t> rest_;
  ItemScores score_;
};

}  // namespace

MakeItemScores gain_scores(const AnyModel& model) {
  return [&model]() -> ItemScores { return GainScores(model.empty_set()); };
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
  std::vector<SetScore> judged(used.size());
  const Budget budget =
      options.budget.with_threads(std::max({1U, options.threads, options.budget.threads()}));
  for_each_index((used.size() + kSetsATask - 1) / kSetsATask, budget, [&](std::size_t block) {
    Ranking rank_of(data.items, scores);
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
      SetScore& mine = judged[u];
      mine.hits.assign(options.at.size(), 0);
      for (Index hidden = first; hidden < last; ++hidden) {
        if (budget.spent()) return;
        const double rank = rank_of(set, hidden);
        mine.rank += share * rank;
        mine.reciprocal_rank += share / rank;
        for (Index k = 0; k < options.at.size(); ++k)
          if (rank <= static_cast<double>(options.at[k])) mine.hits[k] += share;
      }
      mine.judged = true;
    }
  });

  ItemPrediction result;
  result.sets_left_out = data.sets.size() - used.size();
  Index kept = 0;
  for (Index u = 0; u < used.size(); ++u) {
    if (!judged[u].judged) continue;
    used[kept] = used[u];
    std::swap(judged[kept++], judged[u]);
  }
  result.complete = kept == used.size();
  used.resize(kept);
  judged.resize(kept);
  result.sets = kept;
  for (const Index s : used) result.hidden_items += options.one_by_seed ? 1 : data.sets[s].size();
  std::vector<double> column(used.size());
  const auto mean_over_sets = [&](auto&& part) {
    std::ranges::transform(judged, column.begin(), part);
    return mean_of(column);
  };
  for (Index k = 0; k < options.at.size(); ++k)
    result.hits.push_back(
        {options.at[k], mean_over_sets([k](const SetScore& score) { return score.hits[k]; })});
  result.reciprocal_rank =
      mean_over_sets([](const SetScore& score) { return score.reciprocal_rank; });
  result.rank = mean_over_sets([](const SetScore& score) { return score.rank; });
  return result;
}

}  // namespace surefield
