#include "surefield/report/result_csv.hpp"

#include <fmt/format.h>

#include <iterator>

namespace surefield {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string result_csv(const Result& result) {
  std::string out = "index,item,marginal\n";
  for (std::size_t i = 0; i < result.marginals.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{},{},{:.17g}\n", i,
                   result.items.empty() ? "" : csv_field(result.items[i]), result.marginals[i]);
  return out;
}

}  // namespace surefield
