#include "surefield/experiments/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

namespace fs = std::filesystem;

struct KnownGraph {
  const char* name;
  const char* file;
  const char* folder;
  const char* best;  // a file of lines `name cut`
};
constexpr KnownGraph kGraphs[] = {
    {"g05_60.0", "g05_60.0", "maxcut_biqmac", "optimal_rudy.txt"},
    {"g05_80.0", "g05_80.0", "maxcut_biqmac", "optimal_rudy.txt"},
    {"pw05_100.0", "pw05_100.0", "maxcut_biqmac", "optimal_rudy.txt"},
    {"G1", "G1.txt", "maxcut_gset", "best_known.txt"},
    {"G14", "G14.txt", "maxcut_gset", "best_known.txt"},
    {"G22", "G22.txt", "maxcut_gset", "best_known.txt"},
};
constexpr double kDensities[] = {0.15, 0.4};

std::optional<fs::path> graph_file(const fs::path& folder, const KnownGraph& graph) {
  for (const fs::path& place : {folder, folder / graph.folder})
    if (fs::is_regular_file(place / graph.file)) return place / graph.file;
  return {};
}

std::optional<double> known_cut(const fs::path& file, const std::string& name) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string graph;
    double best = 0;
    if (words >> graph >> best && graph == name) return best;
  }
  return {};
}

Problem hard_random_graph(Index n, double density) {
  Random random(n);
  std::vector<Edge> edges;
  std::vector<double> bias(n, 0);
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (random.chance(density)) {
        const double coupling = random.uniform(-3, 0);
        edges.push_back({i, j, coupling});
        bias[i] -= coupling / 2, bias[j] -= coupling / 2;
      }
  for (double& b : bias) b += random.uniform(-1, 1);
  return make_problem(AnyModel(make_pairwise_field(std::move(bias), edges)));
}

CutsRow cut_row(CutsRow row, const Problem& problem, const CutsOptions& options) {
  const Stopwatch watch;
  InferOptions how{.certify = options.seconds};
  how.inverse_temperature = row.beta;
  how.wanted_gap = options.wanted_gap;
  how.budget = options.budget;
  const Result best = infer(problem, how);
  row.n = problem.size();
  row.elbo = best.elbo;
  row.upper_bound = best.upper_bound;
  row.bound_method = best.upper_bound_method;
  row.seconds = watch.seconds();
  return row;
}

}  // namespace

std::optional<double> CutsRow::gap() const {
  if (!upper_bound) return {};
  return (*upper_bound - elbo) / std::max(1.0, std::abs(elbo));
}

std::optional<double> CutsRow::share() const {
  if (!best_cut || !(*best_cut > 0)) return {};
  return elbo / (beta * *best_cut);
}

Cuts cuts(const CutsOptions& options) {
  const Stopwatch watch;
  const fs::path folder = options.folder;
  require(fs::is_directory(folder), options.folder, ": there is no such folder of graphs");
  std::vector<std::pair<const KnownGraph*, fs::path>> files;
  for (const KnownGraph& graph : kGraphs)
    if (const auto file = graph_file(folder, graph)) files.emplace_back(&graph, *file);
  require(!files.empty(), options.folder,
          ": it holds none of g05_60.0, g05_80.0, pw05_100.0, G1.txt, G14.txt, G22.txt");
  Cuts found;
  Ticker tick(
      files.size() * options.betas.size() + options.random_sizes.size() * std::size(kDensities),
      options.progress);
  const auto take = [&](CutsRow row, auto&& make) {
    if (options.budget.spent()) {
      found.complete = false;
      return;
    }
    try {
      row = cut_row(std::move(row), make(), options);
      if (options.budget.spent())
        found.complete = false;  // one cut short would not be comparable
      else
        found.rows.push_back(std::move(row));
    } catch (const Error& error) {
      found.faults.emplace_back(error.what());
    }
    tick();
  };
  for (const auto& [graph, file] : files)
    for (const double beta : options.betas)
      take({.name = graph->name,
            .beta = beta,
            .best_cut = known_cut(file.parent_path() / graph->best, graph->name)},
           [&] { return make_problem(read_model(file.string(), {}).model); });
  for (const Index n : options.random_sizes)
    for (const double density : kDensities)
      take({.name = fmt::format("hard random, n = {}, density {}", n, density)},
           [&] { return hard_random_graph(n, density); });
  found.seconds = watch.seconds();
  return found;
}

std::string cuts_text(const Cuts& cuts) {
  TextTable table({{"graph", TextTable::Side::kLeft},
                   {"n"},
                   {"beta"},
                   {"ELBO"},
                   {"upper bound"},
                   {"gap %"},
                   {"of the best cut %"},
                   {"seconds"}});
  const auto per_cent = [](std::optional<double> part) {
    return part ? std::optional(100 * *part) : std::nullopt;
  };
  for (const auto& row : cuts.rows)
    table.add({row.name, fmt::format("{}", row.n), fmt::format("{}", row.beta),
               round_down_text(row.elbo, 4), round_up_text(row.upper_bound, 4),
               round_up_text(per_cent(row.gap()), 4), round_down_text(per_cent(row.share()), 2),
               fmt::format("{:.2f}", row.seconds)});
  std::string out = table.text("");
  for (const auto& fault : cuts.faults) out += fmt::format("not certified: {}\n", fault);
  if (!cuts.complete) out += "stopped early: graphs are missing\n";
  return out;
}

std::string cuts_csv(const Cuts& cuts) {
  CsvTable csv{"graph", "n", "beta", "elbo", "upper_bound", "gap", "best_cut", "share", "seconds"};
  for (const auto& row : cuts.rows)
    csv.add(row.name, row.n, row.beta, row.elbo, row.upper_bound, row.gap(), row.best_cut,
            row.share(), row.seconds);
  return csv.text();
}

std::string cuts_json(const Cuts& cuts) {
  OrderedJson rows = OrderedJson::array();
  const auto number = [](const std::optional<double>& value) {
    return json_number(value.value_or(INFINITY));
  };
  for (const auto& row : cuts.rows)
    rows.push_back({{"graph", row.name},
                    {"n", row.n},
                    {"beta", row.beta},
                    {"elbo", json_number(row.elbo)},
                    {"upper_bound", number(row.upper_bound)},
                    {"gap", number(row.gap())},
                    {"bound_method", row.bound_method},
                    {"best_cut", number(row.best_cut)},
                    {"share", number(row.share())},
                    {"seconds", row.seconds}});
  OrderedJson json = experiment_json({.experiment = "cuts",
                                      .complete = cuts.complete,
                                      .faults = cuts.faults,
                                      .seconds = cuts.seconds});
  json["rows"] = std::move(rows);
  return json_text(json);
}

}  // namespace surefield
