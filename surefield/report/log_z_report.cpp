#include "surefield/report/log_z_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include <vector>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {

namespace {

std::string name_of(const LogZResult& result, std::size_t i) {
  return result.names.empty() ? fmt::format("{}", i) : result.names[i];
}

/// A bound is rounded outwards, so that what is printed is still a bound.
std::string value_text(const LogZValue& value) {
  return value.side == Side::kLower   ? round_down_text(value.value, 9)
         : value.side == Side::kUpper ? round_up_text(value.value, 9)
                                      : fmt::format("{:.9f}", value.value);
}

std::string marginals_text(const LogZResult& result, std::size_t most_items) {
  if (result.marginals_method.empty())
    return "\nmarginals: no method that applies to this model gives any\n";
  std::string out = fmt::format("\nmarginals P(item in S), {} by {}\n\n",
                                result.marginals_exact ? "exact" : "certified intervals",
                                result.marginals_method);
  std::vector<std::size_t> shown(result.marginals.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (most_items > 0) {
    std::ranges::stable_sort(shown, std::ranges::greater(), [&](std::size_t i) {
      return result.marginals[i].low + result.marginals[i].high;
    });
    shown.resize(std::min(shown.size(), most_items));
  }
  std::vector<TextTable::Column> columns{{"marginal"}};
  if (!result.marginals_exact) columns = {{"at least"}, {"at most"}};
  columns.push_back({"item", TextTable::Side::kLeft});
  TextTable table(std::move(columns));
  for (const std::size_t i : shown) {
    const auto [low, high] = result.marginals[i];
    if (result.marginals_exact)
      table.add({fmt::format("{:.7f}", low), name_of(result, i)});
    else
      table.add({round_down_text(low, 7), round_up_text(high, 7), name_of(result, i)});
  }
  if (shown.size() < result.marginals.size())
    table.add_line(
        fmt::format("... and {} more (--top 0 shows all)", result.marginals.size() - shown.size()));
  return out + table.text();
}

/// Of an estimate its standard error, of an exact value what rounding can have done to it.
std::string error_text(const LogZValue& value) {
  if (value.side == Side::kEstimate) return fmt::format("{:.2g}", value.standard_error);
  return value.side == Side::kExact && value.error > 0 ? round_up_significant(value.error, 2) : "";
}

std::string marginals_csv(const LogZResult& result) {
  CsvTable csv{"index", "item", "lower", "upper"};
  for (std::size_t i = 0; i < result.marginals.size(); ++i)
    csv.add(i, result.names.empty() ? "" : result.names[i], result.marginals[i].low,
            result.marginals[i].high);
  return csv.text();
}

}  // namespace

std::string log_z_text(const LogZResult& result, std::size_t most_items) {
  std::string out;
  const auto put = [&](std::string_view form, const auto&... parts) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(parts...));
  };
  if (!result.failure.empty())
    put("log Z: {}\n", result.failure);
  else if (result.exact)
    put("log Z = {:.9f}, exact\n", result.value);
  else
    put("log Z from {} to {}{}\n", round_down_text(result.lower, 9), round_up_text(result.upper, 9),
        !result.is_bounded()                      ? ""
        : result.basis == Basis::kProved          ? ", certified"
        : result.basis == Basis::kAssumesRounding ? ", certified up to rounding, which is assumed"
                                                  : ", if F is submodular, which is assumed");
  put("{}, n = {}, natural logarithm, {:.3g} s\n\n", result.model_kind, result.items,
      result.seconds);
  TextTable table({{"method", TextTable::Side::kLeft},
                   {"side", TextTable::Side::kLeft},
                   {"value"},
                   {"+-"},
                   {"seconds"}});
  for (const auto& value : result.values)
    table.add({value.method + (value.outside ? " (outside what is proved)" : ""),
               std::string(text_of(value.side)), value_text(value), error_text(value),
               fmt::format("{:.6f}", value.seconds)});
  out += table.text();
  std::vector<std::pair<std::string, std::string>> refused;
  std::string last;
  for (const auto& [method, reason] : result.refused) {
    refused.emplace_back(method,
                         "does not apply: " + (reason == last ? "for the same reason" : reason));
    last = reason;
  }
  out += two_columns(refused);
  if (result.marginals_wanted) out += marginals_text(result, most_items);
  return out;
}

std::string log_z_json(const LogZResult& result) {
  OrderedJson values = OrderedJson::array();
  for (const auto& value : result.values) {
    values.push_back({{"method", value.method},
                      {"side", text_of(value.side)},
                      {"value", value.value},
                      {"seconds", value.seconds}});
    if (value.side == Side::kEstimate) {
      values.back()["standard_error"] = value.standard_error;
      values.back()["outside"] = value.outside;
    }
    if (value.side == Side::kExact) values.back()["error"] = json_number(value.error);
  }
  OrderedJson refused = OrderedJson::array();
  for (const auto& [method, reason] : result.refused)
    refused.push_back({{"method", method}, {"reason", reason}});
  OrderedJson json = json_answer(
      "logz",
      {{"model", {{"kind", result.model_kind}, {"n", result.items}, {"items", result.names}}},
       {"log_z_lower", json_number(result.lower)},
       {"log_z_upper", json_number(result.upper)},
       {"log_z_exact", result.exact},
       {"log_z_method", result.method()},
       {"basis", text_of(result.basis)},
       {"failure", result.failure.empty() ? OrderedJson() : OrderedJson(result.failure)},
       {"methods", values},
       {"refused", refused},
       {"seconds", result.seconds}});
  if (result.marginals_wanted) {
    const bool known = !result.marginals_method.empty();
    OrderedJson low = OrderedJson::array(), high = OrderedJson::array();
    for (const auto& [least, most] : result.marginals) {
      low.push_back(least);
      high.push_back(most);
    }
    json["marginals_lower"] = known ? low : OrderedJson(nullptr);
    json["marginals_upper"] = known ? high : OrderedJson(nullptr);
    json["marginals_exact"] = result.marginals_exact;
    json["marginals_method"] = known ? OrderedJson(result.marginals_method) : OrderedJson(nullptr);
  }
  return json_text(json);
}

std::string log_z_csv(const LogZResult& result) {
  if (result.marginals_wanted) return marginals_csv(result);
  CsvTable csv{"method", "side", "value", "standard_error", "seconds"};
  for (const auto& value : result.values)
    csv.add(value.method, text_of(value.side), value.value, value.standard_error, value.seconds);
  return csv.text();
}

}  // namespace surefield
