#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/printed_table1.hpp"
#include "surefield/experiments/table1.hpp"
#include "surefield/report/csv_table.hpp"

namespace surefield {
namespace {

struct CellMoments {
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
constexpr std::array<std::string_view, 5> kOurs{"equalised", "equalised, contracted", "continuous",
                                                "guarded", "best"};

struct Cell {
  std::string_view solver;
  double mean, deviation;
  const PrintedCell* printed;  // null: the paper has no such column
  bool equal;                  // to the last printed digit
};

/// A row of the table, one objective of it: what text and JSON write.
struct Row {
  const PrintedRow* printed;
  bool pairs;
  int problems;
  std::vector<Cell> cells;
  std::optional<Interval> optimum, log_z;  // means of both ends
};

using CellKey = std::tuple<std::string_view, Index, bool, std::string_view>;

Cell cell_of(std::string_view solver, const CellMoments& moments, const PrintedCell* printed) {
  Cell cell{solver, moments.mean(), moments.deviation(), printed, false};
  cell.equal = printed && fmt::format("{:.3f}", cell.mean) == printed->mean &&
               fmt::format("{:.3f}", cell.deviation) == printed->deviation;
  return cell;
}

std::vector<Row> rows_of(const Table1& table) {
  std::map<CellKey, CellMoments> cells;
  for (const auto& value : table.values)
    cells[{value.category, value.dimensions, value.second_fold != 0, value.solver}].add(value);
  std::vector<Row> rows;
  for (const bool pairs : {false, true})
    for (const auto& printed : printed_table1()) {
      const auto find = [&](std::string_view solver) -> const CellMoments* {
        const auto found =
            cells.find({printed.category, static_cast<Index>(printed.dimensions), pairs, solver});
        return found == cells.end() ? nullptr : &found->second;
      };
      if (!find(kPublished[0])) continue;
      Row row{&printed, pairs, find(kPublished[0])->count, {}, {}, {}};
      for (std::size_t s = 0; s < kPublished.size(); ++s)
        row.cells.push_back(cell_of(kPublished[s], *find(kPublished[s]),
                                    &(pairs ? printed.agreement : printed.elbo)[s]));
      for (const auto solver : kOurs)
        if (const auto* ours = find(solver)) row.cells.push_back(cell_of(solver, *ours, nullptr));
      // A mean over some of the problems only would not stand beside the others.
      const auto interval = [&](std::string_view solver) -> std::optional<Interval> {
        const CellMoments* const both = find(solver);
        if (!both || both->count != row.problems || !std::isfinite(both->upper)) return {};
        return Interval{both->mean(), both->upper / both->count};
      };
      row.optimum = interval("optimum");
      row.log_z = interval("log Z");
      rows.push_back(std::move(row));
    }
  return rows;
}

std::string ends(const std::optional<Interval>& interval, int digits) {
  if (!interval) return "-";
  if (interval->is_point()) return fmt::format("{:.{}f}", interval->low, digits);
  return fmt::format("{:.{}f} to {:.{}f}", interval->low, digits, interval->high, digits);
}

}  // namespace

std::string table1_text(const Table1& table) {
  std::string out;
  const auto put = [&](std::string_view form, const auto&... parts) {
    fmt::vformat_to(std::back_inserter(out), form, fmt::make_format_args(parts...));
  };
  int equal = 0;
  int total = 0;
  const auto rows = rows_of(table);
  for (const bool pairs : {false, true}) {
    put("{}: mean and deviation, = where the printed cell is the same to its last digit\n",
        pairs ? "PA-ELBO, 45 pairs of folds" : "ELBO, 10 folds");
    put("{:<10}{:>4}{:>3}  {:<16}{:<16}{:<16}{:>9}{:>9}{:>9}{:>9}{:>9}  {:<22}  {}\n", "category",
        "n", "D", "Sub-DG", "BSCB", "DR-DG", "equal.", "contr.", "contin.", "guarded", "best",
        "certified optimum", "log Z");
    for (const auto& row : rows) {
      if (row.pairs != pairs) continue;
      put("{:<10}{:>4}{:>3}  ", row.printed->category, row.printed->items, row.printed->dimensions);
      for (const auto& cell : row.cells) {
        if (!cell.printed) {
          put("{:>9.4f}", cell.mean);
          continue;
        }
        equal += cell.equal;
        ++total;
        put("{:<16}",
            fmt::format("{:.3f}+-{:.3f} {}", cell.mean, cell.deviation, cell.equal ? "=" : "!"));
      }
      const std::size_t absent = kPublished.size() + kOurs.size() - row.cells.size();
      if (absent == 0 || row.optimum || row.log_z)
        put("{}  {:<22}  {}", std::string(9 * absent, ' '), ends(row.optimum, 6),
            ends(row.log_z, 4));
      out += '\n';
    }
    out += '\n';
  }
  put("{} of {} printed cells reproduced to the last digit; {:.3f} s in the published algorithms\n",
      equal, total, table.solver_seconds);
  for (const auto& sentence : table.left_out) put("left out: {}\n", sentence);
  for (const auto& fault : table.faults) put("not reproduced: {}\n", fault);
  if (!table.complete) out += "stopped early: the table is not complete\n";
  return out;
}

std::string table1_csv(const Table1& table) {
  std::string out = "category,n,D,solver,fold,elbo\n";
  bool pairs = false;
  const auto put = [&](const Table1Value& value, std::string_view solver, double number) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{}", value.category, value.items,
                   value.dimensions, csv_field(solver), value.fold);
    if (pairs) fmt::format_to(std::back_inserter(out), ",{}", value.second_fold);
    fmt::format_to(std::back_inserter(out), ",{:.17g}\n", number);
  };
  for (const auto& value : table.values) {
    if (value.second_fold != 0 && !pairs) {
      pairs = true;
      out += "category,n,D,solver,fold_a,fold_b,pa_elbo\n";
    }
    const bool log_z = value.solver == "log Z";
    put(value, log_z ? "log Z, lower" : value.solver, value.value);
    if (log_z) put(value, "log Z, upper", value.upper_bound);
  }
  return out;
}

std::string table1_json(const Table1& table) {
  ExperimentJson list = ExperimentJson::array();
  int equal = 0;
  int total = 0;
  for (const auto& row : rows_of(table)) {
    ExperimentJson cells = ExperimentJson::array();
    for (const auto& cell : row.cells) {
      const auto printed = [&](std::string_view text) {
        return cell.printed ? json_number(std::stod(std::string(text))) : ExperimentJson(nullptr);
      };
      equal += cell.equal;
      total += cell.printed != nullptr;
      cells.push_back({{"solver", cell.solver},
                       {"mean", json_number(cell.mean)},
                       {"std", json_number(cell.deviation)},
                       {"printed_mean", printed(cell.printed ? cell.printed->mean : "")},
                       {"printed_std", printed(cell.printed ? cell.printed->deviation : "")},
                       {"equal", cell.printed ? ExperimentJson(cell.equal) : nullptr}});
    }
    list.push_back({{"category", row.printed->category},
                    {"n", row.printed->items},
                    {"D", row.printed->dimensions},
                    {"objective", row.pairs ? "pa-elbo" : "elbo"},
                    {"problems", row.problems},
                    {"cells", cells},
                    {"optimum", json_interval(row.optimum)},
                    {"log_z", json_interval(row.log_z)},
                    {"log_z_exact", row.log_z && row.log_z->is_point()}});
  }
  ExperimentJson json = experiment_json({.experiment = "table1",
                                         .complete = table.complete,
                                         .faults = table.faults,
                                         .left_out = table.left_out,
                                         .seconds = table.seconds});
  json["rows"] = std::move(list);
  json["equal_cells"] = equal;
  json["printed_cells"] = total;
  json["solver_seconds"] = json_number(table.solver_seconds);
  return json_text(json);
}

}  // namespace surefield
