#include "surefield/report/fit_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"

namespace surefield {
namespace {

/// One number where both ends are the same, else both, rounded outwards.
std::string between(double lower, double upper) {
  return lower == upper
             ? fmt::format("{:.4f}", lower)
             : fmt::format("{} to {}", round_down_text(lower, 4), round_up_text(upper, 4));
}

double rate_at(const ItemPrediction& found, Index k) {
  for (const auto& hit : found.hits)
    if (hit.at == k) return hit.rate.mean;
  return NAN;
}

/// What the judgement of hidden items comes to; null where there is none, or no set of two items.
OrderedJson json_of_hidden(const std::optional<ItemJudgement>& found) {
  if (!found || found->by_gain.sets == 0) return nullptr;
  const auto of = [](const ItemPrediction& by) -> OrderedJson {
    return {{"mean_reciprocal_rank", by.reciprocal_rank.mean},
            {"hit_rate_at_5", json_number(rate_at(by, 5))},
            {"hit_rate_at_10", json_number(rate_at(by, 10))},
            {"ndcg", by.ndcg.mean},
            {"coverage", by.coverage}};
  };
  OrderedJson json{{"sets", found->by_gain.sets}, {"model", of(found->by_gain)}};
  if (found->by_popularity) json["popularity"] = of(*found->by_popularity);
  if (found->by_co_occurrence) json["co_occurrence"] = of(*found->by_co_occurrence);
  if (const auto& over = found->over_popularity)
    json["over_popularity"] = {
        {"mean_reciprocal_rank", over->reciprocal_rank.mean},
        {"standard_error", json_number(over->reciprocal_rank.standard_error)}};
  return json;
}

}  // namespace

std::string hidden_items_text(const ItemJudgement& hidden) {
  const ItemPrediction& gain = hidden.by_gain;
  if (gain.sets == 0) return "hidden items: no set of two items or more\n";
  std::string out = fmt::format(
      "hidden items of {} sets: mean reciprocal rank {:.4f}, hit rate {:.4f} at 5, {:.4f} at 10",
      gain.sets, gain.reciprocal_rank.mean, rate_at(gain, 5), rate_at(gain, 10));
  const auto other = [&](const std::optional<ItemPrediction>& found, std::string_view name) {
    if (found)
      out += fmt::format("; {} {:.4f}, {:.4f}, {:.4f}", name, found->reciprocal_rank.mean,
                         rate_at(*found, 5), rate_at(*found, 10));
  };
  other(hidden.by_popularity, "by popularity");
  other(hidden.by_co_occurrence, "by co-occurrence");
  out += '\n';
  if (beats_popularity(hidden) == false) out += "warning: " + against_popularity(hidden) + '\n';
  return out;
}

namespace {

/// What training leaves empty sets out of and estimates log Z of.
bool is_of_weights(const FitResult& fit) {
  return fit.model_name == "flid" || fit.model_name == "fldc";
}

}  // namespace

std::string fit_text(const FitEntry& entry) {
  const FitResult& fit = entry.fit;
  std::string out = entry.fold ? fmt::format("fold {}: ", *entry.fold) : "";
  out += fmt::format("{}, items: {}, learned by {} from sets: {}; {}", fit.model_name,
                     size_of(fit.model), fit.method, fit.sets, text_of(fit.status));
  if (fit.passes > 0 && fit.best_epoch > 0)
    out += fmt::format(", best of {} epochs is {}", fit.passes, fit.best_epoch);
  else if (fit.passes > 0)
    out += fmt::format(", {} evaluations", fit.passes);
  if (fit.log_z_estimate)
    out += fmt::format(", log Z {} {:.4f}", is_of_weights(fit) ? "estimated at" : "is",
                       *fit.log_z_estimate);
  if (fit.penalty) {
    out += fmt::format(", couplings: {}, penalty {}", fit.pairs, *fit.penalty);
    if (!fit.trials.empty()) out += fmt::format(", the best of {} by folds", fit.trials.size());
  }
  out += fmt::format(", {:.2f} s\n", fit.seconds);
  if (fit.choice) out += fit.choice->verdict + '\n';
  for (const auto& note : fit.notes) out += "note: " + note + '\n';
  if (is_of_weights(fit) && fit.empty_sets > 0)
    out += fmt::format(
        "{} empty sets are left out of training; they set the chance of the empty set\n",
        fit.empty_sets);
  if (const auto& held_out = entry.held_out) {
    out += fmt::format("held-out log-likelihood of {} sets, a set: {}", held_out->sets,
                       between(held_out->lower, held_out->upper));
    if (held_out->lower_not_empty)
      out += fmt::format("; among sets that are not empty: {}",
                         between(*held_out->lower_not_empty, *held_out->upper_not_empty));
    out += '\n';
  }
  if (entry.hidden) out += hidden_items_text(*entry.hidden);
  return out;
}

std::string fit_json(std::span<const FitEntry> entries, const SetStatistics& statistics,
                     std::uint64_t seed) {
  OrderedJson models = OrderedJson::array();
  for (const auto& entry : entries) {
    const FitResult& fit = entry.fit;
    OrderedJson epochs = OrderedJson::array();
    for (const auto& epoch : fit.trace)
      epochs.push_back({{"epoch", epoch.epoch},
                        {"training", json_number(epoch.training)},
                        {"watched", json_number(epoch.watched)}});
    OrderedJson held_out = nullptr;
    if (const auto& found = entry.held_out)
      held_out = {{"sets", found->sets},
                  {"log_likelihood_lower", json_number(found->lower)},
                  {"log_likelihood_upper", json_number(found->upper)},
                  {"not_empty_lower", json_number(found->lower_not_empty)},
                  {"not_empty_upper", json_number(found->upper_not_empty)}};
    models.push_back(
        {{"path", entry.path.empty() ? OrderedJson(nullptr) : OrderedJson(entry.path)},
         {"fold", entry.fold ? OrderedJson(*entry.fold) : OrderedJson(nullptr)},
         {"kind", kind_of(fit.model)},
         {"model", fit.model_name},
         {"method", fit.method},
         {"sets", fit.sets},
         {"status", text_of(fit.status)},
         {"passes", fit.passes},
         {"best_epoch", fit.best_epoch},
         {"log_z_estimate", json_number(fit.log_z_estimate)},
         {"penalty", json_number(fit.penalty)},
         {"held_out", held_out},
         {"hidden_items", json_of_hidden(entry.hidden)},
         {"verdict", fit.choice ? OrderedJson(fit.choice->verdict) : OrderedJson(nullptr)},
         {"notes", fit.notes},
         {"seconds", fit.seconds},
         {"trace", epochs}});
  }
  return json_text(json_answer("fit", {{"data",
                                        {{"sets", statistics.sets},
                                         {"items", statistics.items},
                                         {"distinct_sets", statistics.distinct_sets},
                                         {"empty_sets", statistics.empty_sets},
                                         {"never_seen", statistics.never_seen},
                                         {"mean_size", statistics.mean_size},
                                         {"median_size", statistics.median_size},
                                         {"largest_size", statistics.largest_size}}},
                                       {"seed", seed},
                                       {"models", models}}));
}

std::string fit_csv(std::span<const FitEntry> entries) {
  CsvTable csv{"path",
               "fold",
               "model",
               "method",
               "sets",
               "status",
               "passes",
               "log_z_estimate",
               "held_out_sets",
               "log_likelihood_lower",
               "log_likelihood_upper",
               "not_empty_lower",
               "not_empty_upper",
               "seconds",
               "penalty",
               "mean_reciprocal_rank",
               "hit_rate_at_5",
               "hit_rate_at_10",
               "popularity_mean_reciprocal_rank"};
  for (const auto& entry : entries) {
    const FitResult& fit = entry.fit;
    FoldLikelihood none;
    none.lower = none.upper = NAN;
    const FoldLikelihood& found = entry.held_out ? *entry.held_out : none;
    const ItemJudgement hidden = entry.hidden.value_or(ItemJudgement{});
    const ItemPrediction& gain = hidden.by_gain;
    const ItemPrediction* popularity = hidden.by_popularity ? &*hidden.by_popularity : nullptr;
    const auto number = [](const ItemPrediction* by, auto&& of) -> std::optional<double> {
      if (by == nullptr || by->sets == 0) return std::nullopt;
      return of(*by);
    };
    csv.add(entry.path, entry.fold, fit.model_name, fit.method, fit.sets, text_of(fit.status),
            fit.passes, fit.log_z_estimate,
            entry.held_out ? std::optional(found.sets) : std::nullopt, found.lower, found.upper,
            found.lower_not_empty, found.upper_not_empty, fit.seconds, fit.penalty,
            number(&gain, [](const auto& by) { return by.reciprocal_rank.mean; }),
            number(&gain, [](const auto& by) { return rate_at(by, 5); }),
            number(&gain, [](const auto& by) { return rate_at(by, 10); }),
            number(popularity, [](const auto& by) { return by.reciprocal_rank.mean; }));
  }
  return csv.text();
}

}  // namespace surefield
