#include "surefield/experiments/certified_optima.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "surefield/api/agreement.hpp"
#include "surefield/api/helping.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/attempt.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {

static auto fields_of(CertifiedOptimum& optimum) {
  auto& [name, dimensions, agreement, value, upper_bound, seconds] = optimum;
  return std::tie(name, dimensions, agreement, value, upper_bound, seconds);
}

namespace {

constexpr std::size_t kBoxesAlone = 16;  // of a problem by itself: almost all need fewer
constexpr Index kLarge = 1500;           // weights: beyond, a root may take half a minute

struct OptimumTask {
  std::string name, second;  // file names; no second: an ELBO
  Index dimensions;
};

/// <category>_flid_d_<D>_fold_<k>.txt, taken apart; nothing for any other name.
struct ModelName {
  std::string_view category;
  Index dimensions, fold;
};

std::optional<ModelName> parse_name(std::string_view name) {
  constexpr std::string_view kDimensions = "_flid_d_";
  constexpr std::string_view kFold = "_fold_";
  const auto d = name.find(kDimensions);
  const auto k = name.find(kFold);
  if (d == std::string_view::npos || k == std::string_view::npos || k < d ||
      !name.ends_with(".txt"))
    return {};
  const auto whole = [](std::string_view digits) {
    Index value = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return fault == std::errc() && end == digits.data() + digits.size() ? value : Index{0};
  };
  const auto after_d = d + kDimensions.size();
  const auto after_k = k + kFold.size();
  const ModelName parts{name.substr(0, d), whole(name.substr(after_d, k - after_d)),
                        whole(name.substr(after_k, name.size() - 4 - after_k))};
  if (parts.dimensions == 0 || parts.fold == 0) return {};
  return parts;
}

std::vector<OptimumTask> tasks_in(const CertifiedOptimaOptions& options) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(options.folder))
    names.insert(entry.path().filename().string());
  std::vector<OptimumTask> elbo;
  std::map<std::pair<std::string, Index>, std::map<Index, std::string>> folds;
  for (const auto& name : names) {
    const auto parts = parse_name(name);
    if (!parts) continue;
    if (!options.categories.empty() &&
        std::ranges::find(options.categories, parts->category) == options.categories.end())
      continue;
    elbo.push_back({name, "", parts->dimensions});
    folds[{std::string(parts->category), parts->dimensions}][parts->fold] = name;
  }
  std::vector<OptimumTask> tasks = std::move(elbo);
  for (const auto& [family, files] : folds)
    for (auto first = files.begin(); first != files.end(); ++first)
      for (auto second = std::next(first); second != files.end(); ++second)
        if (options.all_pairs || (first->first == 1 && second->first == 2))
          tasks.push_back({first->second, second->second, family.second});
  return tasks;
}

/// Numbers of tasks, the longest first as far as can be told, so that nobody begins a long one when the others are done: most
/// dimensions take longest, and of those two models at once.
std::vector<std::size_t> longest_first(const std::vector<OptimumTask>& tasks) {
  std::vector<std::size_t> order(tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t t) {
    return std::pair(tasks[t].dimensions, !tasks[t].second.empty());
  });
  return order;
}

Problem problem_of(const OptimumTask& task, const std::string& folder) {
  const auto read = [&](const std::string& name) {
    return make_problem(
        read_model((std::filesystem::path(folder) / name).string(), {.format = "flid"}).model);
  };
  return task.second.empty() ? read(task.name)
                             : agreement_problem(read(task.name), read(task.second));
}

/// Boxes that one process takes alone. Of a large problem the root, and that quickly: what it leaves open is better shared.
std::size_t boxes_alone(const OptimumTask& task, const Problem& problem) {
  const Index models = task.second.empty() ? 1 : 2;
  return models * task.dimensions * problem.size() > kLarge ? 1 : kBoxesAlone;
}

/// Nothing if it was told to stop on the way.
std::optional<CertifiedOptimum> certified(const OptimumTask& task, const Problem& problem,
                                          const CertifiedOptimaOptions& options, InferOptions how) {
  how.certify = options.seconds;
  how.wanted_gap = options.wanted_gap;
  const Result result = infer(problem, how);
  if (options.budget.spent()) return {};
  const bool agreement = !task.second.empty();
  return CertifiedOptimum{.name = agreement ? task.name + " + " + task.second : task.name,
                          .dimensions = task.dimensions,
                          .agreement = agreement,
                          .value = result.elbo,
                          .upper_bound = result.upper_bound.value_or(INFINITY),
                          .seconds = result.seconds};
}

/// Whether more boxes would have helped, and there is time for them.
bool is_open(const Attempt<CertifiedOptimum>& attempt, const CertifiedOptimaOptions& options) {
  return attempt.found && attempt.found->gap() > options.wanted_gap &&
         attempt.found->seconds < 0.5 * options.seconds;
}

/// One that takes long, by all processes together: one leads, and the others visit boxes for it, and parts of its root. They learn nothing
/// of it.
void certify_together(const OptimumTask& task, const CertifiedOptimaOptions& options,
                      Attempt<CertifiedOptimum>& attempt) {
  const Problem problem = problem_of(task, options.folder);
  const auto search = [&](Helpers* helpers) {
    InferOptions how{.budget = options.budget, .helpers = helpers};
    auto found = certified(task, problem, options, std::move(how));
    if (!found) return;
    found->seconds += attempt.found->seconds;
    attempt.found = std::move(found);
  };
  if (options.crew == nullptr)
    search(nullptr);
  else
    options.crew->lead(options.budget, search, helpers_with(problem));
}

}  // namespace

double CertifiedOptimum::gap() const { return (upper_bound - value) / std::abs(value); }

CertifiedOptima certified_optima(const CertifiedOptimaOptions& options) {
  const Stopwatch watch;
  require(std::filesystem::is_directory(options.folder), options.folder,
          ": there is no such folder of models");
  const auto tasks = tasks_in(options);
  require(!tasks.empty(), options.folder, ": it holds no file <category>_flid_d_<D>_fold_<k>.txt",
          options.categories.empty() ? "" : " of the categories asked for");
  Ticker tick(tasks.size(), options.progress);
  const auto order = longest_first(tasks);
  const auto attempt = [&](std::size_t k) -> Attempt<CertifiedOptimum> {
    if (options.budget.spent()) return {};
    try {
      const OptimumTask& task = tasks[order[k]];
      const Problem problem = problem_of(task, options.folder);
      return {certified(
                  task, problem, options,
                  {.effort = boxes_alone(task, problem), .budget = options.budget.with_threads(1)}),
              ""};
    } catch (const Error& error) {
      return {{}, error.what()};
    }
  };
  auto attempts = in_order(tasks.size(), options.budget, options.crew, attempt, [&] { tick(); });
  for (std::size_t k = 0; k < tasks.size(); ++k)
    if (attempts.complete && is_open(attempts.results[k], options))
      certify_together(tasks[order[k]], options, attempts.results[k]);
  CertifiedOptima optima;
  optima.complete = attempts.complete && !options.budget.spent();
  std::vector<std::size_t> place(tasks.size());
  for (std::size_t k = 0; k < tasks.size(); ++k) place[order[k]] = k;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    auto& [found, fault] = attempts.results[place[t]];
    if (found) optima.problems.push_back(std::move(*found));
    // The file of a pair has been named already, alone.
    if (!fault.empty() && tasks[t].second.empty()) optima.faults.push_back(std::move(fault));
  }
  optima.seconds = watch.seconds();
  return optima;
}

std::string certified_optima_text(const CertifiedOptima& optima) {
  constexpr std::array kGaps{1e-6, 1e-4, 1e-3, 1e-2};
  std::vector<TextTable::Column> columns{{"", TextTable::Side::kLeft}, {"D"}, {"problems"}};
  for (const double gap : kGaps) columns.push_back({fmt::format("<={:.0e}", gap)});
  columns.insert(columns.end(), {{"worst gap"}, {"longest s"}, {"total s"}});
  columns.push_back({"worst problem", TextTable::Side::kLeft});
  TextTable table(std::move(columns));
  for (const bool agreement : {false, true}) {
    std::map<Index, std::vector<const CertifiedOptimum*>> by_dimension;
    for (const auto& optimum : optima.problems)
      if (optimum.agreement == agreement) by_dimension[optimum.dimensions].push_back(&optimum);
    for (const auto& [dimensions, rows] : by_dimension) {
      std::vector<std::string> cells{agreement ? "PA-ELBO" : "ELBO", fmt::format("{}", dimensions),
                                     fmt::format("{}", rows.size())};
      for (const double gap : kGaps)
        cells.push_back(
            fmt::format("{}", std::count_if(rows.begin(), rows.end(), [gap](const auto* row) {
                          return row->gap() <= gap * (1 + 1e-9);
                        })));
      const auto* const worst = *std::max_element(
          rows.begin(), rows.end(), [](auto* a, auto* b) { return a->gap() < b->gap(); });
      double longest = 0;
      double total = 0;
      for (const auto* row : rows) longest = std::max(longest, row->seconds), total += row->seconds;
      cells.insert(cells.end(),
                   {fmt::format("{:.2e}", worst->gap()), fmt::format("{:.3f}", longest),
                    fmt::format("{:.2f}", total), worst->name});
      table.add(std::move(cells));
    }
  }
  std::string out = table.text("");
  for (const auto& fault : optima.faults) out += fmt::format("not certified: {}\n", fault);
  if (!optima.complete) out += "stopped early: problems are missing\n";
  return out;
}

std::string certified_optima_csv(const CertifiedOptima& optima) {
  CsvTable csv{"problem", "objective", "D", "value", "upper_bound", "gap", "seconds"};
  for (const auto& o : optima.problems)
    csv.add(o.name, o.agreement ? "pa-elbo" : "elbo", o.dimensions, o.value, o.upper_bound, o.gap(),
            o.seconds);
  return csv.text();
}

std::string certified_optima_json(const CertifiedOptima& optima) {
  OrderedJson problems = OrderedJson::array();
  for (const auto& o : optima.problems)
    problems.push_back({{"problem", o.name},
                        {"objective", o.agreement ? "pa-elbo" : "elbo"},
                        {"D", o.dimensions},
                        {"value", json_number(o.value)},
                        {"upper_bound", json_number(o.upper_bound)},
                        {"gap", json_number(o.gap())},
                        {"seconds", o.seconds}});
  OrderedJson json = experiment_json({.experiment = "certified",
                                      .complete = optima.complete,
                                      .faults = optima.faults,
                                      .seconds = optima.seconds});
  json["problems"] = std::move(problems);
  return json_text(json);
}

}  // namespace surefield
