#include <fmt/format.h>

#include <algorithm>

#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/synthetic.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

template <class T>
void add_new(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

/// An algorithm a row, a dimension a column, for one n.
std::string values_table(const Synthetic& synthetic, Index items) {
  std::vector<std::string_view> algorithms;
  for (const auto& row : synthetic.values) add_new(algorithms, row.algorithm);
  std::vector<TextTable::Column> columns{{"D", TextTable::Side::kLeft}};
  std::vector<Index> dimensions;
  for (const auto& row : synthetic.log_z)
    if (row.items == items) {
      dimensions.push_back(row.dimensions);
      columns.push_back({fmt::format("{}", row.dimensions)});
    }
  TextTable table(columns);
  const auto add_row = [&](std::string_view name, const std::vector<SyntheticValue>& rows) {
    std::vector<std::string> cells{std::string(name)};
    cells.resize(columns.size());  // a run that was stopped has not all of them
    for (const auto& row : rows)
      if (row.items == items && row.algorithm == name)
        for (std::size_t d = 0; d < dimensions.size(); ++d)
          if (dimensions[d] == row.dimensions)
            cells[d + 1] = fmt::format("{:.3f}+-{:.3f}", row.mean, row.deviation);
    table.add(std::move(cells));
  };
  for (const auto name : algorithms) add_row(name, synthetic.values);
  add_row("log Z", synthetic.log_z);
  return fmt::format("n = {}\n{}\n", items, table.text());
}

OrderedJson rows_json(const std::vector<SyntheticValue>& rows, bool named) {
  OrderedJson list = OrderedJson::array();
  for (const auto& row : rows) {
    OrderedJson json{{"n", row.items}, {"D", row.dimensions}};
    if (named) json["algorithm"] = row.algorithm;
    json["mean"] = json_number(row.mean);
    json["std"] = json_number(row.deviation);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

std::string synthetic_text(const Synthetic& synthetic) {
  std::string out = fmt::format(
      "synthetic FLID, W ~ U(0,1), u ~ 0.1 D U(0,1): mean and deviation of {} repeats, seed {}\n\n",
      synthetic.repeats, synthetic.seed);
  std::vector<Index> sizes;
  for (const auto& row : synthetic.log_z) add_new(sizes, row.items);
  for (const Index items : sizes) out += values_table(synthetic, items);
  out += "trajectories of the first repeat\n\n" + charts_text(synthetic.charts);
  out += fmt::format("{:.1f} s\n", synthetic.seconds);
  if (!synthetic.complete) out += "stopped early: the experiment is not complete\n";
  return out;
}

std::string synthetic_csv(const Synthetic& synthetic) {
  CsvTable csv{"n", "D", "algorithm", "mean", "std"};
  for (const auto* rows : {&synthetic.values, &synthetic.log_z})
    for (const auto& row : *rows)
      csv.add(row.items, row.dimensions, row.algorithm, row.mean, row.deviation);
  return csv.text() + charts_csv(synthetic.charts);
}

std::string synthetic_json(const Synthetic& synthetic) {
  OrderedJson json = experiment_json(
      {.experiment = "synthetic", .complete = synthetic.complete, .seconds = synthetic.seconds});
  json["seed"] = synthetic.seed;
  json["repeats"] = synthetic.repeats;
  json["charts"] = json_charts(synthetic.charts);
  json["values"] = rows_json(synthetic.values, true);
  json["log_z"] = rows_json(synthetic.log_z, false);
  return json_text(json);
}

}  // namespace surefield
