#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include "surefield/experiments/printed_table1.hpp"
#include "surefield/experiments/table1.hpp"
#include "surefield/report/result_csv.hpp"

namespace surefield {
namespace {

struct Moments {
  double sum = 0, squares = 0, upper = 0;
  int count = 0;

  void add(const Table1Value& value) {
    sum += value.value;
    squares += value.value * value.value;
    upper += value.upper_bound;
    ++count;
  }
  double mean() const { return sum / count; }
  double deviation() const {
    return std::sqrt(std::max(0.0, squares / count - mean() * mean()));
  }  // of the population
};

constexpr std::array<std::string_view, 3> kPublished{"Submodular-DoubleGreedy", "BSCB",
                                                     "DR-DoubleGreedy"};
constexpr std::array<std::string_view, 6> kOurs{
    "equalised", "equalised, contracted", "continuous", "guarded", "best", "optimum"};

}  // namespace

std::string table1_text(const Table1& table) {
  std::map<std::tuple<std::string, Index, bool, std::string_view>, Moments> cells;
  for (const auto& value : table.values)
    cells[{value.category, value.dimensions, value.second_fold != 0, value.solver}].add(value);

  std::string out;
  const auto put = [&](std::string_view form, const auto&... parts) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(parts...));
  };
  int equal = 0;
  int total = 0;
  for (const bool pairs : {false, true}) {
    put("{}: mean and deviation, = where the printed cell is the same to its last digit\n",
        pairs ? "PA-ELBO, 45 pairs of folds" : "ELBO, 10 folds");
    put("{:<10}{:>4}{:>3}  {:<16}{:<16}{:<16}{:>9}{:>9}{:>9}{:>9}{:>9}  {}\n", "category", "n", "D",
        "Sub-DG", "BSCB", "DR-DG", "equal.", "contr.", "contin.", "guarded", "best",
        "certified optimum");
    for (const auto& row : printed_table1()) {
      const auto cell = [&](std::string_view solver) -> const Moments* {
        const auto found = cells.find(
            {std::string(row.category), static_cast<Index>(row.dimensions), pairs, solver});
        return found == cells.end() ? nullptr : &found->second;
      };
      if (!cell(kPublished[0])) continue;
      put("{:<10}{:>4}{:>3}  ", row.category, row.items, row.dimensions);
      for (std::size_t s = 0; s < kPublished.size(); ++s) {
        const Moments& ours = *cell(kPublished[s]);
        const PrintedCell& printed = (pairs ? row.agreement : row.elbo)[s];
        const std::string mean = fmt::format("{:.3f}", ours.mean());
        const std::string deviation = fmt::format("{:.3f}", ours.deviation());
        const bool same = mean == printed.mean && deviation == printed.deviation;
        equal += same;
        ++total;
        put("{:<16}", fmt::format("{}+-{} {}", mean, deviation, same ? "=" : "!"));
      }
      for (const auto solver : kOurs) {
        const Moments* const ours = cell(solver);
        if (!ours) continue;
        if (solver == "optimum")
          put("  {:.6f} to {:.6f}", ours->mean(), ours->upper / ours->count);
        else
          put("{:>9.4f}", ours->mean());
      }
      out += '\n';
    }
    out += '\n';
  }
  put("{} of {} printed cells reproduced to the last digit; {:.3f} s in the published algorithms\n",
      equal, total, table.solver_seconds);
  for (const auto& fault : table.faults) put("not reproduced: {}\n", fault);
  if (!table.complete) out += "stopped early: the table is not complete\n";
  return out;
}

std::string table1_csv(const Table1& table) {
  std::string out = "category,n,D,solver,fold,elbo\n";
  bool pairs = false;
  for (const auto& value : table.values) {
    if (value.second_fold != 0 && !pairs) {
      pairs = true;
      out += "category,n,D,solver,fold_a,fold_b,pa_elbo\n";
    }
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{}", value.category, value.items,
                   value.dimensions, csv_field(value.solver), value.fold);
    if (pairs) fmt::format_to(std::back_inserter(out), ",{}", value.second_fold);
    fmt::format_to(std::back_inserter(out), ",{:.17g}\n", value.value);
  }
  return out;
}

}  // namespace surefield
