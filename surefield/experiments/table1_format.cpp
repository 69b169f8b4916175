#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/printed_table1.hpp"
#include "surefield/experiments/table1.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

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

  const Cell* find(std::string_view solver) const {
    const auto found = std::ranges::find(cells, solver, &Cell::solver);
    return found == cells.end() ? nullptr : &*found;
  }
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
  return round_down_text(interval->low, digits) + " to " + round_up_text(interval->high, digits);
}

/// Of one objective. Columns that the paper does not have are left out where no row has them.
std::string objective_table(const std::vector<Row>& rows, bool pairs) {
  std::vector<TextTable::Column> columns{{"category", TextTable::Side::kLeft},
                                         {"n"},
                                         {"D"},
                                         {"Sub-DG", TextTable::Side::kLeft},
                                         {"BSCB", TextTable::Side::kLeft},
                                         {"DR-DG", TextTable::Side::kLeft}};
  std::vector<std::string_view> ours;
  for (const auto solver : kOurs)
    if (std::ranges::any_of(rows, [&](const Row& row) { return row.find(solver) != nullptr; })) {
      ours.push_back(solver);
      columns.push_back({std::string(solver)});
    }
  const bool intervals = !ours.empty() || std::ranges::any_of(rows, [](const Row& row) {
    return row.optimum || row.log_z;
  });
  if (intervals) {
    columns.push_back({"certified optimum", TextTable::Side::kLeft});
    columns.push_back({"log Z", TextTable::Side::kLeft});
  }
  TextTable table(columns);
  for (const auto& row : rows) {
    if (row.pairs != pairs) continue;
    std::vector<std::string> cells{std::string(row.printed->category),
                                   fmt::format("{}", row.printed->items),
                                   fmt::format("{}", row.printed->dimensions)};
    for (const auto& cell : row.cells)
      if (cell.printed)
        cells.push_back(
            fmt::format("{:.3f}+-{:.3f} {}", cell.mean, cell.deviation, cell.equal ? "=" : "!"));
    for (const auto solver : ours) {
      const Cell* const cell = row.find(solver);
      cells.push_back(cell ? fmt::format("{:.4f}", cell->mean) : "");
    }
    if (intervals) {
      cells.push_back(ends(row.optimum, 6));
      cells.push_back(ends(row.log_z, 4));
    }
    table.add(std::move(cells));
  }
  return table.text("");
}

/// How many of the printed cells are equal, and how many there are.
std::pair<int, int> equal_of(const std::vector<Row>& rows) {
  int equal = 0, total = 0;
  for (const auto& row : rows)
    for (const auto& cell : row.cells) {
      equal += cell.printed && cell.equal;
      total += cell.printed != nullptr;
    }
  return {equal, total};
}

}  // namespace

std::string table1_text(const Table1& table) {
  const auto rows = rows_of(table);
  std::string out;
  for (const bool pairs : {false, true})
    out += fmt::format(
        "{}: mean and deviation, = where the printed cell is the same to its last digit\n{}\n",
        pairs ? "PA-ELBO, 45 pairs of folds" : "ELBO, 10 folds", objective_table(rows, pairs));
  const auto [equal, total] = equal_of(rows);
  out += fmt::format(
      "{} of {} printed cells reproduced to the last digit; {:.3f} s in the published algorithms\n",
      equal, total, table.solver_seconds);
  for (const auto& sentence : table.left_out) out += fmt::format("left out: {}\n", sentence);
  for (const auto& fault : table.faults) out += fmt::format("not reproduced: {}\n", fault);
  if (!table.complete) out += "stopped early: the table is not complete\n";
  return out;
}

std::string table1_csv(const Table1& table) {
  CsvTable elbo{"category", "n", "D", "solver", "fold", "elbo"};
  CsvTable agreement{"category", "n", "D", "solver", "fold_a", "fold_b", "pa_elbo"};
  bool pairs = false;
  const auto put = [&](const Table1Value& value, std::string_view solver, double number) {
    if (value.second_fold != 0)
      agreement.add(value.category, value.items, value.dimensions, solver, value.fold,
                    value.second_fold, number);
    else
      elbo.add(value.category, value.items, value.dimensions, solver, value.fold, number);
  };
  for (const auto& value : table.values) {
    pairs = pairs || value.second_fold != 0;
    const bool log_z = value.solver == "log Z";
    put(value, log_z ? "log Z, lower" : value.solver, value.value);
    if (log_z) put(value, "log Z, upper", value.upper_bound);
  }
  return elbo.text() + (pairs ? agreement.text() : "");
}

std::string table1_json(const Table1& table) {
  OrderedJson list = OrderedJson::array();
  const auto rows = rows_of(table);
  for (const auto& row : rows) {
    OrderedJson cells = OrderedJson::array();
    for (const auto& cell : row.cells) {
      const auto printed = [&](std::string_view text) {
        return cell.printed ? json_number(std::stod(std::string(text))) : OrderedJson(nullptr);
      };
      cells.push_back({{"solver", cell.solver},
                       {"mean", json_number(cell.mean)},
                       {"std", json_number(cell.deviation)},
                       {"printed_mean", printed(cell.printed ? cell.printed->mean : "")},
                       {"printed_std", printed(cell.printed ? cell.printed->deviation : "")},
                       {"equal", cell.printed ? OrderedJson(cell.equal) : nullptr}});
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
  OrderedJson json = experiment_json({.experiment = "table1",
                                      .complete = table.complete,
                                      .faults = table.faults,
                                      .left_out = table.left_out,
                                      .seconds = table.seconds});
  json["rows"] = std::move(list);
  const auto [equal, total] = equal_of(rows);
  json["equal_cells"] = equal;
  json["printed_cells"] = total;
  json["solver_seconds"] = json_number(table.solver_seconds);
  return json_text(json);
}

}  // namespace surefield
