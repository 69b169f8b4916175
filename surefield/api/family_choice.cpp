#include "surefield/api/family_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
constexpr double kLargest = 1e100;     // an end of log Z that is not known is no further away

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

/// One family on one fold.
struct JudgedFold {
  ItemJudgement judged;
  OverItems over;
  double seconds = 0;
};

auto fields_of(JudgedFold& fold) {
  auto& [judged, over, seconds] = fold;
  return std::tie(judged, over, seconds);
}

/// Nothing if it was stopped.
std::optional<JudgedFold> judged_fold(const std::string& model, const Fold& fold, Support support,
                                      const FitOptions& options) {
  if (options.budget.spent()) return std::nullopt;
  FitOptions how = options;
  how.model = model;
  how.method = {};
  how.budget = options.budget.with_threads(1);
  how.crew = nullptr;  // it shares folds
  const FitResult found = fit(fold.training, how);
  if (found.status == Status::kInterrupted) return std::nullopt;
  JudgedFold result{
      .judged = judge_items(found.model, fold.held_out, &fold.training, {.budget = how.budget}),
      .over = {},
      .seconds = found.seconds};
  if (!result.judged.by_gain.complete) return std::nullopt;
  result.over = over_items(found, fold, support, how.budget);
  if (options.budget.stopped()) return std::nullopt;
  return result;
}

/// One family on all folds; nothing if some were stopped.
std::optional<JudgedFamily> judged_family(const std::string& model,
                                          std::span<const std::optional<JudgedFold>> folds) {
  std::vector<ItemJudgement> judged;
  for (const auto& fold : folds) {
    if (!fold) return std::nullopt;
    judged.push_back(fold->judged);
  }
  JudgedFamily family;
  family.row = {.model = model, .hidden = pooled(judged)};
  Index sets = 0;
  Interval normaliser{0, 0};  // added up over sets
  double items = 0;
  for (const auto& fold : folds) {
    const OverItems& part = fold->over;
    const auto count = static_cast<double>(part.values.size());
    sets += part.values.size();
    normaliser.low += count * part.normaliser.low;
    normaliser.high += count * part.normaliser.high;
    items += count * part.items;
    const bool known = std::isfinite(part.normaliser.high);
    const double middle = known ? (part.normaliser.low + part.normaliser.high) / 2
                                : std::max(part.normaliser.low, -kLargest);
    for (const double value : part.values) family.over.push_back(value - middle);
  }
  const auto total = static_cast<double>(sets);
  const MeanEstimate mean = surefield::mean_of(family.over);
  family.half = (normaliser.high - normaliser.low) / total / 2;
  FamilyRow& row = family.row;
  row.over_items = {std::isfinite(family.half) ? mean.mean - family.half : -kInfinity,
                    std::isfinite(family.half) ? mean.mean + family.half : mean.mean};
  row.over_items_error = mean.standard_error;
  row.likelihood = {row.over_items.low + items / total, row.over_items.high + items / total};
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

FamilyChoice choose_family(const SetCollection& data, const FamilyChoiceOptions& options) {
  require_families(options);
  FamilyChoice choice;
  choice.sets = data.sets.size();
  choice.items = data.items;
  choice.folds = options.folds;
  choice.leader = choice.winner = options.families.front();
  std::vector<Fold> folds;
  for (Index k = 0; k < std::max<Index>(options.folds, 1); ++k)
    folds.push_back(fold_of(data, options.folds, k, options.seed));
  const bool any_empty = std::ranges::any_of(data.sets, [](const auto& s) { return s.empty(); });
  const Support support = any_empty ? Support::kAllSets : Support::kNonEmptySets;
  // All of them at once: three folds keep two threads busy for two turns.
  const FitOptions& fit = *options.fit;
  const auto judged =
      in_order(options.families.size() * folds.size(), fit.budget, fit.crew, [&](std::size_t task) {
        return judged_fold(options.families[task / folds.size()], folds[task % folds.size()],
                           support, fit);
      });
  std::vector<JudgedFamily> families;
  for (std::size_t f = 0; f < options.families.size(); ++f) {
    auto family = judged_family(options.families[f],
                                std::span(judged.results).subspan(f * folds.size(), folds.size()));
    if (!family) {
      choice.complete = false;
      break;
    }
    families.push_back(std::move(*family));
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
