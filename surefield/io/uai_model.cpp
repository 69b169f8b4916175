#include "surefield/io/uai_model.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/io/field_factors.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

std::vector<std::uint32_t> parse_scope(TextScanner& scanner, Index factor, Index variables) {
  const Index size = scanner.count("variables of a scope", 2);
  if (size > kLargestFactor)
    scanner.fail_here("factor ", factor, " has ", size, " variables, expected at most ",
                      kLargestFactor);
  std::vector<std::uint32_t> scope(size);
  for (auto variable = scope.begin(); variable != scope.end(); ++variable) {
    const auto id = scanner.whole("a variable", 0, variables == 0 ? 0 : variables - 1);
    if (variables == 0) scanner.fail_here("found variable '", id, "', but there are no variables");
    if (std::find(scope.begin(), variable, id) != variable)
      scanner.fail_here("variable ", id, " is twice in factor ", factor);
    *variable = static_cast<std::uint32_t>(id);
  }
  return scope;
}

void parse_table(TextScanner& scanner, Index f, Factor& factor) {
  const Index entries = scanner.count("table entries", 2);
  const Index expected = Index{1} << factor.variables.size();
  if (entries != expected)
    scanner.fail_here("factor ", f, " has a table of ", entries, " entries, expected ", expected,
                      " for ", factor.variables.size(), " variables of 2 states");
  factor.log_table.resize(entries);
  for (double& entry : factor.log_table) {
    const double value = scanner.number("a table entry");
    if (value < 0) scanner.fail_here("found '", value, "', expected a table entry >= 0");
    entry = std::log(value);
  }
}

}  // namespace

FactorGraph parse_uai(std::string_view text, std::string_view name) {
  TextScanner scanner(text, name, TextScanner::Comments::kLetterC);
  const auto type = scanner.token("MARKOV or BAYES");
  if (type != "MARKOV" && type != "BAYES") scanner.refuse(type, "MARKOV or BAYES");
  FactorGraph graph;
  graph.variables = scanner.count("variables", 2);
  for (Index i = 0; i < graph.variables; ++i) {
    const auto states = scanner.whole("a number of states", 1, UINT64_MAX);
    if (states != 2)
      scanner.fail_here("variable ", i, " has ", states,
                        " states, expected 2: only binary variables are sets");
  }
  graph.factors.resize(
      scanner.count("factors", 4));  // "0", "1 w" for a constant is the shortest factor
  for (Index f = 0; f < graph.factors.size(); ++f)
    graph.factors[f].variables = parse_scope(scanner, f, graph.variables);
  for (Index f = 0; f < graph.factors.size(); ++f) parse_table(scanner, f, graph.factors[f]);
  scanner.expect_end(message(graph.factors.size(), " tables"));
  return graph;
}

FactorGraph read_uai(const std::string& path) { return parse_uai(read_file(path), path); }

std::string uai_text(const FactorGraph& graph) {
  const auto factors = writable_factors(graph);
  std::string text = "MARKOV\n";
  append_line(text, graph.variables);
  for (Index i = 0; i < graph.variables; ++i) text += i + 1 < graph.variables ? "2 " : "2\n";
  append_line(text, factors.size());
  for (const auto& [variables, table] : factors) {
    append_number(text, variables.size());
    for (const auto i : variables) append_number(text += ' ', i);
    text += '\n';
  }
  for (const auto& [variables, table] : factors) {
    append_number(text += '\n', table.size());
    text += '\n';
    for (const double entry : table) append_line(text, std::exp(entry));
  }
  return text;
}

}  // namespace surefield
