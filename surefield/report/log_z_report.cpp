#include "surefield/report/log_z_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "surefield/report/result_csv.hpp"

namespace surefield {

std::string log_z_text(const LogZResult& result) {
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
  for (const auto& [method, reason] : result.refused)
    put("  {:<30}does not apply: {}\n", method, reason);
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
  const Json json{{"surefield", "1"},
                  {"command", "logz"},
                  {"model", {{"kind", result.model_kind}, {"n", result.items}}},
                  {"log_z_lower", result.lower ? Json(*result.lower) : Json(nullptr)},
                  {"log_z_upper", result.upper ? Json(*result.upper) : Json(nullptr)},
                  {"log_z_exact", result.exact},
                  {"methods", values},
                  {"refused", refused},
                  {"seconds", result.seconds}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string log_z_csv(const LogZResult& result) {
  std::string out = "method,side,value,standard_error,seconds\n";
  for (const auto& value : result.values)
    fmt::format_to(std::back_inserter(out), "{},{},{:.17g},{:.6g},{:.6f}\n",
                   csv_field(value.method), text_of(value.side), value.value, value.standard_error,
                   value.seconds);
  return out;
}

}  // namespace surefield
