#include "surefield/report/evaluation_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

constexpr Index kItemsShown = 5;

std::string_view text_of(Support support) {
  return support == Support::kAllSets ? "all sets" : "non-empty sets";
}

/// "0.4213 +- 0.0031", without the error where it is not known.
std::string with_error(const MeanEstimate& estimate) {
  if (estimate.count == 0) return "-";
  return std::isfinite(estimate.standard_error)
             ? fmt::format("{:.4f} +- {:.4f}", estimate.mean, estimate.standard_error)
             : fmt::format("{:.4f}", estimate.mean);
}

class Text {
 public:
  explicit Text(const Evaluation& evaluation) : e_(evaluation) {}

  std::string operator()() {
    put("{} sets of {} items, {:.2f} items a set, {} empty; {}, {:.3g} s\n", e_.sets, e_.items,
        e_.mean_size, e_.empty_sets, e_.model_kind, e_.seconds);
    if (!e_.is_complete())
      put("stopped early: what follows is of the sets that were judged by then\n");
    likelihood();
    prediction();
    if (e_.calibration) calibration(*e_.calibration);
    return std::move(out_);
  }

 private:
  template <class... Parts>
  void put(fmt::string_view form, const Parts&... parts) {
    fmt::vformat_to(std::back_inserter(out_), form, fmt::make_format_args(parts...));
  }

  void likelihood() {
    put("\nmean log-likelihood a set, certified (natural logarithm)\n");
    if (!e_.over_all_sets) {
      put("  not known: log Z of this model is not bounded from both sides\n");
      return;
    }
    TextTable rows({{"", TextTable::Side::kLeft},
                    {""},
                    {""},
                    {""},
                    {"", TextTable::Side::kLeft},
                    {"", TextTable::Side::kLeft}});
    for (const auto* found : {&e_.over_all_sets, &e_.over_non_empty_sets}) {
      if (!*found) continue;
      const Interval in = (*found)->log_likelihood();
      const double error = (*found)->value.standard_error;
      const Index left_out = (*found)->empty_sets_left_out;
      rows.add({fmt::format("over {}", text_of((*found)->support)), round_down_text(in.low, 6),
                "to", round_up_text(in.high, 6),
                std::isfinite(error) ? fmt::format("+- {:.4f} over sets", error) : "",
                left_out > 0 ? fmt::format("{} empty sets left out", left_out) : ""});
    }
    out_ += rows.text();
  }

  void prediction() {
    const ItemPrediction& gain = e_.hidden.by_gain;
    const bool sampled = gain.complete && gain.sets + gain.sets_left_out < e_.sets;
    put("\nhidden items: {} of {} sets of two items or more{}\n", gain.hidden_items, gain.sets,
        sampled ? ", a sample of all (--seconds judges as many as it can)" : "");
    if (gain.sets == 0) return;
    std::vector<TextTable::Column> columns{{"", TextTable::Side::kLeft}, {"by gain"}};
    std::vector<const ItemPrediction*> shown{&gain};
    const auto add = [&](const std::optional<ItemPrediction>& found, const char* name) {
      if (!found) return;
      shown.push_back(&*found);
      columns.push_back({name});
    };
    add(e_.hidden.by_popularity, "by popularity");
    add(e_.hidden.by_co_occurrence, "by co-occurrence");
    add(e_.hidden.over_popularity, "gain - popularity");
    TextTable table(columns);
    const auto row = [&](const std::string& name, auto&& cell) {
      std::vector<std::string> cells{name};
      for (const ItemPrediction* found : shown) cells.push_back(cell(*found));
      table.add(cells);
    };
    for (Index k = 0; k < gain.hits.size(); ++k)
      row(fmt::format("hit rate at {}", gain.hits[k].at),
          [k](const ItemPrediction& found) { return with_error(found.hits[k].rate); });
    row("mean reciprocal rank",
        [](const ItemPrediction& found) { return with_error(found.reciprocal_rank); });
    row("ndcg", [](const ItemPrediction& found) { return with_error(found.ndcg); });
    row("mean rank", [](const ItemPrediction& found) { return with_error(found.rank); });
    row("items among the first 10",
        [](const ItemPrediction& found) { return fmt::format("{:.1f} %", 100 * found.coverage); });
    out_ += table.text();
    if (beats_popularity(e_.hidden) == false) put("  warning: {}\n", against_popularity(e_.hidden));
  }

  void calibration(const Calibration& found) {
    put("\ncalibration of the marginals over {}, by {}{}\n", text_of(e_.calibrated_for),
        e_.marginals_by,
        !std::isfinite(e_.marginals_error) ? std::string(" (no bound on their error)")
        : e_.marginals_error > 0
            ? " (wrong by at most " + round_up_significant(e_.marginals_error, 2) + ")"
            : std::string(" (exact)"));
    put("  expected calibration error {:.5f}, worst bin {:.5f}, mean square z {:.2f}{}\n",
        found.expected_error, found.worst_bin_error, found.mean_square_z,
        found.impossible > 0 ? fmt::format(", {} items that cannot be so", found.impossible) : "");
    if (found.bins.empty()) return;
    TextTable table({{"items"}, {"marginals"}, {"predicted"}, {"observed"}, {"+-"}});
    for (const auto& bin : found.bins)
      table.add({fmt::format("{}", bin.items),
                 fmt::format("{:.4f} to {:.4f}", bin.range.low, bin.range.high),
                 fmt::format("{:.5f}", bin.predicted), fmt::format("{:.5f}", bin.observed),
                 fmt::format("{:.5f}", bin.standard_error)});
    out_ += table.text();
    worst_items(found);
  }

  void worst_items(const Calibration& found) {
    std::vector<Index> order(found.items.size());
    for (Index i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater{},
                             [&](Index i) { return std::abs(found.items[i].z); });
    put("  furthest off:\n");
    TextTable table({{"z"}, {"predicted"}, {"observed"}, {"item", TextTable::Side::kLeft}});
    for (Index k = 0; k < std::min(kItemsShown, order.size()); ++k) {
      const auto& item = found.items[order[k]];
      table.add({fmt::format("{:.1f}", item.z), fmt::format("{:.4f}", item.predicted),
                 fmt::format("{:.4f}", item.observed),
                 e_.names.empty() ? fmt::format("item {}", order[k]) : e_.names[order[k]]});
    }
    out_ += table.text("    ");
  }

  const Evaluation& e_;
  std::string out_;
};

OrderedJson json_of(const MeanEstimate& estimate) {
  if (estimate.count == 0) return nullptr;
  return {{"mean", estimate.mean}, {"standard_error", json_number(estimate.standard_error)}};
}

OrderedJson json_of(const std::optional<HeldOutLikelihood>& found) {
  if (!found) return nullptr;
  const Interval in = found->log_likelihood();
  return {{"lower", in.low},
          {"upper", in.high},
          {"standard_error", json_number(found->value.standard_error)},
          {"sets", found->value.count}};
}

OrderedJson json_of(const ItemPrediction& found) {
  OrderedJson hits = OrderedJson::array();
  for (const auto& hit : found.hits) hits.push_back({{"at", hit.at}, {"rate", json_of(hit.rate)}});
  return {{"sets", found.sets},
          {"hidden_items", found.hidden_items},
          {"hit_rates", hits},
          {"mean_reciprocal_rank", json_of(found.reciprocal_rank)},
          {"mean_rank", json_of(found.rank)},
          {"ndcg", json_of(found.ndcg)},
          {"coverage", found.coverage}};
}

OrderedJson json_of(const std::optional<ItemPrediction>& found) {
  return found ? json_of(*found) : OrderedJson(nullptr);
}

OrderedJson json_of(const Calibration& found) {
  OrderedJson bins = OrderedJson::array();
  for (const auto& bin : found.bins)
    bins.push_back({{"items", bin.items},
                    {"low", bin.range.low},
                    {"high", bin.range.high},
                    {"predicted", bin.predicted},
                    {"observed", bin.observed},
                    {"standard_error", bin.standard_error}});
  OrderedJson items = OrderedJson::array();
  for (const auto& item : found.items)
    items.push_back(
        {{"predicted", item.predicted}, {"observed", item.observed}, {"z", json_number(item.z)}});
  return {{"sets", found.sets},
          {"expected_calibration_error", found.expected_error},
          {"worst_bin_error", found.worst_bin_error},
          {"mean_square_z", found.mean_square_z},
          {"impossible_items", found.impossible},
          {"bins", bins},
          {"items", items}};
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation) { return Text(evaluation)(); }

std::string evaluation_json(const Evaluation& e) {
  OrderedJson calibration = nullptr;
  if (e.calibration) {
    calibration = json_of(*e.calibration);
    calibration["support"] = text_of(e.calibrated_for);
    calibration["marginals_by"] = e.marginals_by;
    calibration["marginals_error"] = json_number(e.marginals_error);
  }
  return json_text(json_answer(
      "evaluate", {{"model", {{"kind", e.model_kind}, {"n", e.items}, {"items", e.names}}},
                   {"complete", e.is_complete()},
                   {"sets", e.sets},
                   {"empty_sets", e.empty_sets},
                   {"mean_size", e.mean_size},
                   {"log_z_lower", json_number(e.log_z_lower)},
                   {"log_z_upper", json_number(e.log_z_upper)},
                   {"log_z_exact", e.log_z_exact},
                   {"log_likelihood_all_sets", json_of(e.over_all_sets)},
                   {"log_likelihood_non_empty_sets", json_of(e.over_non_empty_sets)},
                   {"prediction_by_gain", json_of(e.hidden.by_gain)},
                   {"prediction_by_popularity", json_of(e.hidden.by_popularity)},
                   {"prediction_by_co_occurrence", json_of(e.hidden.by_co_occurrence)},
                   {"gain_less_popularity", json_of(e.hidden.over_popularity)},
                   {"gain_less_co_occurrence", json_of(e.hidden.over_co_occurrence)},
                   {"calibration", calibration},
                   {"seconds", e.seconds}}));
}

std::string evaluation_csv(const Evaluation& e) {
  CsvTable csv{"measure", "scorer", "lower", "upper", "standard_error", "count"};
  const auto row = [&](std::string_view measure, std::string_view scorer, Interval value,
                       double error, Index count) {
    csv.add(measure, scorer, value.low, value.high, error, count);
  };
  if (e.over_all_sets)
    row("log_likelihood_all_sets", "model", e.over_all_sets->log_likelihood(),
        e.over_all_sets->value.standard_error, e.over_all_sets->value.count);
  if (e.over_non_empty_sets)
    row("log_likelihood_non_empty_sets", "model", e.over_non_empty_sets->log_likelihood(),
        e.over_non_empty_sets->value.standard_error, e.over_non_empty_sets->value.count);
  const auto predicted = [&](const ItemPrediction& found, std::string_view scorer) {
    const auto mean = [&](std::string_view measure, const MeanEstimate& estimate) {
      if (estimate.count > 0)
        row(measure, scorer, {estimate.mean, estimate.mean}, estimate.standard_error,
            estimate.count);
    };
    for (const auto& hit : found.hits) mean(fmt::format("hit_rate_at_{}", hit.at), hit.rate);
    mean("mean_reciprocal_rank", found.reciprocal_rank);
    mean("mean_rank", found.rank);
    mean("ndcg", found.ndcg);
    if (found.sets > 0)
      row("coverage", scorer, {found.coverage, found.coverage}, INFINITY, found.sets);
  };
  const auto predicted_by = [&](const std::optional<ItemPrediction>& found, std::string_view by) {
    if (found) predicted(*found, by);
  };
  predicted(e.hidden.by_gain, "gain");
  predicted_by(e.hidden.by_popularity, "popularity");
  predicted_by(e.hidden.by_co_occurrence, "co-occurrence");
  predicted_by(e.hidden.over_popularity, "gain - popularity");
  predicted_by(e.hidden.over_co_occurrence, "gain - co-occurrence");
  if (e.calibration) {
    const auto point = [&](std::string_view measure, double value) {
      row(measure, "model", {value, value}, INFINITY, e.calibration->sets);
    };
    point("expected_calibration_error", e.calibration->expected_error);
    point("worst_bin_error", e.calibration->worst_bin_error);
    point("mean_square_z", e.calibration->mean_square_z);
  }
  return csv.text();
}

}  // namespace surefield
