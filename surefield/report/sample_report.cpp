#include "surefield/report/sample_report.hpp"

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"

namespace surefield {

std::string sample_lines(const SampleResult& result, const Problem& problem) {
  std::string out;
  for (const auto& set : result.sets) {
    for (std::size_t k = 0; k < set.size(); ++k) {
      if (k > 0) out += ',';
      out += problem.items.empty() ? csv_field(set[k]) : csv_field(problem.items[set[k]]);
    }
    out += '\n';
  }
  return out;
}

std::string sample_json(const SampleResult& result, const Problem& problem, std::uint64_t seed) {
  return json_text(json_answer(
      "sample",
      {{"model", {{"kind", problem.kind}, {"n", problem.size()}, {"items", problem.items}}},
       {"method", result.method},
       {"exact", result.exact},
       {"acceptance", json_number(result.acceptance)},
       {"seed", seed},
       {"sets", result.sets}}));
}

}  // namespace surefield
