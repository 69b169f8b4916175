#include "surefield/report/agree_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

OrderedJson json_of(const LogZResult& log_z) {
  return {{"lower", json_number(log_z.lower)},
          {"upper", json_number(log_z.upper)},
          {"exact", log_z.exact},
          {"method", log_z.method()},
          {"basis", text_of(log_z.basis)},
          {"seconds", log_z.seconds}};
}

void put_bounds(OrderedJson& json, const AgreementBounds& bounds) {
  json["pa_lower"] = json_number(bounds.pa_lower);
  json["pa_upper"] = json_number(bounds.pa_upper);
  json["pa_exact"] = bounds.pa_exact;
  json["pa_elbo"] = json_number(bounds.pa_elbo);
  json["pa_elbo_lower"] = json_number(bounds.pa_elbo_lower);
}

std::string in_words(const std::optional<double>& lower, const std::optional<double>& upper,
                     bool exact) {
  if (exact && lower) return fmt::format("{:.6f}, exact", *lower);
  return fmt::format("{} to {}{}", round_down_text(lower, 6), round_up_text(upper, 6),
                     lower && upper ? ", certified" : "");
}

std::string log_z_words(const LogZResult& log_z) {
  return fmt::format("{}{}", in_words(log_z.lower, log_z.upper, log_z.exact),
                     log_z.method().empty() ? "" : " (" + log_z.method() + ")");
}

/// The inverse temperature of the largest mean, and whether the intervals leave a doubt.
std::string best_of(std::span<const AgreePairs> tables) {
  const AgreePairs* best = nullptr;
  for (const AgreePairs& table : tables)
    if (table.mean_lower && (!best || *table.mean_lower > *best->mean_lower)) best = &table;
  if (tables.size() < 2 || !best) return "";
  const bool certain = std::ranges::all_of(tables, [&](const AgreePairs& table) {
    return &table == best || (table.mean_upper && *table.mean_upper < *best->mean_lower);
  });
  return fmt::format("\nlargest mean at beta = {:g}{}\n", best->inverse_temperature,
                     certain ? ", certified" : ", but the intervals overlap");
}

}  // namespace

std::string agree_text(const AgreeResult& answer, std::span<const std::string> names,
                       std::size_t most_items) {
  const AgreementBounds& pa = answer.bounds;
  std::string out;
  out += named_line("PA", in_words(pa.pa_lower, pa.pa_upper, pa.pa_exact) +
                              fmt::format("; log of the mass shared at beta = {:g}",
                                          answer.result.inverse_temperature));
  out += named_line("mean field", round_down_text(pa.pa_elbo_lower, 6) +
                                      (pa.pa_elbo_lower ? ", a lower bound of PA" : ""));
  out += named_line("log Z'", log_z_words(answer.first) + fmt::format(" of {}", names[0]));
  out += named_line("log Z''", log_z_words(answer.second) + fmt::format(" of {}", names[1]));
  out += named_line("log Z+", log_z_words(answer.both) + " of the sum");
  out += "\nthe PA distribution p'(S) p''(S), its elbo the PA-ELBO:\n";
  return out + result_text(answer.result, most_items);
}

std::string agree_json(const AgreeResult& answer, std::span<const std::string> names) {
  OrderedJson json = OrderedJson::parse(result_json(answer.result));
  put_bounds(json, answer.bounds);
  json["models"] = OrderedJson::array();
  json["models"].push_back({{"name", names[0]}, {"log_z", json_of(answer.first)}});
  json["models"].push_back({{"name", names[1]}, {"log_z", json_of(answer.second)}});
  return json_text(json);
}

std::string agree_pairs_text(std::span<const AgreePairs> tables,
                             std::span<const std::string> names) {
  std::string out;
  for (const AgreePairs& table : tables) {
    if (!out.empty()) out += '\n';
    out += fmt::format("mean PA {} over {} pairs at beta = {:g}; widest interval {}; {:.3g} s\n\n",
                       in_words(table.mean_lower, table.mean_upper, table.exact), table.rows.size(),
                       table.inverse_temperature, round_up_significant(table.width(), 3),
                       table.seconds);
    TextTable rows({{"first", TextTable::Side::kLeft},
                    {"second", TextTable::Side::kLeft},
                    {"PA lower"},
                    {"PA upper"},
                    {"mean field"},
                    {"PA-ELBO"},
                    {"seconds"}});
    for (const auto& [first, second, pa, seconds] : table.rows)
      rows.add({names[first], names[second], round_down_text(pa.pa_lower, 6),
                round_up_text(pa.pa_upper, 6), round_down_text(pa.pa_elbo_lower, 6),
                round_down_text(pa.pa_elbo, 6), fmt::format("{:.3g}", seconds)});
    out += rows.text();
  }
  return out + best_of(tables);
}

std::string agree_pairs_json(std::span<const AgreePairs> tables,
                             std::span<const std::string> names) {
  OrderedJson all = OrderedJson::array();
  for (const AgreePairs& table : tables) {
    OrderedJson models = OrderedJson::array(), pairs = OrderedJson::array();
    for (Index i = 0; i < names.size(); ++i)
      models.push_back({{"name", names[i]}, {"log_z", json_of(table.log_z[i])}});
    for (const AgreeRow& row : table.rows) {
      pairs.push_back({{"first", row.first}, {"second", row.second}});
      put_bounds(pairs.back(), row.bounds);
      pairs.back()["seconds"] = row.seconds;
    }
    all.push_back({{"inverse_temperature", table.inverse_temperature},
                   {"mean_pa_lower", json_number(table.mean_lower)},
                   {"mean_pa_upper", json_number(table.mean_upper)},
                   {"mean_pa_elbo", json_number(table.mean_elbo)},
                   {"mean_pa_elbo_lower", json_number(table.mean_elbo_lower)},
                   {"exact", table.exact},
                   {"models", models},
                   {"pairs", pairs},
                   {"seconds", table.seconds}});
  }
  return json_text(json_answer("agree", {{"tables", all}}));
}

std::string agree_pairs_csv(std::span<const AgreePairs> tables,
                            std::span<const std::string> names) {
  CsvTable csv{
      "inverse_temperature", "first",  "second", "pa_lower", "pa_upper", "pa_exact", "pa_elbo",
      "pa_elbo_lower",       "seconds"};
  for (const AgreePairs& table : tables)
    for (const auto& [first, second, pa, seconds] : table.rows)
      csv.add(table.inverse_temperature, names[first], names[second], pa.pa_lower, pa.pa_upper,
              pa.pa_exact, pa.pa_elbo, pa.pa_elbo_lower, seconds);
  return csv.text();
}

}  // namespace surefield
