#include "surefield/report/sample_report.hpp"

#include "surefield/core/sets_text.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"

namespace surefield {

std::string sample_lines(const SampleResult& result, const Problem& problem) {
  std::string out = std::string(kSetsDeclaration).append("\n");
  for (const auto& set : result.sets)
    append_set(out, set, [&](const auto item) {
      return problem.items.empty() ? std::to_string(item) : set_field(problem.items[item]);
    });
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
