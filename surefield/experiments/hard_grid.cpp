#include "surefield/experiments/hard_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"

namespace surefield {

std::vector<HardGridRow> hard_grid(const HardGridOptions& options) {
  std::vector<HardGridRow> rows;
  for (std::uint64_t seed = 1; seed <= options.seeds; ++seed) {
    if (options.go_on && !options.go_on()) break;
    const Problem problem =
        make_problem(generate("hard-grid", {.items = options.side * options.side, .seed = seed}));
    HardGridRow row{.seed = seed, .starts = {}};
    InferOptions how;
    how.tolerance = 1e-8;
    for (const char* start : {"low", "high", "middle", "random"}) {
      how.algorithm = "coordinate-ascent";
      how.start = start;
      row.starts.push_back(infer(problem, how).elbo);
    }
    how.algorithm = "dg-mean-field-1/2";
    row.starts.push_back(infer(problem, how).elbo);
    how.algorithm = "best";
    how.certify = options.seconds;
    how.wanted_gap = options.wanted_gap;
    how.threads = options.threads;
    const Result result = infer(problem, how);
    row.best = result.elbo;
    row.upper_bound = result.upper_bound.value_or(INFINITY);
    row.seconds = result.seconds;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string hard_grid_text(const std::vector<HardGridRow>& rows) {
  std::string out = fmt::format("{:>4}{:>12}{:>12}{:>12}{:>12}{:>12}{:>12}{:>14}{:>10}{:>9}\n",
                                "seed", "from 0", "from 1", "from 1/2", "random", "DG-MF-1/2",
                                "best", "upper bound", "gap %", "seconds");
  for (const auto& row : rows) {
    out += fmt::format("{:>4}", row.seed);
    for (const double value : row.starts) out += fmt::format("{:>12.4f}", value);
    out += fmt::format("{:>12.4f}{:>14.4f}{:>10.4f}{:>9.2f}\n", row.best, row.upper_bound,
                       100 * (row.upper_bound - row.best) / std::abs(row.best), row.seconds);
  }
  return out;
}

}  // namespace surefield
