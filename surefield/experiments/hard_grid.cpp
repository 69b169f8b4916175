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
  std::string out = fmt::format("{:>4}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>14}{:>10}{:>9}\n",
                                "seed", "from 0", "from 1", "from 1/2", "random", "DG-MF-1/2",
                                "best", "upper bound", "gap %", "seconds");
  for (const auto& row : grids.rows) {
    out += fmt::format("{:>4}", row.seed);
    for (const double value : row.starts) out += fmt::format("{:>12.4f}", value);
    out += fmt::format("{:>12.4f}{:>14.4f}{:>10.4f}{:>9.2f}\n", row.best, row.upper_bound,
                       100 * row.gap(), row.seconds);
  }
  if (!grids.complete) out += "stopped early: grids are missing\n";
  return out;
}

std::string hard_grid_csv(const HardGrid& grids) {
  std::string out = "seed,start,value\n";
  for (const auto& row : grids.rows) {
    const auto put = [&](std::string_view name, double value) {
      fmt::format_to(std::back_inserter(out), "{},{},{:.17g}\n", row.seed, name, value);
    };
    for (std::size_t s = 0; s < kStarts.size(); ++s) put(kStarts[s], row.starts[s]);
    put("best", row.best);
    put("upper bound", row.upper_bound);
  }
  return out;
}

std::string hard_grid_json(const HardGrid& grids) {
  ExperimentJson rows = ExperimentJson::array();
  for (const auto& row : grids.rows) {
    ExperimentJson starts = ExperimentJson::object();
    for (std::size_t s = 0; s < kStarts.size(); ++s)
      starts[std::string(kStarts[s])] = json_number(row.starts[s]);
    rows.push_back({{"seed", row.seed},
                    {"starts", starts},
                    {"best", json_number(row.best)},
                    {"upper_bound", json_number(row.upper_bound)},
                    {"gap", json_number(row.gap())},
                    {"seconds", row.seconds}});
  }
  ExperimentJson json = experiment_json(
      {.experiment = "hard-grid", .complete = grids.complete, .seconds = grids.seconds});
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
