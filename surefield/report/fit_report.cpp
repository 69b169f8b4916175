#include "surefield/report/fit_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "surefield/report/json_number.hpp"
#include "surefield/report/result_csv.hpp"

namespace surefield {
namespace {

using Json = nlohmann::ordered_json;

std::string field(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.17g}", *value) : "";
}

std::string between(double lower, double upper) {
  return upper - lower < 5e-5 ? fmt::format("{:.4f}", lower)
                              : fmt::format("{:.4f} to {:.4f}", lower, upper);
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
    out += fmt::format(", log Z {} {:.4f}", fit.model_name == "flid" ? "estimated at" : "is",
                       *fit.log_z_estimate);
  out += fmt::format(", {:.2f} s\n", fit.seconds);
  if (fit.model_name == "flid" && fit.empty_sets > 0)
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
  return out;
}

std::string fit_json(std::span<const FitEntry> entries, const SetStatistics& statistics,
                     std::uint64_t seed) {
  Json models = Json::array();
  for (const auto& entry : entries) {
    const FitResult& fit = entry.fit;
    Json epochs = Json::array();
    for (const auto& epoch : fit.trace)
      epochs.push_back({{"epoch", epoch.epoch},
                        {"training", json_number(epoch.training)},
                        {"watched", json_number(epoch.watched)}});
    Json held_out = nullptr;
    if (const auto& found = entry.held_out)
      held_out = {{"sets", found->sets},
                  {"log_likelihood_lower", json_number(found->lower)},
                  {"log_likelihood_upper", json_number(found->upper)},
                  {"not_empty_lower", json_number(found->lower_not_empty)},
                  {"not_empty_upper", json_number(found->upper_not_empty)}};
    models.push_back({{"path", entry.path.empty() ? Json(nullptr) : Json(entry.path)},
                      {"fold", entry.fold ? Json(*entry.fold) : Json(nullptr)},
                      {"kind", kind_of(fit.model)},
                      {"model", fit.model_name},
                      {"method", fit.method},
                      {"sets", fit.sets},
                      {"status", text_of(fit.status)},
                      {"passes", fit.passes},
                      {"best_epoch", fit.best_epoch},
                      {"log_z_estimate", json_number(fit.log_z_estimate)},
                      {"held_out", held_out},
                      {"seconds", fit.seconds},
                      {"trace", epochs}});
  }
  return Json{{"surefield", "1"},
              {"command", "fit"},
              {"data",
               {{"sets", statistics.sets},
                {"items", statistics.items},
                {"distinct_sets", statistics.distinct_sets},
                {"empty_sets", statistics.empty_sets},
                {"never_seen", statistics.never_seen},
                {"mean_size", statistics.mean_size},
                {"median_size", statistics.median_size},
                {"largest_size", statistics.largest_size}}},
              {"seed", seed},
              {"models", models}}
             .dump(2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string fit_csv(std::span<const FitEntry> entries) {
  std::string out =
      "path,fold,model,method,sets,status,passes,log_z_estimate,held_out_sets,log_likelihood_lower,"
      "log_likelihood_upper,not_empty_lower,not_empty_upper,seconds\n";
  for (const auto& entry : entries) {
    const FitResult& fit = entry.fit;
    const auto& held_out = entry.held_out;
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},", csv_field(entry.path),
                   entry.fold ? fmt::format("{}", *entry.fold) : "", fit.model_name, fit.method,
                   fit.sets, csv_field(text_of(fit.status)), fit.passes, field(fit.log_z_estimate));
    if (held_out)
      fmt::format_to(std::back_inserter(out), "{},{},{},{},{},", held_out->sets,
                     field(held_out->lower), field(held_out->upper),
                     field(held_out->lower_not_empty), field(held_out->upper_not_empty));
    else
      out += ",,,,,";
    out += fmt::format("{:.6f}\n", fit.seconds);
  }
  return out;
}

}  // namespace surefield
