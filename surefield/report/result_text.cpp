#include "surefield/report/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

namespace surefield {
namespace {

/// In one line, what is certain about the answer.
std::string certainty(const Result& result) {
  if (result.status == Status::kFailed) return "FAILED: the numbers cannot be trusted";
  if (!result.upper_bound)
    return "a local optimum; nothing is known about how much better another may be";
  if (result.certified_global) return "global optimum, certified";
  const double gap = *result.upper_bound - result.elbo;
  if (result.elbo > 0)
    return fmt::format("at least {:.1f} % of the optimum, certified",
                       std::floor(1000 * result.elbo / *result.upper_bound) / 10);
  return fmt::format("within {:.4g} of the optimum, certified", gap);
}

std::string number(std::optional<double> value) {
  return value ? fmt::format("{:.6f}", *value) : "not known";
}

/// Control characters would let a file write over the user's terminal.
std::string printable(const std::string& text) {
  std::string out = text;
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
  return out;
}

}  // namespace

std::string result_text(const Result& result, std::size_t most_items) {
  std::string out;
  const auto line = [&](std::string_view name, const std::string& text) {
    fmt::format_to(std::back_inserter(out), "{:<14}{}\n", name, text);
  };
  const std::size_t n = result.marginals.size();
  line("answer", certainty(result));
  line("elbo", number(result.elbo));
  line("upper bound", number(result.upper_bound) + (result.upper_bound ? " of the best elbo" : ""));
  line("log Z",
       fmt::format("{} to {}", result.log_z_lower ? number(result.log_z_lower) : "not known",
                   result.log_z_upper ? number(result.log_z_upper) : "not known"));
  line("model", fmt::format("{}, n = {}", result.model_kind, n));
  line("algorithm",
       fmt::format("{}, {}, {:.3g} s", result.algorithm, text_of(result.status), result.seconds));
  line("guarantee", result.guarantee);
  for (const auto& note : result.notes) line("note", note);
  if (!result.trace.empty()) {
    out += "\n  epoch            value      seconds        from the top\n";
    for (const auto& [epoch, value, seconds, top] : result.trace)
      fmt::format_to(std::back_inserter(out), "  {:>5.4g} {:>16.8f} {:>12.6f} {}\n", epoch, value,
                     seconds, std::isnan(top) ? "" : fmt::format("{:>16.8f}", top));
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
  out += "\n  marginal  item\n";
  for (const std::size_t i : shown)
    fmt::format_to(std::back_inserter(out), "  {:.6f}  {}\n", result.marginals[i],
                   result.items.empty() ? fmt::format("{}", i) : printable(result.items[i]));
  if (shown.size() < n)
    fmt::format_to(std::back_inserter(out), "  ... and {} more (--top 0 shows all)\n",
                   n - shown.size());
  return out;
}

}  // namespace surefield
