#include "surefield/experiments/table1.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "surefield/api/agreement.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/experiments/numpy_random.hpp"
#include "surefield/io/formats.hpp"

namespace surefield {
namespace {

constexpr int kFolds = 10;
constexpr std::array<Index, 3> kDimensions{2, 3, 10};

/// The categories in the order in which the authors' code draws their random numbers.
struct Category {
  std::string_view name;
  Index items;
};
constexpr std::array<Category, 13> kCategories{{{"furniture", 32},
                                                {"media", 58},
                                                {"diaper", 100},
                                                {"feeding", 100},
                                                {"gear", 100},
                                                {"bedding", 100},
                                                {"apparel", 100},
                                                {"bath", 100},
                                                {"toys", 62},
                                                {"health", 62},
                                                {"strollers", 40},
                                                {"safety", 36},
                                                {"carseats", 34}}};
constexpr std::size_t kOneStream =
    6;  // PA: the first six share a stream, each of the others starts anew

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

using Orders = std::map<std::pair<int, int>, std::vector<Index>>;  // by fold, or pair of folds

/// The first permutation of every problem of a category, the rest of its draws thrown away.
Orders draw_orders(NumpyRandom& random, Index items, bool pairs) {
  Orders orders;
  const auto draw = [&](int first, int second, int later_epochs) {
    orders[{first, second}] = random.permutation(items);
    for (int epoch = 0; epoch < later_epochs; ++epoch) random.permutation(items);
    for (std::size_t d = 0; d < kDimensions.size(); ++d)
      for (Index i = 0; i < items; ++i) random.uniform();
  };
  for (int first = 1; first <= kFolds; ++first) {
    if (!pairs) draw(first, 0, 5);
    for (int second = first + 1; pairs && second <= kFolds; ++second) draw(first, second, 9);
  }
  return orders;
}

/// The problems of one category and dimension, by fold; what could not be read is said in `faults`.
std::map<int, Problem> read_folds(const Table1Options& options, const Category& category,
                                  Index dimensions, std::vector<std::string>& faults) {
  std::map<int, Problem> folds;
  for (int fold = 1; fold <= kFolds; ++fold) {
    const auto path = std::filesystem::path(options.folder) /
                      (std::string(category.name) + "_flid_d_" + std::to_string(dimensions) +
                       "_fold_" + std::to_string(fold) + ".txt");
    try {
      auto file = read_model(path.string(), {.format = "flid"});
      require(size_of(file.model) == category.items, path.string(), ": it has ",
              size_of(file.model), " items, but ", category.name, " has ", category.items);
      folds.emplace(fold, make_problem(std::move(file.model)));
    } catch (const Error& error) {
      faults.push_back(error.what());
    }
  }
  return folds;
}

bool has_files(const Table1Options& options, std::string_view category) {
  for (const auto& entry : std::filesystem::directory_iterator(options.folder))
    if (entry.path().filename().string().starts_with(std::string(category) + "_flid_d_"))
      return true;
  return false;
}

struct Task {
  const Problem* first;
  const Problem* second;  // null: an ELBO
  const std::vector<Index>* order;
  Table1Value key;  // all but solver and value
};

std::vector<Table1Value> solve(const Task& task, const std::vector<Solver>& solvers,
                               const Table1Options& options, std::size_t timed, double& seconds) {
  const Problem both = task.second ? agreement_problem(*task.first, *task.second) : Problem{};
  const Problem& problem = task.second ? both : *task.first;
  std::vector<Table1Value> values;
  for (std::size_t s = 0; s < solvers.size(); ++s) {
    InferOptions how = solvers[s].options;
    how.given_order = {*task.order};
    const Result result = infer(problem, how);
    if (s < timed) seconds += result.seconds;
    values.push_back(task.key);
    values.back().solver = solvers[s].name;
    values.back().value = result.elbo;
  }
  if (options.certify) {
    InferOptions how{.algorithm = "best"};
    how.certify = options.certify;
    const Result result = infer(problem, how);
    values.push_back(task.key);
    values.back().solver = "optimum";
    values.back().value = result.elbo;
    values.back().upper_bound = result.upper_bound.value_or(result.elbo);
  }
  return values;
}

}  // namespace

Table1 reproduce_table1(const Table1Options& options) {
  require(std::filesystem::is_directory(options.folder), options.folder,
          ": there is no such folder of models");
  Table1 table;
  std::vector<Solver> solvers = published();
  const std::size_t timed = solvers.size();
  if (!options.only_published)
    for (auto& solver : ours()) solvers.push_back(std::move(solver));

  std::map<std::pair<std::string_view, Index>, std::map<int, Problem>> models;
  std::map<std::string_view, std::array<Orders, 2>> orders;
  std::array<NumpyRandom, 2> streams{NumpyRandom(99), NumpyRandom(99)};
  for (std::size_t c = 0; c < kCategories.size(); ++c) {
    const Category& category = kCategories[c];
    if (c >= kOneStream && !options.released_stream) streams[1] = NumpyRandom(99);
    orders[category.name] = {draw_orders(streams[0], category.items, false),
                             draw_orders(streams[1], category.items, true)};
    if (!has_files(options, category.name)) continue;
    for (const Index d : kDimensions)
      models[{category.name, d}] = read_folds(options, category, d, table.faults);
  }
  require(!models.empty(), options.folder,
          ": it holds no file <category>_flid_d_<D>_fold_<k>.txt of the paper's");

  std::vector<Task> tasks;
  for (const bool pairs : {false, true})
    for (const auto& category : kCategories)
      for (const Index d : kDimensions) {
        const auto folds = models.find({category.name, d});
        if (folds == models.end()) continue;
        for (const auto& [key, order] : orders[category.name][pairs ? 1 : 0]) {
          const auto first = folds->second.find(key.first);
          const auto second = folds->second.find(key.second);
          if (first == folds->second.end() || (pairs && second == folds->second.end())) continue;
          Table1Value value;
          value.category = category.name;
          value.items = category.items;
          value.dimensions = d;
          value.fold = key.first;
          value.second_fold = key.second;
          tasks.push_back({&first->second, pairs ? &second->second : nullptr, &order, value});
        }
      }
  std::vector<std::vector<Table1Value>> answers(tasks.size());
  std::vector<double> seconds(tasks.size(), 0);
  for_each_index(tasks.size(), options.threads, [&](std::size_t t) {
    if (!options.go_on || options.go_on())
      answers[t] = solve(tasks[t], solvers, options, timed, seconds[t]);
  });
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (answers[t].empty()) table.complete = false;
    table.values.insert(table.values.end(), answers[t].begin(), answers[t].end());
    table.solver_seconds += seconds[t];
  }
  return table;
}

}  // namespace surefield
