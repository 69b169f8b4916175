#include "surefield/report/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

/// In one line, what is certain about the answer.
std::string certainty(const Result& result) {
  if (result.status == Status::kFailed) return "FAILED: the numbers cannot be trusted";
  if (!result.upper_bound)
    return "a local optimum; nothing is known about how much better another may be";
  if (result.basis == Basis::kAssumesSubmodular)
    return fmt::format(
        "at most {} below the optimum, if F is submodular, which is assumed",
        round_up_significant(std::nextafter(*result.upper_bound - result.elbo, INFINITY), 4));
  const std::string_view certified = result.basis == Basis::kAssumesRounding
                                         ? "certified up to rounding, which is assumed"
                                         : "certified";
  if (result.certified_global) return fmt::format("global optimum, {}", certified);
  // Division and subtraction round too: by half a unit, which the next double makes good.
  if (result.elbo > 0) {
    const double share = std::nextafter(result.elbo / *result.upper_bound, 0);
    return fmt::format("at least {} % of the optimum, {}",
                       round_down_text(std::nextafter(100 * share, 0), 1), certified);
  }
  const double gap = std::nextafter(*result.upper_bound - result.elbo, INFINITY);
  return fmt::format("within {} of the optimum, {}", round_up_significant(gap, 4), certified);
}

/// What the column of marginals is, and what stands beside it.
std::string about_marginals(const ItemIntervals& of_sets) {
  std::string text = "of the best product distribution, which the certificate is about; ";
  if (of_sets.in.empty()) return text + "those of p(S) itself are not known";
  return text + fmt::format("beside them those of p(S) itself, {}, by {}",
                            of_sets.exact ? "exact" : "in certified intervals", of_sets.method);
}

/// One row of the table of items.
std::vector<std::string> item_cells(const Result& result, std::size_t i) {
  std::vector<std::string> cells{fmt::format("{:.6f}", result.marginals[i])};
  if (const auto& of_sets = result.set_marginals; of_sets && !of_sets->in.empty()) {
    const Interval in = of_sets->in[i];
    if (of_sets->exact) {
      cells.push_back(fmt::format("{:.6f}", (in.low + in.high) / 2));
    } else {
      cells.push_back(round_down_text(in.low, 6));
      cells.push_back(round_up_text(in.high, 6));
    }
  }
  cells.push_back(result.items.empty() ? fmt::format("{}", i) : result.items[i]);
  return cells;
}

std::vector<TextTable::Column> item_columns(const std::optional<ItemIntervals>& of_sets) {
  const TextTable::Column item{"item", TextTable::Side::kLeft};
  if (!of_sets || of_sets->in.empty()) return {{"marginal"}, item};
  if (of_sets->exact) return {{"marginal"}, {"of p(S)"}, item};
  return {{"marginal"}, {"at least"}, {"at most"}, item};
}

}  // namespace

std::string result_text(const Result& result, std::size_t most_items) {
  std::string out;
  const std::size_t n = result.marginals.size();
  out += named_line("answer", certainty(result));
  out += named_line("elbo", fmt::format("{:.6f}", result.elbo));
  out += named_line("upper bound", round_up_text(result.upper_bound, 6) +
                                       (result.upper_bound ? " of the best elbo" : ""));
  out += named_line("log Z", result.log_z_exact && result.log_z_lower
                                 ? fmt::format("{:.6f}, exact", *result.log_z_lower)
                                 : fmt::format("{} to {}", round_down_text(result.log_z_lower, 6),
                                               round_up_text(result.log_z_upper, 6)));
  out += named_line("model", fmt::format("{}, n = {}", result.model_kind,
                                         result.marginals_file.empty() ? n : result.size));
  out += named_line("algorithm", fmt::format("{}, {}, {:.3g} s", result.algorithm,
                                             text_of(result.status), result.seconds));
  out += named_line("guarantee", result.guarantee);
  if (result.set_marginals) out += named_line("marginals", about_marginals(*result.set_marginals));
  for (const auto& note : result.notes) out += named_line("note", note);
  if (!result.trace.empty()) {
    TextTable trace({{"epoch"}, {"value"}, {"seconds"}, {"from the top"}});
    for (const auto& [epoch, value, seconds, top] : result.trace)
      trace.add({fmt::format("{:.4g}", epoch), fmt::format("{:.8f}", value),
                 fmt::format("{:.6f}", seconds),
                 std::isnan(top) ? "" : fmt::format("{:.8f}", top)});
    out += '\n' + trace.text();
  }
  if (n == 0) return out;
  std::vector<std::size_t> shown(n);
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (most_items > 0) {
    std::stable_sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return result.marginals[a] > result.marginals[b];
    });
    shown.resize(std::min(n, most_items));
  }
  TextTable items(item_columns(result.set_marginals));
  for (const std::size_t i : shown) items.add(item_cells(result, i));
  if (shown.size() < n)
    items.add_line(fmt::format("... and {} more (--top 0 shows all)", n - shown.size()));
  return out + '\n' + items.text();
}

}  // namespace surefield
