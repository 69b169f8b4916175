#include "surefield/report/select_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include "surefield/report/json_number.hpp"

namespace surefield {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(SelectOptions::By by) {
  return by == SelectOptions::By::kBoth        ? "both"
         : by == SelectOptions::By::kAgreement ? "agreement"
                                               : "likelihood";
}

Json place_of(const SelectRow& row) {
  return {{"dims", row.dimensions}, {"beta", row.inverse_temperature}};
}

/// null where no row has the measure.
Json choice(const std::optional<Choice>& choice, const std::vector<SelectRow>& rows) {
  if (!choice) return nullptr;
  Json rivals = Json::array();
  for (const Index c : choice->rivals) rivals.push_back(place_of(rows[c]));
  return {{"best", place_of(rows[choice->best])}, {"not_told_apart", rivals}};
}

/// Three numbers, or three times null where nothing is certified.
void put_measure(Json& json, const std::string& name, const std::optional<Summary>& value) {
  json[name + "_lower"] = value ? Json(value->mean.low) : Json();
  json[name + "_upper"] = value ? Json(value->mean.high) : Json();
  json[name + "_standard_error"] = value ? json_number(value->standard_error) : Json();
}

}  // namespace

std::string select_text(const SelectResult& result) {
  std::string out;
  const auto put = [&](std::string_view form, const auto&... parts) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(parts...));
  };
  const auto spread = [](const std::optional<double>& error) {
    return error ? fmt::format("{:.4f}", *error) : std::string("-");
  };
  put("{}\n", result.verdict);
  put("{} sets of {} items, {} folds, {:.3g} s\n\n", result.sets, result.items, result.folds,
      result.seconds);
  put("     {:>3}  {:>5}  {:>21}  {:>7}  {:>21}  {:>7}  {:>7}\n", "D", "beta",
      "posterior agreement", "+-", "held-out likelihood", "+-", "seconds");
  const auto measure = [&](const std::optional<Summary>& value) {
    return value ? fmt::format("{:>10.4f} {:>10.4f}  {:>7}", value->mean.low, value->mean.high,
                               spread(value->standard_error))
                 : fmt::format("{:>21}  {:>7}", "not certified", "-");
  };
  for (std::size_t k = 0; k < result.rows.size(); ++k) {
    const auto& row = result.rows[k];
    const bool agreement = result.by_agreement && k == result.by_agreement->best,
               likelihood = result.by_likelihood && k == result.by_likelihood->best;
    put("  {}{} {:>3}  {:>5.4g}  {}  {}  {:>7.2f}\n", agreement ? "a" : " ", likelihood ? "l" : " ",
        row.dimensions, row.inverse_temperature, measure(row.agreement), measure(row.likelihood),
        row.seconds);
  }
  out +=
      "\na, l: the best by agreement, by likelihood. Two numbers are the certified interval of a "
      "mean in nats, over pairs of\n"
      "folds or per held-out set; +- is one standard error over folds (jackknife).\n";
  return out;
}

std::string select_json(const SelectResult& result) {
  Json rows = Json::array();
  for (const auto& row : result.rows) {
    Json json = place_of(row);
    put_measure(json, "pa", row.agreement);
    put_measure(json, "log_likelihood", row.likelihood);
    json["seconds"] = row.seconds;
    rows.push_back(std::move(json));
  }
  Json json{{"surefield", "1"},
            {"command", "select"},
            {"data", {{"sets", result.sets}, {"items", result.items}, {"folds", result.folds}}},
            {"by", name_of(result.by)},
            {"verdict", result.verdict},
            {"complete", result.complete},
            {"decided", result.decided},
            {"winner", nullptr},
            {"rows", rows},
            {"seconds", result.seconds}};
  if (!result.rows.empty()) {
    if (result.decided) json["winner"] = place_of(result.rows[result.winner]);
    json["left"] = Json::array();
    for (const Index row : result.left) json["left"].push_back(place_of(result.rows[row]));
    json["plainest"] = place_of(result.rows[result.winner]);
    json["by_agreement"] = choice(result.by_agreement, result.rows);
    json["by_likelihood"] = choice(result.by_likelihood, result.rows);
  }
  return json.dump(2) + "\n";
}

std::string select_csv(const SelectResult& result) {
  std::string out =
      "dims,beta,pa_lower,pa_upper,pa_standard_error,log_likelihood_lower,log_likelihood_upper,"
      "log_likelihood_standard_error,seconds\n";
  const auto field = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.17g}", *value) : std::string();
  };
  const auto measure = [&](const std::optional<Summary>& value) {
    return value ? fmt::format("{:.17g},{:.17g},{}", value->mean.low, value->mean.high,
                               field(value->standard_error))
                 : std::string(",,");
  };
  for (const auto& row : result.rows)
    fmt::format_to(std::back_inserter(out), "{},{:.17g},{},{},{:.6g}\n", row.dimensions,
                   row.inverse_temperature, measure(row.agreement), measure(row.likelihood),
                   row.seconds);
  return out;
}

}  // namespace surefield
