#include "surefield/experiments/table1.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "surefield/api/agreement.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/paper_stream.hpp"

namespace surefield {

static auto fields_of(Table1Value& row) {
  auto& [category, items, dimensions, solver, fold, second_fold, value, upper_bound, seconds] = row;
  return std::tie(category, items, dimensions, solver, fold, second_fold, value, upper_bound,
                  seconds);
}

namespace {

struct Solver {
  std::string_view name;
  InferOptions options;
};

std::vector<Solver> published() {
  return {{"Submodular-DoubleGreedy", {.algorithm = "submodular-double-greedy"}},
          {"BSCB", {.algorithm = "bscb", .epsilon = 1e-3}},
          {"DR-DoubleGreedy", {.algorithm = "dr-double-greedy"}}};
}

std::vector<Solver> ours() {
  return {{"equalised", {.algorithm = "equalised"}},
          {"equalised, contracted", {.algorithm = "equalised", .contract = true}},
          {"continuous", {.algorithm = "continuous", .contract = true}},
          {"guarded", {.algorithm = "guarded"}},
          {"best", {.algorithm = "best", .quick_proof = false}}};
}

/// The problems of one category and dimension, by fold; what could not be read is said in `faults`.
std::map<int, Problem> read_folds(const Table1Options& options, const PaperCategory& category,
                                  Index dimensions, std::vector<std::string>& faults) {
  std::map<int, Problem> folds;
  for (int fold = 1; fold <= kPaperFolds; ++fold) try {
      folds.emplace(fold, read_paper_model(options.folder, category, dimensions, fold));
    } catch (const Error& error) {
      faults.push_back(error.what());
    }
  return folds;
}

struct Table1Task {
  const Problem* first;
  const Problem* second;  // null: an ELBO
  const std::vector<Index>* order;
  Table1Value key;  // all but solver and value
};

bool go_on(const Table1Options& options) { return !options.budget.spent(); }

/// Without a budget only what is exact within milliseconds: single models of few dimensions.
bool wants_log_z(const Table1Task& task, const Table1Options& options) {
  return options.log_z || (!options.only_published && !task.second && task.key.dimensions <= 3);
}

struct Table1Answer {
  std::vector<Table1Value> values;  // none: told to stop
  double seconds = 0;               // of the solvers that are timed
};

auto fields_of(Table1Answer& answer) {
  auto& [values, seconds] = answer;
  return std::tie(values, seconds);
}

Table1Answer solve(const Table1Task& task, const std::vector<Solver>& solvers,
                   const Table1Options& options, std::size_t timed) {
  const Problem both = task.second ? agreement_problem(*task.first, *task.second) : Problem{};
  const Problem& problem = task.second ? both : *task.first;
  Table1Answer answer;
  auto& [values, seconds] = answer;
  for (std::size_t s = 0; s < solvers.size(); ++s) {
    InferOptions how = solvers[s].options;
    how.given_order = {*task.order};
    const Result result = infer(problem, how);
    values.push_back(task.key);
    values.back().solver = solvers[s].name;
    values.back().value = result.elbo;
    values.back().seconds = result.seconds;
    if (s < timed) seconds += result.seconds;
  }
  if (options.certify && go_on(options)) {
    InferOptions how{.algorithm = "best"};
    how.certify = options.certify;
    how.observer = [&](TracePoint&) { return go_on(options); };
    const Result result = infer(problem, how);
    values.push_back(task.key);
    values.back().solver = "optimum";
    values.back().value = result.elbo;
    values.back().upper_bound = result.upper_bound.value_or(INFINITY);
  }
  if (wants_log_z(task, options) && go_on(options)) {
    const Budget budget = options.budget.with_threads(1);
    const LogZResult found =
        log_z(problem, {.goal = options.log_z ? LogZGoal::kWidth : LogZGoal::kExact,
                        .budget = options.log_z ? log_z_budget(budget, *options.log_z) : budget})
            .sound();
    if (found.exact || (options.log_z && found.is_bounded())) {
      values.push_back(task.key);
      values.back().solver = "log Z";
      values.back().value = *found.lower;
      values.back().upper_bound = *found.upper;
    }
  }
  return answer;
}

}  // namespace

Table1 reproduce_table1(const Table1Options& options) {
  const Stopwatch watch;
  require(std::filesystem::is_directory(options.folder), options.folder,
          ": there is no such folder of models");
  Table1 table;
  std::vector<Solver> solvers = published();
  const std::size_t timed = solvers.size();
  if (!options.only_published)
    for (auto& solver : ours()) solvers.push_back(std::move(solver));

  std::map<std::pair<std::string_view, Index>, std::map<int, Problem>> models;
  for (const auto& category : paper_categories()) {
    if (!has_paper_models(options.folder, category.name)) continue;
    for (const Index d : kPaperDimensions)
      models[{category.name, d}] = read_folds(options, category, d, table.faults);
  }
  require(!models.empty(), options.folder,
          ": it holds no file <category>_flid_d_<D>_fold_<k>.txt of the paper's");

  const std::array<PaperStream, 2> streams{elbo_stream(),
                                           agreement_stream(options.released_stream)};
  std::vector<Table1Task> tasks;
  for (const bool pairs : {false, true})
    for (const auto& category : paper_categories())
      for (const Index d : kPaperDimensions) {
        const auto folds = models.find({category.name, d});
        if (folds == models.end()) continue;
        for (const auto& [key, draws] : streams[pairs ? 1 : 0].at(category.name)) {
          const auto first = folds->second.find(key.first);
          const auto second = folds->second.find(key.second);
          if (first == folds->second.end() || (pairs && second == folds->second.end())) continue;
          Table1Value value;
          value.category = category.name;
          value.items = category.items;
          value.dimensions = d;
          value.fold = key.first;
          value.second_fold = key.second;
          tasks.push_back(
              {&first->second, pairs ? &second->second : nullptr, &draws.orders[0], value});
        }
      }
  Ticker tick(tasks.size(), options.progress);
  const auto task = [&](std::size_t t) {
    return go_on(options) ? solve(tasks[t], solvers, options, timed) : Table1Answer{};
  };
  const auto answers = in_order(tasks.size(), options.budget, options.crew, task, [&] { tick(); });
  for (const auto& [values, seconds] : answers.results) {
    table.values.insert(table.values.end(), values.begin(), values.end());
    table.solver_seconds += seconds;
  }
  table.complete = answers.complete;
  std::vector<std::string_view> names;
  for (const auto& category : paper_categories()) names.push_back(category.name);
  table.left_out = missing_categories(options.folder, names);
  if (!options.certify && !options.only_published)
    table.left_out.push_back("the certified optimum: give --certify SECONDS, a problem");
  if (!options.log_z && !options.only_published)
    table.left_out.push_back(
        "log Z of D = 10 and of pairs of folds: give --log-z SECONDS, a problem");
  table.seconds = watch.seconds();
  return table;
}

}  // namespace surefield
