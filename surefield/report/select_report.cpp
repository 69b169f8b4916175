#include "surefield/report/select_report.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

std::string_view name_of(SelectOptions::By by) {
  return by == SelectOptions::By::kBoth        ? "both"
         : by == SelectOptions::By::kAgreement ? "agreement"
                                               : "likelihood";
}

OrderedJson place_of(const SelectRow& row) {
  return {{"dims", row.dimensions}, {"beta", row.inverse_temperature}};
}

/// null where no row has the measure.
OrderedJson choice(const std::optional<Choice>& choice, const std::vector<SelectRow>& rows) {
  if (!choice) return nullptr;
  OrderedJson rivals = OrderedJson::array();
  for (const Index c : choice->rivals) rivals.push_back(place_of(rows[c]));
  return {{"best", place_of(rows[choice->best])}, {"not_told_apart", rivals}};
}

/// Three numbers, or three times null where nothing is certified.
void put_measure(OrderedJson& json, const std::string& name, const std::optional<Summary>& value) {
  json[name + "_lower"] = value ? OrderedJson(value->mean.low) : OrderedJson();
  json[name + "_upper"] = value ? OrderedJson(value->mean.high) : OrderedJson();
  json[name + "_standard_error"] = value ? json_number(value->standard_error) : OrderedJson();
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
  TextTable table({{""},
                   {"D"},
                   {"beta"},
                   {"agreement from"},
                   {"to"},
                   {"+-"},
                   {"likelihood from"},
                   {"to"},
                   {"+-"},
                   {"seconds"}});
  for (std::size_t k = 0; k < result.rows.size(); ++k) {
    const auto& row = result.rows[k];
    const bool agreement = result.by_agreement && k == result.by_agreement->best,
               likelihood = result.by_likelihood && k == result.by_likelihood->best;
    std::vector<std::string> cells{std::string(agreement ? "a" : " ") + (likelihood ? "l" : " "),
                                   fmt::format("{}", row.dimensions),
                                   fmt::format("{:.4g}", row.inverse_temperature)};
    for (const auto* measure : {&row.agreement, &row.likelihood}) {
      cells.push_back(*measure ? round_down_text((*measure)->mean.low, 4) : "not certified");
      cells.push_back(*measure ? round_up_text((*measure)->mean.high, 4) : "-");
      cells.push_back(*measure ? spread((*measure)->standard_error) : "-");
    }
    cells.push_back(fmt::format("{:.2f}", row.seconds));
    table.add(cells);
  }
  out += table.text();
  for (const auto& note : result.notes) put("\nnote: {}\n", note);
  out +=
      "\na, l: the best by posterior agreement, by held-out likelihood. From and to are the "
      "certified interval of a "
      "mean in nats, over pairs of\n"
      "folds or per held-out set; +- is one standard error over folds (jackknife).\n";
  return out;
}

std::string select_json(const SelectResult& result) {
  OrderedJson rows = OrderedJson::array();
  for (const auto& row : result.rows) {
    OrderedJson json = place_of(row);
    put_measure(json, "pa", row.agreement);
    put_measure(json, "log_likelihood", row.likelihood);
    json["seconds"] = row.seconds;
    rows.push_back(std::move(json));
  }
  OrderedJson json = json_answer(
      "select",
      {{"data", {{"sets", result.sets}, {"items", result.items}, {"folds", result.folds}}},
       {"by", name_of(result.by)},
       {"verdict", result.verdict},
       {"notes", result.notes},
       {"complete", result.complete},
       {"decided", result.decided},
       {"winner", nullptr},
       {"rows", rows},
       {"seconds", result.seconds}});
  if (!result.rows.empty()) {
    if (result.decided) json["winner"] = place_of(result.rows[result.winner]);
    json["left"] = OrderedJson::array();
    for (const Index row : result.left) json["left"].push_back(place_of(result.rows[row]));
    json["plainest"] = place_of(result.rows[result.winner]);
    json["by_agreement"] = choice(result.by_agreement, result.rows);
    json["by_likelihood"] = choice(result.by_likelihood, result.rows);
  }
  return json_text(json);
}

std::string select_csv(const SelectResult& result) {
  CsvTable csv{"dims",
               "beta",
               "pa_lower",
               "pa_upper",
               "pa_standard_error",
               "log_likelihood_lower",
               "log_likelihood_upper",
               "log_likelihood_standard_error",
               "seconds"};
  using Number = std::optional<double>;
  const auto low = [](const auto& m) { return m ? Number(m->mean.low) : Number(); };
  const auto high = [](const auto& m) { return m ? Number(m->mean.high) : Number(); };
  const auto error = [](const auto& m) { return m ? m->standard_error : Number(); };
  for (const auto& row : result.rows)
    csv.add(row.dimensions, row.inverse_temperature, low(row.agreement), high(row.agreement),
            error(row.agreement), low(row.likelihood), high(row.likelihood), error(row.likelihood),
            row.seconds);
  return csv.text();
}

}  // namespace surefield
