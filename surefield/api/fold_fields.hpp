// What a learned fold holds, for core/packing.hpp: it travels to other processes, its model as native JSON, which keeps every bit.
#pragma once

#include <string>
#include <tuple>
#include <utility>

#include "surefield/api/cross_validation.hpp"
#include "surefield/core/log_z_fields.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/learn/judgement_fields.hpp"

namespace surefield {

inline auto fields_of(FamilyRow& row) {
  auto& [model, hidden, behind, likelihood, over_items, over_items_error, seconds, penalty] = row;
  return std::tie(model, hidden, behind, likelihood, over_items, over_items_error, seconds,
                  penalty);
}

inline auto fields_of(FamilyChoice& choice) {
  auto& [rows, leader, winner, verdict, sets, items, folds, judged, unfinished, unpaid, complete] =
      choice;
  return std::tie(rows, leader, winner, verdict, sets, items, folds, judged, unfinished, unpaid,
                  complete);
}

inline auto fields_of(PenaltyTrial& trial) {
  auto& [penalty, held_out] = trial;
  return std::tie(penalty, held_out);
}

inline auto fields_of(FoldLikelihood& likelihood) {
  auto& [sets, lower, upper, lower_not_empty, upper_not_empty] = likelihood;
  return std::tie(sets, lower, upper, lower_not_empty, upper_not_empty);
}

/// All but its model.
inline auto fields_of(FitResult& fit) {
  auto& [model, items, model_name, method, status, log_z_estimate, trace, passes, best_epoch,
         penalty, trials, pairs, notes, choice, sets, empty_sets, operations, seconds] = fit;
  return std::tie(items, model_name, method, status, log_z_estimate, trace, passes, best_epoch,
                  penalty, trials, pairs, notes, choice, sets, empty_sets, operations, seconds);
}

inline auto fields_of(FoldFit& found) {
  auto& [fold, fit, held_out, hidden] = found;
  return std::tie(fold, fit, held_out, hidden);
}

/// A fold on its way: the model as text, for its own place in `found` does not travel. Without text it has not left.
struct SentFold {
  FoldFit found = {};
  std::string model = {};
};

inline auto fields_of(SentFold& sent) {
  auto& [found, model] = sent;
  return std::tie(found, model);
}

inline SentFold sent(FoldFit found) {
  std::string text =
      model_text({.model = found.fit.model, .items = {}, .box = unit_box(size_of(found.fit.model))},
                 format_named("json"));
  return {std::move(found), std::move(text)};
}

inline FoldFit received(SentFold fold) {
  if (!fold.model.empty())
    fold.found.fit.model =
        parse_model(fold.model, "a model of another process", {.format = "json"}).model;
  return std::move(fold.found);
}

}  // namespace surefield
