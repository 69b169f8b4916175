#include "surefield/experiments/figures.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

#include "surefield/api/agreement.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_fields.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/paper_stream.hpp"

namespace surefield {
namespace {

constexpr std::size_t kFrankWolfeEpochs = 6;  // of the others
constexpr std::size_t kFrankWolfeIterations = 60;

/// One row of a figure: a category and its folds, at every dimension.
struct FigureRow {
  std::string_view figure, id;
  std::string_view category;
  PaperFolds folds;
  bool frank_wolfe = false;
};
constexpr std::array<FigureRow, 11> kFigureRows{{
    {"PA-ELBO trajectories", "pa", "safety", {1, 2}},
    {"ELBO trajectories", "elbo", "gear", {1, 0}},
    {"ELBO trajectories", "elbo", "bath", {1, 0}},
    {"shrunken Frank-Wolfe", "frank-wolfe-elbo", "gear", {1, 0}, true},
    {"shrunken Frank-Wolfe", "frank-wolfe-pa", "safety", {1, 2}, true},
    {"more ELBO", "more-elbo", "strollers", {3, 0}},
    {"more ELBO", "more-elbo", "health", {1, 0}},
    {"more ELBO", "more-elbo", "bath", {1, 0}},
    {"more PA-ELBO", "more-pa", "furniture", {6, 10}},
    {"more PA-ELBO", "more-pa", "toys", {6, 8}},
    {"more PA-ELBO", "more-pa", "bedding", {7, 9}},
}};

/// A problem is solved once, whatever number of figures shows it.
using Key = std::tuple<std::string_view, PaperFolds, Index>;  // category, folds, D

struct Curves {
  std::vector<Trajectory> one_epoch, many_epochs, frank_wolfe;
  std::optional<Interval> log_z;
};

auto fields_of(Curves& curves) {
  auto& [one_epoch, many_epochs, frank_wolfe, log_z] = curves;
  return std::tie(one_epoch, many_epochs, frank_wolfe, log_z);
}

struct Solved {
  std::optional<Problem> problem;
  std::optional<Curves> curves;  // none: told to stop
};

std::vector<Key> keys_needed() {
  std::vector<Key> keys;
  std::vector<std::string_view> shown;
  for (const auto& row : kFigureRows)
    for (const Index d : kPaperDimensions)
      if (const Key key{row.category, row.folds, d};
          std::find(keys.begin(), keys.end(), key) == keys.end())
        keys.push_back(key);
  return keys;
}

bool has_frank_wolfe(const Key& key) {
  return std::any_of(kFigureRows.begin(), kFigureRows.end(), [&](const FigureRow& row) {
    return row.frank_wolfe && row.category == std::get<0>(key) && row.folds == std::get<1>(key);
  });
}

Problem read_problem(const std::string& folder, const Key& key) {
  const auto& [name, folds, dimensions] = key;
  const PaperCategory& category = paper_category(name);
  Problem first = read_paper_model(folder, category, dimensions, folds.first);
  if (folds.second == 0) return first;
  return agreement_problem(first, read_paper_model(folder, category, dimensions, folds.second));
}

Curves solve(const Key& key, const PaperDraws& draws, const FiguresOptions& options,
             const Problem& problem) {
  Curves solved;
  const auto& dimensions = kPaperDimensions;
  const auto d = static_cast<std::size_t>(
      std::find(dimensions.begin(), dimensions.end(), std::get<2>(key)) - dimensions.begin());
  solved.one_epoch = one_epoch_values(problem, draws.orders[0]);
  solved.many_epochs = multi_epoch_trajectories(problem, draws.orders, draws.starts[d]);
  if (has_frank_wolfe(key))
    solved.frank_wolfe = frank_wolfe_trajectories(problem, kFrankWolfeIterations);
  const LogZResult found =
      log_z(problem,
            {.goal = LogZGoal::kWidth,
             .width = options.log_z_width,
             .budget = log_z_budget(options.budget.with_threads(1), options.log_z_seconds)})
          .sound();
  if (found.is_bounded()) solved.log_z = Interval{*found.lower, *found.upper};
  return solved;
}

Chart chart_of(const FigureRow& row, Index dimensions, const Solved& solved) {
  Chart chart;
  chart.id = message(row.id, "-", row.category, "-D", dimensions);
  chart.figure = row.figure;
  const bool pair = row.folds.second != 0;
  chart.title = pair ? message(row.category, ", folds ", row.folds.first, " and ", row.folds.second,
                               ", D = ", dimensions)
                     : message(row.category, ", fold ", row.folds.first, ", D = ", dimensions);
  chart.objective = pair ? "pa-elbo" : "elbo";
  chart.category = row.category;
  chart.items = solved.problem->size();
  chart.dimensions = dimensions;
  chart.folds =
      pair ? std::vector{row.folds.first, row.folds.second} : std::vector{row.folds.first};
  chart.log_z = solved.curves->log_z;
  chart.series = solved.curves->many_epochs;
  if (row.frank_wolfe) {
    for (auto& series : chart.series) series.points.resize(kFrankWolfeEpochs + 1);
    const auto& slow = solved.curves->frank_wolfe;
    chart.series.insert(chart.series.end(), slow.begin(), slow.end());
  }
  return chart;
}

}  // namespace

Figures reproduce_figures(const FiguresOptions& options) {
  const Stopwatch watch;
  require(std::filesystem::is_directory(options.folder), options.folder,
          ": there is no such folder of models");
  Figures figures;
  const PaperStream elbo = elbo_stream();
  const PaperStream agreement = agreement_stream(options.released_stream);

  std::map<Key, Solved> problems;
  std::vector<Key> keys;
  std::vector<std::string_view> shown;
  for (const Key& key : keys_needed()) {
    const std::string_view category = std::get<0>(key);
    if (std::find(shown.begin(), shown.end(), category) == shown.end()) shown.push_back(category);
    if (!has_paper_models(options.folder, category)) continue;
    try {
      problems[key].problem = read_problem(options.folder, key);
      keys.push_back(key);
    } catch (const Error& error) {
      problems.erase(key);
      figures.faults.push_back(error.what());
    }
  }
  figures.left_out = missing_categories(options.folder, shown);
  require(!keys.empty() || !figures.faults.empty(), options.folder,
          ": it holds no file <category>_flid_d_<D>_fold_<k>.txt of the paper's figures");

  Ticker tick(keys.size(), options.progress);
  const auto task = [&](std::size_t t) -> std::optional<Curves> {
    if (options.budget.spent()) return std::nullopt;
    const auto& [category, folds, dimensions] = keys[t];
    return solve(keys[t], (folds.second == 0 ? elbo : agreement).at(category).at(folds), options,
                 *problems.at(keys[t]).problem);
  };
  auto curves = in_order(keys.size(), options.budget, options.crew, task, [&] { tick(); });
  for (std::size_t t = 0; t < keys.size(); ++t)
    problems.at(keys[t]).curves = std::move(curves.results[t]);

  for (const auto& row : kFigureRows)
    for (const Index d : kPaperDimensions) {
      const auto found = problems.find({row.category, row.folds, d});
      if (found == problems.end()) continue;
      const auto& solved = found->second.curves;
      if (!solved || !solved->log_z) figures.complete = false;
      if (!solved) continue;
      figures.charts.push_back(chart_of(row, d, found->second));
      figures.one_epoch.push_back(solved->one_epoch);
    }
  figures.seconds = watch.seconds();
  return figures;
}

}  // namespace surefield
