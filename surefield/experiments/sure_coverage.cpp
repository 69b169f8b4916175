#include "surefield/experiments/sure_coverage.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {

double SureCoverageRow::gap() const { return (upper_bound - elbo) / std::abs(elbo); }

SureCoverage sure_coverage(const SureCoverageOptions& options) {
  const Stopwatch watch;
  SureCoverage study;
  const std::size_t all = options.sizes.size() * options.betas.size();
  Ticker tick(all, options.progress);
  for (const Index n : options.sizes)
    for (const double beta : options.betas) {
      if (options.budget.spent()) continue;
      const Problem problem =
          make_problem(generate("contested-coverage", {.items = n, .seed = options.seed}));
      InferOptions how{.certify = options.seconds};
      how.inverse_temperature = beta;
      how.wanted_gap = options.wanted_gap;
      how.budget = options.budget;
      const Result result = infer(problem, how);
      tick();
      if (options.budget.spent()) continue;  // one cut short would not be comparable
      study.rows.push_back({.n = n,
                            .beta = beta,
                            .elbo = result.elbo,
                            .upper_bound = result.upper_bound.value_or(INFINITY),
                            .bound_method = result.upper_bound_method,
                            .seconds = result.seconds});
    }
  study.complete = study.rows.size() == all;
  study.seconds = watch.seconds();
  return study;
}

std::string sure_coverage_text(const SureCoverage& study) {
  TextTable table({{"n"},
                   {"beta"},
                   {"ELBO"},
                   {"upper bound"},
                   {"gap %"},
                   {"seconds"},
                   {"proved by", TextTable::Side::kLeft}});
  for (const auto& row : study.rows)
    table.add({fmt::format("{}", row.n), fmt::format("{}", row.beta), round_down_text(row.elbo, 4),
               round_up_text(row.upper_bound, 4), round_up_text(100 * row.gap(), 3),
               fmt::format("{:.2f}", row.seconds), row.bound_method});
  std::string out = table.text("");
  if (!study.complete) out += "stopped early: problems are missing\n";
  return out;
}

std::string sure_coverage_csv(const SureCoverage& study) {
  CsvTable csv{"n", "beta", "elbo", "upper_bound", "gap", "bound_method", "seconds"};
  for (const auto& row : study.rows)
    csv.add(row.n, row.beta, row.elbo, row.upper_bound, row.gap(), row.bound_method, row.seconds);
  return csv.text();
}

std::string sure_coverage_json(const SureCoverage& study) {
  OrderedJson rows = OrderedJson::array();
  for (const auto& row : study.rows)
    rows.push_back({{"n", row.n},
                    {"beta", row.beta},
                    {"elbo", json_number(row.elbo)},
                    {"upper_bound", json_number(row.upper_bound)},
                    {"gap", json_number(row.gap())},
                    {"bound_method", row.bound_method},
                    {"seconds", row.seconds}});
  OrderedJson json = experiment_json(
      {.experiment = "coverage", .complete = study.complete, .seconds = study.seconds});
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
