#include "surefield/api/family_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/api/family_decision.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/over_items.hpp"
#include "surefield/core/crew.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_fields.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/judgement_fields.hpp"

namespace surefield {
namespace {

constexpr double kMoreThanChance = 2;  // standard errors

void require_families(const FamilyChoiceOptions& options) {
  require(options.fit != nullptr, "families: how to fit them is not said");
  require(!options.families.empty(), "families: there is none to compare");
  for (auto it = options.families.begin(); it != options.families.end(); ++it) {
    require(std::find(options.families.begin(), it, *it) == it, "families: '", *it,
            "' is named twice");
    require(*it != "auto", "families: 'auto' is the comparison itself");
    require(std::ranges::any_of(fit_table(), [&](const FitRow& row) { return row.model == *it; }),
            "families: there is no model '", *it, "' to learn");
  }
}

/// So many of the sets, at equal distances.
void thin_out(std::vector<std::vector<std::uint32_t>>& sets, Index most) {
  if (sets.size() <= most) return;
  for (Index at = 0; at < most; ++at)  // no place is taken from twice
    std::swap(sets[at], sets[at * sets.size() / most]);
  sets.resize(most);
}

/// The first folds, with as many held-out sets as are enough.
std::vector<Fold> folds_to_judge(const SetCollection& data, const FamilyChoiceOptions& options) {
  const Index a_fold = data.sets.size() / std::max<Index>(options.folds, 1);
  Index count = std::max<Index>(options.folds, 1);
  if (data.sets.size() > options.enough)
    count = std::clamp<Index>((options.enough + a_fold - 1) / a_fold, 1, count);
  std::vector<Fold> folds;
  for (Index k = 0; k < count; ++k) {
    folds.push_back(fold_of(data, options.folds, k, options.seed));
    if (data.sets.size() <= options.enough) continue;
    const auto ranked = static_cast<Index>(options.most_ranked / static_cast<double>(data.items));
    thin_out(folds.back().held_out.sets,
             std::max<Index>(1, std::min(options.enough, ranked) / count));
    thin_out(folds.back().training.sets, options.learned_from);
  }
  return folds;
}

/// How items are hidden: all in turn, or one of each set where that is too much.
ItemPredictionOptions hiding(const std::vector<Fold>& folds, const FamilyChoiceOptions& options) {
  double hidden = 0;
  for (const Fold& fold : folds)
    for (const auto& set : fold.held_out.sets) hidden += static_cast<double>(set.size());
  ItemPredictionOptions how;
  if (hidden * static_cast<double>(folds.front().held_out.items) > options.most_ranked)
    how.one_by_seed = options.seed;
  return how;
}

/// One family on one fold.
struct JudgedFold {
  ItemJudgement judged;
  OverItems over;
  double seconds = 0;
  std::optional<double> penalty;
  double operations = 0;
  std::string unpaid;  // what the work does not pay for; then it was not learned
};

auto fields_of(JudgedFold& fold) {
  auto& [judged, over, seconds, penalty, operations, unpaid] = fold;
  return std::tie(judged, over, seconds, penalty, operations, unpaid);
}

/// Nothing if it was stopped. The baselines of another family on the same fold need not be found again.
std::optional<JudgedFold> judged_fold(const std::string& model, const Fold& fold, Support support,
                                      ItemPredictionOptions hidden, const FitOptions& options,
                                      const ItemJudgement* baselines) {
  if (options.budget.spent()) return std::nullopt;
  FitOptions how = options;
  how.model = model;
  how.method = {};
  how.budget = hidden.budget = options.budget.with_threads(1);
  how.crew = nullptr;  // it shares folds
  FitResult found;
  try {
    found = fit(fold.training, how);
  } catch (const TooMuch& unpaid) {
    if (how.work.fewest == 0) throw;
    return JudgedFold{.judged = {}, .over = {}, .penalty = {}, .unpaid = unpaid.what()};
  }
  if (found.status == Status::kInterrupted) return std::nullopt;
  JudgedFold result{
      .judged = baselines == nullptr
                    ? judge_items(found.model, fold.held_out, &fold.training, hidden)
                    : judge_items_beside(*baselines, found.model, fold.held_out, hidden),
      .over = {},
      .seconds = found.seconds,
      .penalty = found.penalty,
      .operations = found.operations,
      .unpaid = {}};
  if (!result.judged.by_gain.complete) return std::nullopt;
  result.over = over_items(found, fold, support, how.budget);
  if (options.budget.stopped()) return std::nullopt;
  return result;
}

/// One family on all folds; nothing if some were stopped.
std::optional<JudgedFamily> judged_family(const std::string& model,
                                          std::span<const std::optional<JudgedFold>> folds) {
  std::vector<ItemJudgement> judged;
  std::vector<OverItems> over;
  for (const auto& fold : folds) {
    if (!fold) return std::nullopt;
    judged.push_back(fold->judged);
    over.push_back(fold->over);
  }
  PooledOverItems all = pooled(over);
  JudgedFamily family{.row = {.model = model, .hidden = pooled(judged)},
                      .over = std::move(all.values),
                      .half = all.half};
  FamilyRow& row = family.row;
  row.over_items = all.mean;
  row.over_items_error = all.standard_error;
  row.penalty = folds.front()->penalty;
  row.likelihood = {all.mean.low + all.items, all.mean.high + all.items};
  for (const auto& fold : folds) row.seconds += fold->seconds;
  return family;
}

std::string against_items(const FamilyRow& row) {
  const auto [low, high] = row.over_items;
  if (!std::isfinite(low)) return "how likely held-out sets are has no bound";
  const double chance = kMoreThanChance * row.over_items_error;
  const bool more = low > chance, less = is_worse_than_items(row);
  return fmt::format(
      "held-out sets are {} than by items by themselves: {} nats a set, +- {:.4f}, certified",
      more   ? "more likely"
      : less ? "less likely"
             : "not told to be more likely",
      high - low < 5e-4 ? fmt::format("{:+.4f}", (low + high) / 2)
                        : fmt::format("{:+.4f} to {:+.4f}", std::floor(low * 1e4) / 1e4,
                                      std::ceil(high * 1e4) / 1e4),
      row.over_items_error);
}

std::string verdict_of(const FamilyChoice& choice) {
  for (const FamilyRow& row : choice.rows)
    if (row.model == choice.winner) {
      const std::string why = against_popularity(row.hidden);
      return row.model + ": " +
             (why.empty() ? "there are too few sets of two items to tell it from popularity"
                          : why) +
             (row.model == "modular" ? "" : "; " + against_items(row));
    }
  return choice.winner + ": stopped before anything could be compared";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> left_out(const FamilyChoice& choice) {
  auto all = choice.unpaid;
  for (const std::string& model : choice.unfinished) all.emplace_back(model, "time ran out");
  for (auto& [model, why] : all) why = model + " was not compared: " + why;
  return all;
}

FamilyChoice choose_family(const SetCollection& data, const FamilyChoiceOptions& options) {
  require_families(options);
  FamilyChoice choice;
  choice.sets = data.sets.size();
  choice.items = data.items;
  choice.folds = options.folds;
  choice.leader = choice.winner = options.families.front();
  const std::vector<Fold> folds = folds_to_judge(data, options);
  for (const Fold& fold : folds) choice.judged += fold.held_out.sets.size();
  const bool any_empty = std::ranges::any_of(data.sets, [](const auto& s) { return s.empty(); });
  const Support support = any_empty ? Support::kAllSets : Support::kNonEmptySets;
  const ItemPredictionOptions hidden = hiding(folds, options);
  std::vector<JudgedFamily> families;
  std::vector<ItemJudgement> baselines;  // by fold, the same for all families
  double spent = 0;                      // operations
  for (Index k = 0; k < options.families.size(); ++k) {
    FitOptions how = *options.fit;  // an equal part of the time that is left, and of the work
    const double part = 1 / static_cast<double>(options.families.size() - k);
    how.budget = how.budget.part(part);
    how.work = {
        .operations = part * (options.work.operations - spent) / static_cast<double>(folds.size()),
        .fewest = options.work.fewest};
    const auto judged = in_order(folds.size(), how.budget, how.crew, [&](std::size_t f) {
      auto found = judged_fold(options.families[k], folds[f], support, hidden, how,
                               baselines.empty() ? nullptr : &baselines[f]);
      if (found && options.trained) options.trained();
      return found;
    });
    std::string unpaid;
    for (const auto& fold : judged.results)
      if (fold) {
        spent += fold->operations;
        if (!fold->unpaid.empty()) unpaid = fold->unpaid;
      }
    if (!unpaid.empty()) {
      choice.unpaid.emplace_back(options.families[k], unpaid);
      continue;
    }
    auto family = judged_family(options.families[k], judged.results);
    if (family) {
      if (baselines.empty())
        for (const auto& fold : judged.results) baselines.push_back(fold->judged);
      families.push_back(std::move(*family));
    } else if (options.fit->budget.stopped() || !how.budget.has_deadline()) {
      choice.complete = false;
      break;
    } else {
      choice.unfinished.push_back(options.families[k]);
    }
  }
  if (!families.empty()) {
    const FamilyDecision decision = decide_family(families);
    choice.leader = decision.leader;
    choice.winner = decision.winner;
  }
  for (JudgedFamily& family : families) choice.rows.push_back(std::move(family.row));
  choice.verdict = verdict_of(choice);
  return choice;
}

}  // namespace surefield
