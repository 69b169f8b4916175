#include "surefield/report/result_csv.hpp"

#include <optional>

#include "surefield/report/csv_table.hpp"

namespace surefield {

std::string result_csv(const Result& result) {
  if (const auto& of_sets = result.set_marginals) {
    CsvTable csv{"index", "item", "marginal", "at_least", "at_most"};
    for (std::size_t i = 0; i < result.marginals.size(); ++i) {
      std::optional<double> low, high;
      if (!of_sets->in.empty()) low = of_sets->in[i].low, high = of_sets->in[i].high;
      csv.add(i, result.items.empty() ? "" : result.items[i], result.marginals[i], low, high);
    }
    return csv.text();
  }
  CsvTable csv{"index", "item", "marginal"};
  for (std::size_t i = 0; i < result.marginals.size(); ++i)
    csv.add(i, result.items.empty() ? "" : result.items[i], result.marginals[i]);
  return csv.text();
}

}  // namespace surefield
