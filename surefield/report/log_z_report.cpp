#include "surefield/report/log_z_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "surefield/report/result_csv.hpp"

namespace surefield {

namespace {

/// Control characters would let a file write over the user's terminal.
std::string name_of(const LogZResult& result, std::size_t i) {
  std::string name = result.names.empty() ? fmt::format("{}", i) : result.names[i];
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return name;
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
  out += result.marginals_exact ? "  marginal   item\n" : "  at least   at most    item\n";
  for (const std::size_t i : shown) {
    const auto [low, high] = result.marginals[i];
    // An end is rounded outwards, so that what is printed is still a bound.
    out += result.marginals_exact ? fmt::format("  {:.7f}", low)
                                  : fmt::format("  {:.7f}  {:.7f}", std::floor(low * 1e7) / 1e7,
                                                std::ceil(high * 1e7) / 1e7);
    out += fmt::format("  {}\n", name_of(result, i));
  }
  if (shown.size() < result.marginals.size())
    out += fmt::format("  ... and {} more (--top 0 shows all)\n",
                       result.marginals.size() - shown.size());
  return out;
}

std::string marginals_csv(const LogZResult& result) {
  std::string out = "index,item,lower,upper\n";
  for (std::size_t i = 0; i < result.marginals.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{},{},{:.17g},{:.17g}\n", i,
                   result.names.empty() ? "" : csv_field(result.names[i]), result.marginals[i].low,
                   result.marginals[i].high);
  return out;
}

}  // namespace

std::string log_z_text(const LogZResult& result, std::size_t most_items) {
  std::string out;
  const auto put = [&](std::string_view form, const auto&... parts) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(parts...));
  };
  const auto end = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.9f}", *value) : std::string("not known");
  };
  if (result.exact)
    put("log Z = {}, exact\n", end(result.lower));
  else
    put("log Z from {} to {}, certified\n", end(result.lower), end(result.upper));
  put("{}, n = {}, natural logarithm, {:.3g} s\n\n", result.model_kind, result.items,
      result.seconds);
  put("  {:<30}{:<10}{:>16}{:>12}\n", "method", "side", "value", "seconds");
  for (const auto& value : result.values)
    put("  {:<30}{:<10}{:>16.9f}{:>12.6f}{}\n", value.method, text_of(value.side), value.value,
        value.seconds,
        value.side == Side::kEstimate ? fmt::format("  +- {:.2g}", value.standard_error)
                                      : std::string());
  std::string last;
  for (const auto& [method, reason] : result.refused) {
    put("  {:<30}does not apply: {}\n", method, reason == last ? "for the same reason" : reason);
    last = reason;
  }
  if (result.marginals_wanted) out += marginals_text(result, most_items);
  return out;
}

std::string log_z_json(const LogZResult& result) {
  using Json = nlohmann::ordered_json;
  Json values = Json::array();
  for (const auto& value : result.values) {
    values.push_back({{"method", value.method},
                      {"side", text_of(value.side)},
                      {"value", value.value},
                      {"seconds", value.seconds}});
    if (value.side == Side::kEstimate) values.back()["standard_error"] = value.standard_error;
  }
  Json refused = Json::array();
  for (const auto& [method, reason] : result.refused)
    refused.push_back({{"method", method}, {"reason", reason}});
  Json json{{"surefield", "1"},
            {"command", "logz"},
            {"model", {{"kind", result.model_kind}, {"n", result.items}, {"items", result.names}}},
            {"log_z_lower", result.lower ? Json(*result.lower) : Json(nullptr)},
            {"log_z_upper", result.upper ? Json(*result.upper) : Json(nullptr)},
            {"log_z_exact", result.exact},
            {"methods", values},
            {"refused", refused},
            {"seconds", result.seconds}};
  if (result.marginals_wanted) {
    const bool known = !result.marginals_method.empty();
    Json low = Json::array(), high = Json::array();
    for (const auto& [least, most] : result.marginals) {
      low.push_back(least);
      high.push_back(most);
    }
    json["marginals_lower"] = known ? low : Json(nullptr);
    json["marginals_upper"] = known ? high : Json(nullptr);
    json["marginals_exact"] = result.marginals_exact;
    json["marginals_method"] = known ? Json(result.marginals_method) : Json(nullptr);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string log_z_csv(const LogZResult& result) {
  if (result.marginals_wanted) return marginals_csv(result);
  std::string out = "method,side,value,standard_error,seconds\n";
  for (const auto& value : result.values)
    fmt::format_to(std::back_inserter(out), "{},{},{:.17g},{:.6g},{:.6f}\n",
                   csv_field(value.method), text_of(value.side), value.value, value.standard_error,
                   value.seconds);
  return out;
}

}  // namespace surefield
