#include "surefield/report/agree_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "surefield/report/json_number.hpp"
#include "surefield/report/result_csv.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"

namespace surefield {
namespace {

using Json = nlohmann::ordered_json;

std::string text(const std::optional<double>& value) {
  return value ? fmt::format("{:.6f}", *value) : "not known";
}
std::string field(const std::optional<double>& value) {
  return value ? fmt::format("{:.17g}", *value) : "";
}
std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json json_of(const LogZResult& log_z) {
  return {{"lower", json_number(log_z.lower)},
          {"upper", json_number(log_z.upper)},
          {"exact", log_z.exact},
          {"method", log_z.method()},
          {"seconds", log_z.seconds}};
}

void put_bounds(Json& json, const AgreementBounds& bounds) {
  json["pa_lower"] = json_number(bounds.pa_lower);
  json["pa_upper"] = json_number(bounds.pa_upper);
  json["pa_exact"] = bounds.pa_exact;
  json["pa_elbo"] = json_number(bounds.pa_elbo);
  json["pa_elbo_lower"] = json_number(bounds.pa_elbo_lower);
}

std::string in_words(const std::optional<double>& lower, const std::optional<double>& upper,
                     bool exact) {
  if (exact) return fmt::format("{}, exact", text(lower));
  return fmt::format("{} to {}{}", text(lower), text(upper), lower && upper ? ", certified" : "");
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
  const auto line = [&](std::string_view name, const std::string& what) {
    fmt::format_to(std::back_inserter(out), "{:<14}{}\n", name, what);
  };
  line("PA", in_words(pa.pa_lower, pa.pa_upper, pa.pa_exact) +
                 fmt::format("; log of the mass shared at beta = {:g}",
                             answer.result.inverse_temperature));
  line("mean field",
       pa.pa_elbo_lower ? text(pa.pa_elbo_lower) + ", a lower bound of PA" : "not known");
  line("log Z'", log_z_words(answer.first) + fmt::format(" of {}", names[0]));
  line("log Z''", log_z_words(answer.second) + fmt::format(" of {}", names[1]));
  line("log Z+", log_z_words(answer.both) + " of the sum");
  out += "\nthe PA distribution p'(S) p''(S), its elbo the PA-ELBO:\n";
  return out + result_text(answer.result, most_items);
}

std::string agree_json(const AgreeResult& answer, std::span<const std::string> names) {
  Json json = Json::parse(result_json(answer.result));
  put_bounds(json, answer.bounds);
  json["models"] = Json::array();
  json["models"].push_back({{"name", names[0]}, {"log_z", json_of(answer.first)}});
  json["models"].push_back({{"name", names[1]}, {"log_z", json_of(answer.second)}});
  return dumped(json);
}

std::string agree_pairs_text(std::span<const AgreePairs> tables,
                             std::span<const std::string> names) {
  std::string out;
  std::size_t wide = 6;
  for (const auto& name : names) wide = std::max(wide, name.size());
  for (const AgreePairs& table : tables) {
    if (!out.empty()) out += '\n';
    fmt::format_to(std::back_inserter(out),
                   "mean PA {} over {} pairs at beta = {:g}; widest interval {:.3g}; {:.3g} s\n\n",
                   in_words(table.mean_lower, table.mean_upper, table.exact), table.rows.size(),
                   table.inverse_temperature, table.width(), table.seconds);
    fmt::format_to(std::back_inserter(out), "  {:<{}}  {:<{}}  {:>12} {:>12} {:>12} {:>12} {:>9}\n",
                   "first", wide, "second", wide, "PA lower", "PA upper", "mean field", "PA-ELBO",
                   "seconds");
    for (const auto& [first, second, pa, seconds] : table.rows)
      fmt::format_to(std::back_inserter(out),
                     "  {:<{}}  {:<{}}  {:>12} {:>12} {:>12} {:>12} {:>9.3g}\n", names[first], wide,
                     names[second], wide, text(pa.pa_lower), text(pa.pa_upper),
                     text(pa.pa_elbo_lower), text(pa.pa_elbo), seconds);
  }
  return out + best_of(tables);
}

std::string agree_pairs_json(std::span<const AgreePairs> tables,
                             std::span<const std::string> names) {
  Json all = Json::array();
  for (const AgreePairs& table : tables) {
    Json models = Json::array(), pairs = Json::array();
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
  return dumped({{"surefield", "1"}, {"command", "agree"}, {"tables", all}});
}

std::string agree_pairs_csv(std::span<const AgreePairs> tables,
                            std::span<const std::string> names) {
  std::string out =
      "inverse_temperature,first,second,pa_lower,pa_upper,pa_exact,pa_elbo,pa_elbo_lower,seconds\n";
  for (const AgreePairs& table : tables)
    for (const auto& [first, second, pa, seconds] : table.rows)
      fmt::format_to(std::back_inserter(out), "{:.17g},{},{},{},{},{},{},{},{:.6f}\n",
                     table.inverse_temperature, csv_field(names[first]), csv_field(names[second]),
                     field(pa.pa_lower), field(pa.pa_upper), pa.pa_exact, field(pa.pa_elbo),
                     field(pa.pa_elbo_lower), seconds);
  return out;
}

}  // namespace surefield
