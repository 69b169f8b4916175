#include "surefield/report/result_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"

namespace surefield {
namespace {

OrderedJson set_marginals_json(const ItemIntervals& of_sets) {
  if (of_sets.in.empty()) return nullptr;
  OrderedJson low = OrderedJson::array(), high = OrderedJson::array();
  for (const Interval& in : of_sets.in) {
    low.push_back(in.low);
    high.push_back(in.high);
  }
  return {{"exact", of_sets.exact},
          {"method", of_sets.method},
          {"basis", text_of(of_sets.basis)},
          {"low", low},
          {"high", high}};
}

}  // namespace

std::string result_json(const Result& result) {
  OrderedJson trace = OrderedJson::array();
  for (const auto& [epoch, value, seconds, top] : result.trace) {
    trace.push_back({{"epoch", epoch}, {"value", json_number(value)}, {"seconds", seconds}});
    if (!std::isnan(top)) trace.back()["top"] = json_number(top);
  }
  OrderedJson answer = json_answer(
      result.command,
      {
          {"model", {{"kind", result.model_kind}, {"n", result.size}, {"items", result.items}}},
          {"objective", result.objective},
          {"inverse_temperature", result.inverse_temperature},
          {"algorithm", result.algorithm},
          {"status", text_of(result.status)},
          {"elbo", json_number(result.elbo)},
          {"elbo_lower", json_number(result.elbo_lower)},
          {"upper_bound", json_number(result.upper_bound)},
          {"upper_bound_method", result.upper_bound_method},
          {"certified_global", result.certified_global},
          {"log_z_lower", json_number(result.log_z_lower)},
          {"log_z_upper", json_number(result.log_z_upper)},
          {"log_z_exact", result.log_z_exact},
          {"log_z_method", result.log_z_method},
          {"basis", text_of(result.basis)},
          {"marginals", result.marginals},
          {"trace", trace},
          {"guarantee", result.guarantee},
          {"notes", result.notes},
          {"seed", result.seed},
          {"threads", result.threads},
          {"seconds", result.seconds},
      });
  if (!result.marginals_file
           .empty()) {  // a file of numbers serves a million items better than text
    answer.erase("marginals");
    answer["marginals_file"] = result.marginals_file;
  }
  if (result.set_marginals) answer["set_marginals"] = set_marginals_json(*result.set_marginals);
  return json_text(answer);
}

}  // namespace surefield
