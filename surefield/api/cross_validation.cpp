#include "surefield/api/cross_validation.hpp"

#include "surefield/api/fold_fields.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

FoldFit learn(const SetCollection& data, const CrossValidationOptions& options,
              std::optional<Index> fold) {
  FoldFit found;
  found.fold = fold;
  FitOptions how = options.fit;  // folds share the threads; one model has them all
  how.budget =
      options.budget.with_threads(models_to_learn(options) > 1 ? 1 : options.budget.threads());
  if (options.deadline) how.budget = how.budget.within(*options.deadline);
  if (!fold) {
    found.fit = fit(data, how);
    return found;
  }
  const Fold parts = fold_of(data, options.folds, *fold - 1, options.seed);
  found.fit = fit(parts.training, how);
  found.hidden = judge_items_within(kMostRanked, found.fit.model, parts.held_out, &parts.training,
                                    {.budget = options.budget.with_threads(how.budget.threads())});
  found.held_out =
      fold_likelihood(found.fit, parts.held_out,
                      {.goal = LogZGoal::kWidth,
                       .width = options.width,
                       .budget = log_z_budget(options.budget.with_threads(1), options.seconds)});
  return found;
}

}  // namespace

Index models_to_learn(const CrossValidationOptions& options) {
  require(options.folds > 0 || !options.fold, "fit: fold ", options.fold.value_or(0),
          " needs the number of folds");
  require(!options.fold || (*options.fold >= 1 && *options.fold <= options.folds), "fit: fold is ",
          options.fold.value_or(0), ", which must be from 1 to ", options.folds);
  return options.folds > 0 && !options.fold ? options.folds : 1;
}

std::vector<FoldFit> cross_validate(const SetCollection& data,
                                    const CrossValidationOptions& options) {
  const Index count = models_to_learn(options);
  if (options.folds > 0) fold_indices(data.sets.size(), options.folds, options.seed);
  const auto learned = [&](std::size_t k) -> std::optional<FoldFit> {
    if (count > 1 && options.budget.spent()) return std::nullopt;
    const auto fold = options.folds == 0 ? std::nullopt
                      : options.fold     ? options.fold
                                         : std::optional<Index>(k + 1);
    return learn(data, options, fold);
  };
  // Of several processes whoever answers writes, so there all is told at the end.
  Crew* const crew = count > 1 ? options.crew : nullptr;
  auto all = in_order(count, options.budget, crew, [&](std::size_t k) -> std::optional<SentFold> {
    auto found = learned(k);
    if (!found) return std::nullopt;
    if (crew != nullptr) return sent(std::move(*found));
    if (options.done) options.done(k, *found);
    return SentFold{.found = std::move(*found)};
  });
  std::vector<FoldFit> kept;
  for (Index k = 0; k < count; ++k) {
    if (!all.results[k]) continue;
    kept.push_back(received(std::move(*all.results[k])));
    if (crew != nullptr && options.done) options.done(k, kept.back());
  }
  return kept;
}

}  // namespace surefield
