#include "surefield/report/family_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

/// What is shown of one way of ranking.
struct Measures {
  MeanEstimate reciprocal_rank, at_5, at_10, ndcg;
  double coverage = 0;
};

Measures measures_of(const ItemPrediction& found) {
  Measures all{found.reciprocal_rank, {}, {}, found.ndcg, found.coverage};
  for (const auto& hit : found.hits) {
    if (hit.at == 5) all.at_5 = hit.rate;
    if (hit.at == 10) all.at_10 = hit.rate;
  }
  return all;
}

std::string short_text(const MeanEstimate& estimate) {
  if (estimate.count == 0) return "-";
  return fmt::format("{:.4f}", estimate.mean);
}

std::string signed_text(const MeanEstimate& estimate) {
  if (estimate.count == 0) return "-";
  return std::isfinite(estimate.standard_error)
             ? fmt::format("{:+.4f} +- {:.4f}", estimate.mean, estimate.standard_error)
             : fmt::format("{:+.4f}", estimate.mean);
}

/// Two ends, rounded outwards, where they differ by a thousandth or more.
std::string ends_text(const Interval& ends) {
  if (ends.high - ends.low < 1e-3) return fmt::format("{:.4f}", (ends.low + ends.high) / 2);
  const std::string high =
      std::isfinite(ends.high) ? round_up_text(ends.high, 3) : std::string("infinity");
  return std::isfinite(ends.low) ? fmt::format("{} to {}", round_down_text(ends.low, 3), high)
                                 : fmt::format("at most {}", high);
}

OrderedJson mean_of_json(const MeanEstimate& estimate) {
  return estimate.count == 0 ? OrderedJson(nullptr) : OrderedJson(estimate.mean);
}

OrderedJson measures_json(const std::string& name, const ItemPrediction& found) {
  const Measures all = measures_of(found);
  return {{"model", name},
          {"mean_reciprocal_rank", mean_of_json(all.reciprocal_rank)},
          {"standard_error", json_number(all.reciprocal_rank.standard_error)},
          {"hit_rate_at_5", mean_of_json(all.at_5)},
          {"hit_rate_at_10", mean_of_json(all.at_10)},
          {"ndcg", mean_of_json(all.ndcg)},
          {"coverage", all.coverage}};
}

}  // namespace

std::string family_text(const FamilyChoice& choice) {
  std::string out = fmt::format("{}\n{} sets of {} items, {} folds\n\n", choice.verdict,
                                choice.sets, choice.items, choice.folds);
  TextTable table({{"", TextTable::Side::kLeft},
                   {"mean reciprocal rank"},
                   {"hit rate at 5"},
                   {"at 10"},
                   {"ndcg"},
                   {"items shown"},
                   {"over popularity"},
                   {"log-likelihood"},
                   {"over items"},
                   {"seconds"}});
  const auto add = [&](const std::string& name, const ItemPrediction& found,
                       const std::string& over, const std::string& likely,
                       const std::string& over_items, const std::string& seconds) {
    const Measures all = measures_of(found);
    table.add({name, short_text(all.reciprocal_rank), short_text(all.at_5), short_text(all.at_10),
               short_text(all.ndcg), fmt::format("{:.1f} %", 100 * all.coverage), over, likely,
               over_items, seconds});
  };
  for (const FamilyRow& row : choice.rows)
    add(row.model, row.hidden.by_gain,
        row.hidden.over_popularity ? signed_text(row.hidden.over_popularity->reciprocal_rank) : "-",
        ends_text(row.likelihood), ends_text(row.over_items), fmt::format("{:.2f}", row.seconds));
  if (!choice.rows.empty()) {
    const ItemJudgement& any = choice.rows.front().hidden;
    if (any.by_popularity) add("popularity", *any.by_popularity, "", "", "", "");
    if (any.by_co_occurrence) add("co-occurrence", *any.by_co_occurrence, "", "", "", "");
  }
  out += table.text();
  for (const auto& [model, why] : left_out(choice)) out += fmt::format("\nnote: {}\n", why);
  out +=
      "\nEach item of each held-out set is hidden in turn and ranked by what it would add; of "
      "families that cannot be told apart\nby that the more likely is kept, then the plainest. "
      "Likelihoods are certified, a held-out set in nats, and above that of\nitems by "
      "themselves; given that no set is empty, where none is. Items shown are those among the "
      "first 10 for some hidden item.\n";
  return out;
}

std::string family_json(const FamilyChoice& choice) {
  OrderedJson rows = OrderedJson::array();
  for (const FamilyRow& row : choice.rows) {
    rows.push_back(measures_json(row.model, row.hidden.by_gain));
    const auto& over = row.hidden.over_popularity;
    rows.back()["over_popularity"] =
        over ? mean_of_json(over->reciprocal_rank) : OrderedJson(nullptr);
    rows.back()["over_popularity_standard_error"] =
        over ? json_number(over->reciprocal_rank.standard_error) : OrderedJson(nullptr);
    rows.back()["behind"] = mean_of_json(row.behind);
    rows.back()["behind_standard_error"] = json_number(row.behind.standard_error);
    rows.back()["log_likelihood_lower"] = json_number(row.likelihood.low);
    rows.back()["log_likelihood_upper"] = json_number(row.likelihood.high);
    rows.back()["over_items_lower"] = json_number(row.over_items.low);
    rows.back()["over_items_upper"] = json_number(row.over_items.high);
    rows.back()["over_items_standard_error"] = json_number(row.over_items_error);
    rows.back()["seconds"] = row.seconds;
  }
  OrderedJson notes = OrderedJson::array();
  for (const auto& [model, why] : left_out(choice)) notes.push_back(why);
  OrderedJson baselines = OrderedJson::array();
  if (!choice.rows.empty()) {
    const ItemJudgement& any = choice.rows.front().hidden;
    if (any.by_popularity) baselines.push_back(measures_json("popularity", *any.by_popularity));
    if (any.by_co_occurrence)
      baselines.push_back(measures_json("co-occurrence", *any.by_co_occurrence));
  }
  return json_text(json_answer(
      "select",
      {{"data", {{"sets", choice.sets}, {"items", choice.items}, {"folds", choice.folds}}},
       {"by", "hidden items"},
       {"verdict", choice.verdict},
       {"notes", notes},
       {"complete", choice.complete},
       {"leader", choice.leader},
       {"winner", choice.winner},
       {"rows", rows},
       {"baselines", baselines}}));
}

std::string family_csv(const FamilyChoice& choice) {
  CsvTable csv{"model",
               "mean_reciprocal_rank",
               "hit_rate_at_5",
               "hit_rate_at_10",
               "ndcg",
               "coverage",
               "over_popularity",
               "standard_error",
               "log_likelihood_lower",
               "log_likelihood_upper",
               "over_items_lower",
               "over_items_upper",
               "seconds"};
  const auto mean = [](const MeanEstimate& estimate) {
    return estimate.count == 0 ? std::nullopt : std::optional(estimate.mean);
  };
  for (const FamilyRow& row : choice.rows) {
    const Measures all = measures_of(row.hidden.by_gain);
    const MeanEstimate over =
        row.hidden.over_popularity ? row.hidden.over_popularity->reciprocal_rank : MeanEstimate{};
    csv.add(row.model, mean(all.reciprocal_rank), mean(all.at_5), mean(all.at_10), mean(all.ndcg),
            all.coverage, mean(over), over.standard_error, row.likelihood.low, row.likelihood.high,
            row.over_items.low, row.over_items.high, row.seconds);
  }
  return csv.text();
}

}  // namespace surefield
