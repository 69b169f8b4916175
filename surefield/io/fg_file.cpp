#include "surefield/io/fg_file.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/io/field_factors.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

/// The entry with its bits in reverse: first variable fastest to last variable fastest, and back.
Index reversed(Index entry, Index bits) {
  Index result = 0;
  for (Index b = 0; b < bits; ++b) result = 2 * result + ((entry >> b) & 1);
  return result;
}

void parse_variables(TextScanner& scanner, Index f, Factor& factor) {
  const Index most = std::min<Index>(scanner.bytes() + kFreeCount, UINT32_MAX);
  const Index size = scanner.count("variables of a factor", 4);
  if (size > kLargestFactor)
    scanner.fail_here("factor ", f, " has ", size, " variables, expected at most ", kLargestFactor);
  for (Index k = 0; k < size; ++k) {
    const auto i = static_cast<std::uint32_t>(scanner.whole("a variable", 0, most - 1));
    if (std::find(factor.variables.begin(), factor.variables.end(), i) != factor.variables.end())
      scanner.fail_here("variable ", i, " is twice in factor ", f);
    factor.variables.push_back(i);
  }
  for (const auto i : factor.variables) {
    const auto states = scanner.whole("a number of states", 1, UINT64_MAX);
    if (states != 2)
      scanner.fail_here("variable ", i, " has ", states,
                        " states, expected 2: only binary variables are sets");
  }
}

void parse_entries(TextScanner& scanner, Factor& factor) {
  const Index bits = factor.variables.size();
  const Index listed = scanner.count("entries", 4);
  factor.log_table.assign(Index{1} << bits, -kInfinity);
  std::vector<bool> seen(factor.log_table.size(), false);
  for (Index k = 0; k < listed; ++k) {
    const Index entry = scanner.whole("an entry", 0, factor.log_table.size() - 1);
    if (seen[entry]) scanner.fail_here("entry ", entry, " is there twice, expected each once");
    seen[entry] = true;
    const double value = scanner.number("a table entry");
    if (value < 0) scanner.fail_here("found '", value, "', expected a table entry >= 0");
    factor.log_table[reversed(entry, bits)] = std::log(value);
  }
}

}  // namespace

FactorGraph parse_fg(std::string_view text, std::string_view name) {
  TextScanner scanner(text, name, TextScanner::Comments::kHash);
  FactorGraph graph;
  Index entries_left =
      scanner.bytes() +
      kFreeCount;  // zeros are not listed, so the bytes alone do not bound the tables
  graph.factors.resize(scanner.count("factors", 4));
  for (Index f = 0; f < graph.factors.size(); ++f) {
    Factor& factor = graph.factors[f];
    parse_variables(scanner, f, factor);
    const Index entries = Index{1} << factor.variables.size();
    if (entries > entries_left)
      scanner.fail_here("the tables up to factor ", f,
                        " have more entries than a file of this size may");
    entries_left -= entries;
    parse_entries(scanner, factor);
    for (const auto i : factor.variables)
      graph.variables = std::max<Index>(graph.variables, i + Index{1});
  }
  scanner.expect_end(message(graph.factors.size(), " factors"));
  return graph;
}

FactorGraph read_fg(const std::string& path) { return parse_fg(read_file(path), path); }

std::string fg_text(const FactorGraph& graph) {
  auto factors = writable_factors(graph);
  Index variables = 0;
  for (const auto& factor : factors)
    for (const auto i : factor.variables) variables = std::max<Index>(variables, i + Index{1});
  if (variables < graph.variables)  // the greatest variable says how many there are: one that does
                                    // nothing keeps it
    factors.push_back({{static_cast<std::uint32_t>(graph.variables - 1)}, {0, 0}});
  std::string text;
  append_line(text, factors.size());
  for (const auto& [scope, table] : factors) {
    append_number(text += '\n', scope.size());
    text += '\n';
    for (const auto i : scope) append_number(text += ' ', i);
    text += '\n';
    for (Index k = 0; k < scope.size(); ++k) text += " 2";
    text += '\n';
    Index listed = 0;
    for (const double entry : table) listed += entry > -kInfinity;
    append_line(text, listed);
    for (Index entry = 0; entry < table.size(); ++entry)
      if (const double log = table[reversed(entry, scope.size())]; log > -kInfinity)
        append_line(text, entry, std::exp(log));
  }
  return text;
}

}  // namespace surefield
