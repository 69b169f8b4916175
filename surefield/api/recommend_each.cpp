#include "surefield/api/recommend_each.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "surefield/api/log_z.hpp"
#include "surefield/api/reasons.hpp"
#include "surefield/api/user_set.hpp"
#include "surefield/bounds/log_z/exact/conditional_tree.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/models/all_gains.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {
namespace {

constexpr Index kBlock = 512;  // baskets between two calls of `done`
constexpr Index kTurn = 16;    // baskets a thread takes at once
constexpr double kTreeBytes = 1e9;

/// One basket after the other on a set of its own: by gain, or with a tree by exact marginals.
class SetAnswers {
 public:
  SetAnswers(const Problem& problem, const RecommendOptions& options, const ConditionalTree* tree)
      : options_(&options),
        problem_(&problem),
        box_(user_box(problem)),
        set_(problem),
        gains_of_(problem.model),
        gains_(problem.size()),
        chances_(problem.size()) {
    if (tree != nullptr) ask_.emplace(*tree);
    exact_ = options.method == "exact";
    for (const Index i : options.out) box_.high[i] = 0;
    for (Index i = 0; i < box_.size(); ++i)
      if (box_.low[i] >= 1) set_.add(i), always_.push_back(i);
  }

  /// Nothing where the tree has no answer.
  std::optional<BasketAnswer> operator()(std::span<const std::uint32_t> basket) {
    if (ask_ && !find_marginals(basket)) return std::nullopt;
    std::vector<Index> have = always_;
    for (const Index i : basket) {
      if (set_.contains(i)) continue;
      set_.add(i);
      have.push_back(i);
    }
    rank_items();
    std::vector<Suggestion> all;
    for (const Index i : free_)
      all.push_back({.item = i, .marginal = chances_[i], .gain = gains_[i]});
    if (options_->explain)
      for (Suggestion& one : all)
        one.because = reasons_for(one.item, set_, have, options_->effects);
    for (Index k = always_.size(); k < have.size(); ++k) set_.remove(have[k]);
    return BasketAnswer{std::move(all), exact_};
  }

 private:
  /// Given the basket, in the user's variables.
  bool find_marginals(std::span<const std::uint32_t> basket) {
    condition_.clear();
    for (const std::uint32_t i : basket) condition_.push_back({i, !is_flipped(i)});
    if (!(*ask_)(condition_, chances_)) return false;
    for (Index i = 0; i < problem_->flips.size(); ++i)
      if (is_flipped(i)) chances_[i] = 1 - chances_[i];
    return true;
  }

  /// The gains over the set, and the items to suggest, best first.
  void rank_items() {
    inside_.clear();
    for (Index i = 0; i < box_.size(); ++i)
      if (set_.contains(i) != is_flipped(i)) inside_.push_back(static_cast<std::uint32_t>(i));
    gains_of_(inside_, gains_);
    free_.clear();
    for (Index i = 0; i < box_.size(); ++i) {
      if (set_.contains(i) || box_[i].is_point()) continue;
      // Outside for the user, inside for the model: AllGains leaves those to the set.
      if (is_flipped(i)) gains_[i] = set_.gain(i);
      if (!ask_) chances_[i] = box_[i].clamp(sigmoid(options_->inverse_temperature * gains_[i]));
      free_.push_back(i);
    }
    const auto end =
        free_.begin() + static_cast<std::ptrdiff_t>(std::min(free_.size(), options_->count));
    std::partial_sort(free_.begin(), end, free_.end(), [this](Index a, Index b) {
      return chances_[a] > chances_[b] || (chances_[a] == chances_[b] && a < b);
    });
    free_.erase(end, free_.end());
  }

  bool is_flipped(Index i) const { return !problem_->flips.empty() && problem_->flips[i] != 0; }

  const RecommendOptions* options_;
  const Problem* problem_;
  Box box_;
  UserSet set_;
  AllGains gains_of_;
  std::vector<std::uint32_t> inside_;  // the set in the model's variables
  std::vector<double> gains_, chances_;
  std::vector<Index> free_;
  std::vector<Index> always_;  // what the box has in
  bool exact_ = false;
  std::optional<ConditionalTree::Asker> ask_;
  std::vector<Condition> condition_;
};

/// For exact marginals of a model of small treewidth; none where another method finds them.
std::unique_ptr<const ConditionalTree> tree_for(const Problem& problem,
                                                const RecommendOptions& options) {
  if (options.method != "exact" || problem.model.as<Flid>() != nullptr) return nullptr;
  Box box = problem.box;
  for (const Index i : options.out)
    if (!box[i].is_point()) box.fix(i, !problem.flips.empty() && problem.flips[i] != 0 ? 1 : 0);
  try {
    return std::make_unique<const ConditionalTree>(
        problem.model, box,
        ConditionalTreeOptions{.beta = options.inverse_temperature,
                               .budget = options.budget.with_bytes(kTreeBytes)});
  } catch (const Error&) {
    return nullptr;
  }
}

/// By recommend() itself.
BasketAnswer answer_alone(const Problem& problem, std::span<const std::uint32_t> basket,
                          const RecommendOptions& options) {
  RecommendOptions how = options;
  how.have.assign(basket.begin(), basket.end());
  std::erase_if(how.out, [&](Index i) { return std::ranges::find(how.have, i) != how.have.end(); });
  how.proof = false;
  how.budget = options.budget.with_threads(1);
  RecommendResult found = recommend(problem, how);
  return {std::move(found.suggestions), found.exact};
}

constexpr double kAMillisecond = 1e6;  // operations

/// What auto is for all baskets: exact where that takes about a millisecond of the empty one, else by gain.
std::string method_for_all(const Problem& problem, const RecommendOptions& options) {
  if (options.method != "auto") return options.method;
  const LogZResult found = log_z(problem, {.goal = LogZGoal::kExact,
                                           .inverse_temperature = options.inverse_temperature,
                                           .marginals = true,
                                           .budget = options.budget.with_operations(kAMillisecond)})
                               .sound();
  return found.exact && found.marginals_exact ? "exact" : "gain";
}

}  // namespace

RecommendEachResult recommend_each(const Problem& problem, const SetCollection& baskets,
                                   const RecommendOptions& options, const BasketAnswers& done) {
  require(baskets.items == problem.size(), "recommend: the baskets are of ", baskets.items,
          " items, but the model has ", problem.size());
  RecommendOptions how = options;
  how.have.clear();
  how.method = method_for_all(problem, options);
  RecommendEachResult result;
  result.method = how.method == "mean-field" ? "mean field"
                  : how.method == "exact"    ? "exact marginals"
                                             : how.method;
  const Index count = baskets.sets.size();
  const auto tree = tree_for(problem, how);
  // Of items by themselves the chance by gain is the marginal.
  const Flid* const flid = problem.model.as<Flid>();
  const bool by_themselves = flid != nullptr && flid->dimensions == 0 && how.method == "exact";
  const bool by_sets = tree != nullptr || by_themselves || how.method == "gain";
  std::mutex spare_lock;
  std::vector<std::unique_ptr<SetAnswers>> spare;  // one a thread, handed round
  const auto take_spare = [&] {
    const std::lock_guard hold(spare_lock);
    if (spare.empty()) return std::make_unique<SetAnswers>(problem, how, tree.get());
    auto one = std::move(spare.back());
    spare.pop_back();
    return one;
  };
  std::vector<BasketAnswer> answers(std::min(kBlock, count));
  for (Index first = 0; first < count; first += kBlock) {
    const Index block = std::min(kBlock, count - first);
    const bool all =
        for_each_index((block + kTurn - 1) / kTurn, options.budget, [&](std::size_t turn) {
          const Index end = std::min<Index>((turn + 1) * kTurn, block);
          auto answer = by_sets ? take_spare() : nullptr;
          for (Index k = turn * kTurn; k < end; ++k) {
            const auto& basket = baskets.sets[first + k];
            std::optional<BasketAnswer> found;
            if (answer) found = (*answer)(basket);
            answers[k] = found ? std::move(*found) : answer_alone(problem, basket, how);
          }
          if (!answer) return;
          const std::lock_guard hold(spare_lock);
          spare.push_back(std::move(answer));
        });
    if (!all || options.budget.spent()) {
      result.complete = false;
      break;
    }
    done(first, std::span(answers).first(block));
    result.answered += block;
  }
  return result;
}

}  // namespace surefield
