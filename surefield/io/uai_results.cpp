#include "surefield/io/uai_results.hpp"

#include <cmath>
#include <numbers>

#include "surefield/core/error.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

using Comments = TextScanner::Comments;

/// Every number of the file and whether the first stands alone on its line.
struct EvidenceNumbers {
  std::vector<std::uint64_t> numbers;
  bool first_alone = false;
};

EvidenceNumbers evidence_numbers(std::string_view text, std::string_view name) {
  TextScanner scanner(text, name, Comments::kLetterC);
  EvidenceNumbers result;
  while (!scanner.at_end()) {
    result.numbers.push_back(scanner.whole("a count, a variable or a value", 0, UINT32_MAX));
    if (result.numbers.size() == 1) result.first_alone = scanner.at_line_end();
  }
  return result;
}

bool is_one_case(const std::vector<std::uint64_t>& numbers) {
  return numbers.size() % 2 == 1 && numbers[0] == numbers.size() / 2;
}

/// The first number counts cases `k variable value ...`, which fill the rest.
bool is_list_of_cases(const std::vector<std::uint64_t>& numbers) {
  Index at = 1;
  for (Index c = 0; c < numbers[0]; ++c) {
    if (at >= numbers.size()) return false;
    at += 1 + 2 * numbers[at];
  }
  return at == numbers.size();
}

Box parse_case(TextScanner& scanner, Index variables) {
  Box box = unit_box(variables);
  const Index observed = scanner.count("observed variables", 4);
  for (Index k = 0; k < observed; ++k) {
    if (variables == 0) scanner.fail_here("there is evidence, but the model has no variables");
    const auto i = scanner.whole("a variable", 0, variables - 1);
    const auto value = static_cast<double>(scanner.whole("a value", 0, 1));
    if (box[i].is_point() && box.low[i] != value)
      scanner.fail_here("variable ", i, " is observed as 0 and as 1");
    box.fix(i, value);
  }
  return box;
}

}  // namespace

Box parse_uai_evidence(std::string_view text, std::string_view name, Index variables,
                       Index chosen) {
  const auto [numbers, first_alone] = evidence_numbers(text, name);
  TextScanner scanner(text, name, Comments::kLetterC);
  Index cases = 1;
  // Where both readings fit, a number alone on the first line counts cases.
  const bool list = !numbers.empty() && numbers != std::vector<std::uint64_t>{0} &&
                    is_list_of_cases(numbers) && (first_alone || !is_one_case(numbers));
  if (list) cases = scanner.count("cases", 2);
  require(chosen < cases, name, ": case ", chosen, " is asked for, but there are ", cases,
          " cases, counted from 0");
  if (numbers.empty()) return unit_box(variables);
  Box box = parse_case(scanner, variables);
  Box result = box;
  for (Index c = 1; c < cases; ++c) {
    box = parse_case(scanner, variables);
    if (c == chosen) result = box;
  }
  scanner.expect_end(list ? message(cases, " cases") : "the observed variables");
  return result;
}

Box read_uai_evidence(const std::string& path, Index variables, Index chosen) {
  return parse_uai_evidence(read_file(path), path, variables, chosen);
}

std::string uai_evidence_text(const Box& box) {
  std::string pairs;
  Index observed = 0;
  for (Index i = 0; i < box.size(); ++i) {
    if (box[i] == Interval{0, 1}) continue;
    require(box[i].is_point() && (box.low[i] == 0 || box.low[i] == 1), "evidence: variable ", i,
            " has the interval [", box.low[i], ", ", box.high[i],
            "], which must be [0, 1], 0 or 1");
    append_number(pairs += ' ', i);
    pairs += box.low[i] == 0 ? " 0" : " 1";
    ++observed;
  }
  return message(observed, pairs, "\n");
}

double parse_uai_log_z(std::string_view text, std::string_view name) {
  TextScanner scanner(text, name, Comments::kLetterC);
  if (const auto task = scanner.token("PR"); task != "PR") scanner.refuse(task, "PR");
  const double log10_z = scanner.number("log10 Z");
  scanner.expect_end("log10 Z");
  return log10_z * std::numbers::ln10;
}

double read_uai_log_z(const std::string& path) { return parse_uai_log_z(read_file(path), path); }

std::string uai_log_z_text(double natural_log_z) {
  require(std::isfinite(natural_log_z), "log Z is ", natural_log_z, ", which must be finite");
  std::string text = "PR\n";
  append_line(text, natural_log_z / std::numbers::ln10);
  return text;
}

std::vector<double> parse_uai_marginals(std::string_view text, std::string_view name) {
  TextScanner scanner(text, name, Comments::kLetterC);
  if (const auto task = scanner.token("MAR"); task != "MAR") scanner.refuse(task, "MAR");
  std::vector<double> marginals(scanner.count("variables", 6));
  for (Index i = 0; i < marginals.size(); ++i) {
    const auto states = scanner.whole("a number of states", 1, UINT64_MAX);
    if (states != 2) scanner.fail_here("variable ", i, " has ", states, " states, expected 2");
    const double zero = scanner.number("a probability");
    const double one = scanner.number("a probability");
    if (zero < 0 || one < 0 || one > 1 || std::abs(zero + one - 1) > 0.01)
      scanner.fail_here("variable ", i, " has the probabilities ", zero, " and ", one,
                        ", expected two numbers >= 0 that add up to 1");
    marginals[i] = one;
  }
  scanner.expect_end(message(marginals.size(), " marginals"));
  return marginals;
}

std::vector<double> read_uai_marginals(const std::string& path) {
  return parse_uai_marginals(read_file(path), path);
}

std::string uai_marginals_text(std::span<const double> marginals) {
  std::string text = "MAR\n";
  append_number(text, marginals.size());
  for (Index i = 0; i < marginals.size(); ++i) {
    require(marginals[i] >= 0 && marginals[i] <= 1, "marginal ", i, " is ", marginals[i],
            ", which must be in [0, 1]");
    append_number(text += " 2 ", 1 - marginals[i]);
    append_number(text += ' ', marginals[i]);
  }
  return text + '\n';
}

}  // namespace surefield
