#include "surefield/experiments/hard_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

constexpr std::array<std::string_view, 5> kStarts{"low", "high", "middle", "random",
                                                  "dg-mean-field-1/2"};

}  // namespace

double HardGridRow::gap() const { return (upper_bound - best) / std::abs(best); }

HardGrid hard_grid(const HardGridOptions& options) {
  const Stopwatch watch;
  const auto go_on = [&] { return !options.budget.spent(); };
  HardGrid grids;
  Ticker tick(options.seeds * (kStarts.size() + 1), options.progress);
  for (std::uint64_t seed = 1; seed <= options.seeds && go_on(); ++seed) {
    const Problem problem =
        make_problem(generate("hard-grid", {.items = options.side * options.side, .seed = seed}));
    HardGridRow row;
    row.seed = seed;
    InferOptions how;
    how.tolerance = 1e-8;
    how.observer = [&](TracePoint&) { return go_on(); };
    for (const auto start : kStarts) {
      const bool double_greedy = start == kStarts.back();
      how.algorithm = double_greedy ? std::string(start) : "coordinate-ascent";
      how.start = double_greedy ? "low" : std::string(start);
      row.starts.push_back(infer(problem, how).elbo);
      tick();
    }
    how.algorithm = "best";
    how.certify = options.seconds;
    how.wanted_gap = options.wanted_gap;
    how.budget = options.budget;
    const Result result = infer(problem, how);
    tick();
    row.best = result.elbo;
    row.upper_bound = result.upper_bound.value_or(INFINITY);
    row.seconds = result.seconds;
    if (go_on()) grids.rows.push_back(std::move(row));  // one cut short would not be comparable
  }
  grids.complete = grids.rows.size() == options.seeds;
  grids.seconds = watch.seconds();
  return grids;
}

std::string hard_grid_text(const HardGrid& grids) {
  TextTable table({{"seed"},
                   {"from 0"},
                   {"from 1"},
                   {"from 1/2"},
                   {"random"},
                   {"DG-MF-1/2"},
                   {"best"},
                   {"upper bound"},
                   {"gap %"},
                   {"seconds"}});
  for (const auto& row : grids.rows) {
    std::vector<std::string> cells{fmt::format("{}", row.seed)};
    for (const double value : row.starts) cells.push_back(fmt::format("{:.4f}", value));
    cells.insert(cells.end(),
                 {fmt::format("{:.4f}", row.best), round_up_text(row.upper_bound, 4),
                  fmt::format("{:.4f}", 100 * row.gap()), fmt::format("{:.2f}", row.seconds)});
    table.add(std::move(cells));
  }
  std::string out = table.text("");
  if (!grids.complete) out += "stopped early: grids are missing\n";
  return out;
}

std::string hard_grid_csv(const HardGrid& grids) {
  CsvTable csv{"seed", "start", "value"};
  for (const auto& row : grids.rows) {
    for (std::size_t s = 0; s < kStarts.size(); ++s) csv.add(row.seed, kStarts[s], row.starts[s]);
    csv.add(row.seed, "best", row.best);
    csv.add(row.seed, "upper bound", row.upper_bound);
  }
  return csv.text();
}

std::string hard_grid_json(const HardGrid& grids) {
  OrderedJson rows = OrderedJson::array();
  for (const auto& row : grids.rows) {
    OrderedJson starts = OrderedJson::object();
    for (std::size_t s = 0; s < kStarts.size(); ++s)
      starts[std::string(kStarts[s])] = json_number(row.starts[s]);
    rows.push_back({{"seed", row.seed},
                    {"starts", starts},
                    {"best", json_number(row.best)},
                    {"upper_bound", json_number(row.upper_bound)},
                    {"gap", json_number(row.gap())},
                    {"seconds", row.seconds}});
  }
  OrderedJson json = experiment_json(
      {.experiment = "hard-grid", .complete = grids.complete, .seconds = grids.seconds});
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
