#include "surefield/report/best_set_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/outward.hpp"

namespace surefield {
namespace {

constexpr double kCertified = 2e-6;  // relative: what rounding and the entropy may leave

std::string item_name(const BestSetResult& result, Index i) {
  return result.names.empty() ? fmt::format("{}", i) : result.names[i];
}

std::string answer_text(const BestSetResult& result) {
  if (result.status == Status::kFailed) return "none: the run failed";
  const std::string best = result.most
                               ? fmt::format("the best set of at most {} items", *result.most)
                               : std::string("the best set");
  if (relative_gap(result) <= kCertified) return best + ", certified";
  if (!result.upper) return "a good set; how good is not known";
  return fmt::format("{} is at most {} better, certified", best,
                     round_up_significant(std::max(0.0, *result.upper - result.lower), 3));
}

}  // namespace

double relative_gap(const BestSetResult& result) {
  if (!result.upper) return kInfinity;
  return (*result.upper - result.lower) / std::max(1.0, std::abs(result.lower));
}

std::string best_set_text(const BestSetResult& result, std::size_t most_items) {
  std::string out = fmt::format("answer        {}\n", answer_text(result));
  out += fmt::format("value         {:.9f}, by {}\n", result.value, result.found_by);
  out += fmt::format(
      "optimum       {} to {}{}\n", round_down_text(result.lower, 9),
      round_up_text(result.upper, 9),
      result.upper ? fmt::format(", {} by {}", text_of(result.basis), result.upper_method) : "");
  out += fmt::format("guarantee     {}\n", result.guarantee);
  for (const auto& note : result.notes) out += fmt::format("note          {}\n", note);
  out += fmt::format("model         {}, {:.3g} s\n\n", result.model_kind, result.seconds);
  out += fmt::format("  {} item{}\n", result.items.size(), result.items.size() == 1 ? "" : "s");
  const std::size_t shown =
      most_items == 0 ? result.items.size() : std::min(most_items, result.items.size());
  for (std::size_t k = 0; k < shown; ++k)
    out += fmt::format("  {}\n", item_name(result, result.items[k]));
  if (shown < result.items.size())
    out += fmt::format("  ... and {} more (--top 0 shows all)\n", result.items.size() - shown);
  return out;
}

std::string best_set_json(const BestSetResult& result) {
  std::vector<std::string> names;
  for (const Index i : result.items) names.push_back(item_name(result, i));
  OrderedJson most;
  if (result.most) most = *result.most;
  OrderedJson upper;
  if (result.upper) upper = json_number(*result.upper);
  return json_text(json_answer("best-set", {{"model", {{"kind", result.model_kind}}},
                                            {"most", most},
                                            {"items", result.items},
                                            {"names", names},
                                            {"value", json_number(result.value)},
                                            {"found_by", result.found_by},
                                            {"lower", json_number(result.lower)},
                                            {"upper", upper},
                                            {"upper_method", result.upper_method},
                                            {"basis", text_of(result.basis)},
                                            {"status", text_of(result.status)},
                                            {"guarantee", result.guarantee},
                                            {"notes", result.notes},
                                            {"seed", result.seed},
                                            {"seconds", json_number(result.seconds)}}));
}

std::string best_set_csv(const BestSetResult& result) {
  CsvTable csv{"item", "name"};
  for (const Index i : result.items) csv.add(i, item_name(result, i));
  return csv.text();
}

}  // namespace surefield
