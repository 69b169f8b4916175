#include "surefield/api/family_choice.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/api/fit.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/learn/folds.hpp"

namespace surefield {
namespace {

constexpr double kToldApart = 2;  // standard errors

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

/// One family on all folds; nothing if it was stopped.
std::optional<FamilyRow> family_row(const std::string& model, const std::vector<Fold>& folds,
                                    const FitOptions& options) {
  std::vector<ItemJudgement> judged(folds.size());
  std::vector<double> seconds(folds.size(), 0.0);
  std::vector<std::uint8_t> done(folds.size(), 0);
  for_each_index(folds.size(), options.budget, [&](std::size_t k) {
    FitOptions how = options;
    how.model = model;
    how.method = {};
    how.budget = options.budget.with_threads(1);
    const FitResult found = fit(folds[k].training, how);
    if (found.status == Status::kInterrupted) return;
    judged[k] =
        judge_items(found.model, folds[k].held_out, &folds[k].training, {.budget = how.budget});
    seconds[k] = found.seconds;
    done[k] = judged[k].by_gain.complete;
  });
  if (std::ranges::find(done, 0) != done.end()) return std::nullopt;
  FamilyRow row{.model = model, .hidden = pooled(judged), .behind = {}, .seconds = 0};
  for (const double part : seconds) row.seconds += part;
  return row;
}

std::string verdict_of(const FamilyChoice& choice) {
  for (const FamilyRow& row : choice.rows)
    if (row.model == choice.winner) {
      const std::string why = against_popularity(row.hidden);
      return row.model + ": " +
             (why.empty() ? "there are too few sets of two items to tell it from popularity" : why);
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
  for (const std::string& model : options.families) {
    auto row = family_row(model, folds, *options.fit);
    if (!row) {
      choice.complete = false;
      break;
    }
    choice.rows.push_back(std::move(*row));
  }
  if (choice.rows.empty()) {
    choice.verdict = verdict_of(choice);
    return choice;
  }
  const auto mean = [](const FamilyRow& row) { return row.hidden.by_gain.reciprocal_rank.mean; };
  const FamilyRow& leader = *std::ranges::max_element(choice.rows, {}, mean);
  choice.leader = choice.winner = leader.model;
  for (FamilyRow& row : choice.rows)
    row.behind = difference(leader.hidden.by_gain, row.hidden.by_gain).reciprocal_rank;
  for (const FamilyRow& row : choice.rows)
    if (row.model == leader.model || !(row.behind.mean > kToldApart * row.behind.standard_error)) {
      choice.winner = row.model;
      break;
    }
  choice.verdict = verdict_of(choice);
  return choice;
}

}  // namespace surefield
