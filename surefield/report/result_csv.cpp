#include "surefield/report/result_csv.hpp"

#include "surefield/report/csv_table.hpp"

namespace surefield {

std::string result_csv(const Result& result) {
  CsvTable csv{"index", "item", "marginal"};
  for (std::size_t i = 0; i < result.marginals.size(); ++i)
    csv.add(i, result.items.empty() ? "" : result.items[i], result.marginals[i]);
  return csv.text();
}

}  // namespace surefield
