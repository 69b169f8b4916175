#include <fmt/format.h>

#include <algorithm>

#include "surefield/experiments/chart.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

constexpr std::size_t kStride = 10;  // Frank-Wolfe has ten times the epochs of the others

std::string log_z_words(const std::optional<Interval>& log_z) {
  if (!log_z) return "log Z not known";
  if (is_exact(*log_z)) return fmt::format("log Z {:.4f}, exact", log_z->low);
  return fmt::format("log Z {} to {}, certified", round_down_text(log_z->low, 4),
                     round_up_text(log_z->high, 4));
}

std::string table_of(const Chart& chart) {
  std::size_t epochs = chart.series.empty() ? 0 : chart.series[0].points.size();
  for (const auto& series : chart.series) epochs = std::min(epochs, series.points.size());
  std::vector<TextTable::Column> columns{{"epoch", TextTable::Side::kLeft}};
  for (std::size_t e = 0; e < epochs; ++e) columns.push_back({fmt::format("{}", e)});
  TextTable table(columns);
  for (const auto& series : chart.series) {
    const std::size_t stride = series.points.size() > epochs ? kStride : 1;
    std::vector<std::string> cells{
        fmt::format("{}{}", series.algorithm, stride > 1 ? ", x 10" : "")};
    for (std::size_t e = 0; e < series.points.size() && cells.size() < columns.size(); e += stride)
      cells.push_back(fmt::format("{:.4f}", series.points[e].second));
    cells.resize(columns.size());
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace

std::string charts_text(const std::vector<Chart>& charts) {
  std::string out;
  std::string_view figure;
  for (const auto& chart : charts) {
    if (chart.figure != figure) out += fmt::format("{}\n\n", figure = chart.figure);
    out += fmt::format("{}, n = {}: {}\n{}\n", chart.title, chart.items, log_z_words(chart.log_z),
                       table_of(chart));
  }
  return out;
}

std::string charts_csv(const std::vector<Chart>& charts) {
  CsvTable csv{"figure", "algorithm", "epoch", "value"};
  for (const auto& chart : charts) {
    for (const auto& series : chart.series)
      for (const auto& [epoch, value] : series.points)
        csv.add(chart.id, series.algorithm, epoch, value);
    if (chart.log_z) {
      csv.add(chart.id, "log Z, lower", "", chart.log_z->low);
      csv.add(chart.id, "log Z, upper", "", chart.log_z->high);
    }
  }
  return csv.text();
}

}  // namespace surefield
