// What was learned from the registries, summed up over folds, as text, CSV and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/registries.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

double middle(const Interval& in) { return (in.low + in.high) / 2; }

/// The mean interval of the folds, if every one has one.
template <class Rows, class Part>
std::optional<Interval> mean_interval(const Rows& rows, Part part) {
  Interval sum{0, 0};
  for (const RegistryFold* row : rows) {
    const std::optional<Interval>& in = part(*row);
    if (!in) return std::nullopt;
    sum.low += in->low / static_cast<double>(rows.size());
    sum.high += in->high / static_cast<double>(rows.size());
  }
  return sum;
}

template <class Rows, class Part>
MeanEstimate mean_over(const Rows& rows, Part part) {
  std::vector<double> values;
  for (const RegistryFold* row : rows) values.push_back(part(*row));
  return mean_of(values);
}

std::string name_of(const RegistrySummary& row) {
  if (row.learner == "flid") return fmt::format("flid D={}", row.dimensions);
  return row.picked.empty() ? row.learner : fmt::format("{} ({})", row.learner, row.picked);
}

/// Families with their folds, the most frequent first.
template <class Rows>
std::string picks_of(const Rows& rows) {
  std::map<std::string, Index> times;
  for (const RegistryFold* row : rows)
    if (!row->picked.empty()) ++times[row->picked];
  std::vector<std::pair<std::string, Index>> order(times.begin(), times.end());
  std::ranges::stable_sort(order, std::greater{}, &std::pair<std::string, Index>::second);
  std::string text;
  for (const auto& [name, count] : order)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  return text;
}

std::string with_error(const MeanEstimate& estimate, int digits) {
  if (estimate.count == 0) return "-";
  return std::isfinite(estimate.standard_error)
             ? fmt::format("{:.{}f} +- {:.{}f}", estimate.mean, digits, estimate.standard_error,
                           digits)
             : fmt::format("{:.{}f}", estimate.mean, digits);
}

/// Two ends in one cell: one number where they agree to three digits after the point.
std::string cell(const std::optional<Interval>& in) {
  if (!in) return "-";
  const std::string low = fmt::format("{:.3f}", in->low);
  const std::string high = fmt::format("{:.3f}", in->high);
  return low == high ? low : low + " to " + high;
}

OrderedJson json_of(const MeanEstimate& estimate) {
  if (estimate.count == 0) return nullptr;
  return {{"mean", json_number(estimate.mean)},
          {"standard_error", json_number(estimate.standard_error)}};
}

}  // namespace

std::vector<RegistrySummary> summaries(const RegistryStudy& study) {
  std::vector<RegistrySummary> result;
  std::vector<std::vector<const RegistryFold*>> groups;
  std::map<std::tuple<std::string, std::string, Index>, const RegistryFold*> base;
  for (const auto& row : study.rows) {
    base[{row.category, row.learner, row.fold}] = &row;
    if (groups.empty() || groups.back().front()->category != row.category ||
        groups.back().front()->learner != row.learner ||
        groups.back().front()->dimensions != row.dimensions)
      groups.emplace_back();
    groups.back().push_back(&row);
  }
  for (const auto& rows : groups) {
    const RegistryFold& first = *rows.front();
    RegistrySummary sum;
    sum.category = first.category;
    sum.learner = first.learner;
    sum.items = first.items;
    sum.sets = first.sets;
    sum.dimensions = first.dimensions;
    sum.folds = rows.size();
    sum.picked = picks_of(rows);
    sum.all_sets = mean_interval(rows, [](const RegistryFold& r) { return r.all_sets; });
    sum.non_empty = mean_interval(rows, [](const RegistryFold& r) { return r.non_empty; });
    std::vector<double> middles;
    for (const RegistryFold* row : rows)
      if (row->non_empty) middles.push_back(middle(*row->non_empty));
    sum.non_empty_middle = mean_of(middles);
    const auto gain_over = [&](const std::string& learner) {
      std::vector<double> gains;
      for (const RegistryFold* row : rows) {
        const auto found = base.find({row->category, learner, row->fold});
        if (row->non_empty && found != base.end() && found->second->non_empty)
          gains.push_back(middle(*row->non_empty) - middle(*found->second->non_empty));
      }
      return mean_of(gains);
    };
    sum.gain_over_modular = gain_over("modular");
    sum.gain_over_modular_non_empty = gain_over("modular-non-empty");
    sum.hit_rate_at_5 = mean_over(rows, [](const RegistryFold& r) { return r.hit_rate_at_5; });
    sum.reciprocal_rank = mean_over(rows, [](const RegistryFold& r) { return r.reciprocal_rank; });
    result.push_back(std::move(sum));
  }
  return result;
}

std::string registry_study_text(const RegistryStudy& study) {
  std::string out = fmt::format(
      "Held-out registries, {} folds. Log-likelihood: mean a set, in nats, certified; gains are "
      "fold "
      "by fold, given that\na set is not empty, over modular and over modular fitted to non-empty "
      "sets. Errors are standard errors over folds.\n",
      study.folds);
  std::string category;
  std::optional<TextTable> table;
  for (const auto& row : summaries(study)) {
    if (row.category != category) {
      if (table) out += table->text();
      category = row.category;
      out += fmt::format("\n{}, n = {}, {} sets\n", category, row.items, row.sets);
      table.emplace(std::vector<TextTable::Column>{{"", TextTable::Side::kLeft},
                                                   {"given not empty", TextTable::Side::kLeft},
                                                   {"all sets", TextTable::Side::kLeft},
                                                   {"gain", TextTable::Side::kLeft},
                                                   {"gain, non-empty", TextTable::Side::kLeft},
                                                   {"hit rate at 5", TextTable::Side::kLeft},
                                                   {"reciprocal rank", TextTable::Side::kLeft}});
    }
    table->add({name_of(row), cell(row.non_empty), cell(row.all_sets),
                with_error(row.gain_over_modular, 4),
                with_error(row.gain_over_modular_non_empty, 4), with_error(row.hit_rate_at_5, 4),
                with_error(row.reciprocal_rank, 4)});
  }
  if (table) out += table->text();
  for (const auto& fault : study.faults) out += fmt::format("not judged: {}\n", fault);
  if (!study.complete) out += "stopped early: folds are missing\n";
  return out;
}

std::string registry_study_csv(const RegistryStudy& study) {
  CsvTable csv{"category",
               "n",
               "sets",
               "learner",
               "D",
               "picked",
               "fold",
               "log_likelihood_lower",
               "log_likelihood_upper",
               "non_empty_lower",
               "non_empty_upper",
               "hit_rate_at_1",
               "hit_rate_at_5",
               "hit_rate_at_10",
               "mean_reciprocal_rank",
               "training_seconds"};
  const auto low = [](const std::optional<Interval>& in) { return in ? in->low : NAN; };
  const auto high = [](const std::optional<Interval>& in) { return in ? in->high : NAN; };
  for (const auto& r : study.rows)
    csv.add(r.category, r.items, r.sets, r.learner, r.dimensions, r.picked, r.fold, low(r.all_sets),
            high(r.all_sets), low(r.non_empty), high(r.non_empty), r.hit_rate_at_1, r.hit_rate_at_5,
            r.hit_rate_at_10, r.reciprocal_rank, r.seconds);
  return csv.text();
}

std::string registry_study_json(const RegistryStudy& study) {
  OrderedJson rows = OrderedJson::array();
  for (const auto& row : summaries(study))
    rows.push_back({{"category", row.category},
                    {"n", row.items},
                    {"sets", row.sets},
                    {"learner", row.learner},
                    {"D", row.dimensions},
                    {"picked", row.picked},
                    {"folds", row.folds},
                    {"log_likelihood", json_interval(row.all_sets)},
                    {"log_likelihood_non_empty", json_interval(row.non_empty)},
                    {"non_empty_middle", json_of(row.non_empty_middle)},
                    {"gain_over_modular", json_of(row.gain_over_modular)},
                    {"gain_over_modular_non_empty", json_of(row.gain_over_modular_non_empty)},
                    {"hit_rate_at_5", json_of(row.hit_rate_at_5)},
                    {"mean_reciprocal_rank", json_of(row.reciprocal_rank)}});
  OrderedJson json = experiment_json({.experiment = "registries",
                                      .complete = study.complete,
                                      .faults = study.faults,
                                      .seconds = study.seconds});
  json["folds"] = study.folds;
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
