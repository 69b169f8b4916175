#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "surefield/experiments/chart.hpp"
#include "surefield/report/csv_table.hpp"

namespace surefield {
namespace {

constexpr std::size_t kStride = 10;  // Frank-Wolfe has ten times the epochs of the others

std::string log_z_words(const std::optional<Interval>& log_z) {
  if (!log_z) return "log Z not known";
  if (is_exact(*log_z)) return fmt::format("log Z {:.4f}, exact", log_z->low);
  return fmt::format("log Z {:.4f} to {:.4f}, certified", log_z->low, log_z->high);
}

std::string table_of(const Chart& chart) {
  std::size_t epochs = chart.series.empty() ? 0 : chart.series[0].points.size();
  for (const auto& series : chart.series) epochs = std::min(epochs, series.points.size());
  std::string out = fmt::format("  {:<26}", "epoch");
  for (std::size_t e = 0; e < epochs; ++e) out += fmt::format("{:>9}", e);
  out += '\n';
  for (const auto& series : chart.series) {
    const std::size_t stride = series.points.size() > epochs ? kStride : 1;
    out +=
        fmt::format("  {:<26}", fmt::format("{}{}", series.algorithm, stride > 1 ? ", x 10" : ""));
    for (std::size_t e = 0; e < series.points.size(); e += stride)
      out += fmt::format("{:>9.4f}", series.points[e].second);
    out += '\n';
  }
  return out;
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
  std::string out = "figure,algorithm,epoch,value\n";
  const auto put = [&](const auto& chart, std::string_view algorithm, const std::string& epoch,
                       double value) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{:.17g}\n", csv_field(chart.id),
                   csv_field(algorithm), epoch, value);
  };
  for (const auto& chart : charts) {
    for (const auto& series : chart.series)
      for (const auto& [epoch, value] : series.points)
        put(chart, series.algorithm, fmt::format("{:g}", epoch), value);
    if (chart.log_z) {
      put(chart, "log Z, lower", "", chart.log_z->low);
      put(chart, "log Z, upper", "", chart.log_z->high);
    }
  }
  return out;
}

}  // namespace surefield
