#include "surefield/experiments/registries.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <tuple>

#include "surefield/api/evaluate.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_fields.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/experiments/attempt.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/learn/modular_non_empty.hpp"

namespace surefield {

static auto fields_of(RegistryFold& row) {
  auto& [category, items, sets, learner, picked, dimensions, fold, all_sets, non_empty,
         hit_rate_at_1, hit_rate_at_5, hit_rate_at_10, reciprocal_rank, seconds] = row;
  return std::tie(category, items, sets, learner, picked, dimensions, fold, all_sets, non_empty,
                  hit_rate_at_1, hit_rate_at_5, hit_rate_at_10, reciprocal_rank, seconds);
}

namespace {

constexpr std::string_view kEnding = "_regs.csv";

struct Category {
  std::string name;
  SetCollection data;
};

/// What fit() is asked for; of popularity and modular nothing.
struct Learner {
  std::string_view name, model, method;
  Index dimensions;
};
constexpr std::array kLearners{
    Learner{"popularity", "", "", 0},
    Learner{"modular", "", "", 0},
    Learner{"modular-non-empty", "", "", 0},
    Learner{"dpp", "dpp", "likelihood", 10},
    Learner{"flid", "flid", "nce", 0},  // of all dimensions asked for
    Learner{"flid-likelihood", "flid", "likelihood", 2},
    Learner{"flid-samples", "flid", "samples", 10},
    Learner{"fldc", "fldc", "nce", 5},
    Learner{"pairwise", "pairwise", "pseudo-likelihood", 0},
    Learner{"thin", "thin", "composite", 0},
    Learner{"thin-likelihood", "thin", "likelihood", 0},
    Learner{"auto", "auto", "", 10},
};

const Learner& learner_named(std::string_view name) {
  const auto* const found = std::ranges::find(kLearners, name, &Learner::name);
  require(found != kLearners.end(), "registries: there is no learner '", name, "'");
  return *found;
}

struct LearnerTask {
  const Category* category;
  std::string learner;
  Index dimensions, fold;  // fold from 0
};

/// Category to file, for all files of registries in the folder.
std::map<std::string, std::filesystem::path> files_in(const std::string& folder) {
  require(std::filesystem::is_directory(folder), folder, ": there is no such folder of registries");
  std::map<std::string, std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    const std::string stem = name.substr(0, name.size() - kEnding.size());
    files.emplace(stem.substr(stem.rfind('_') + 1), entry.path());
  }
  require(!files.empty(), folder, ": it holds no file ..._<category>", kEnding);
  return files;
}

Category read_category(const std::string& name, const std::filesystem::path& path) {
  SetsOptions how;
  how.items_are = SetsOptions::Items::kIds;
  std::string names = path.string();
  names.replace(names.size() - kEnding.size(), kEnding.size(), "_item_names.txt");
  if (std::filesystem::exists(names)) how.items = read_item_names(names).names.size();
  return {name, read_sets(path.string(), how)};
}

void judge_likelihood(RegistryFold& row, const FitResult& found, const Fold& parts,
                      const RegistryStudyOptions& options) {
  std::optional<Interval> interval;
  if (row.learner.starts_with("modular")) {  // a sum of softplus, exact
    interval = Interval{*found.log_z_estimate, *found.log_z_estimate};
  } else {
    const LogZResult bounds =
        log_z(make_problem(found.model, {}, {}, {.no_guarantee = true}),
              {.goal = LogZGoal::kWidth,
               .width = options.width,
               .budget = log_z_budget(options.budget.with_threads(1), options.seconds)})
            .sound();
    if (bounds.is_bounded()) interval = Interval{*bounds.lower, *bounds.upper};
  }
  if (!interval) return;
  row.all_sets = held_out_likelihood(found.model, parts.held_out, *interval, Support::kAllSets)
                     .log_likelihood();
  row.non_empty =
      held_out_likelihood(found.model, parts.held_out, *interval, Support::kNonEmptySets)
          .log_likelihood();
}

FitResult learn(const LearnerTask& task, const SetCollection& training,
                const RegistryStudyOptions& options) {
  const Learner& learner = learner_named(task.learner);
  if (learner.model
          .empty()) {  // items by themselves: of all sets, or given that a set is not empty
    Flid model =
        task.learner == "modular" ? fit_modular(training) : fit_modular_given_non_empty(training);
    FitResult found;
    found.log_z_estimate = modular_log_z(model);
    found.model = std::move(model);
    return found;
  }
  FitOptions how;
  how.model = learner.model;
  how.method = learner.method;
  how.seed = options.seed;
  if (task.dimensions > 0) how.nce.dimensions = task.dimensions;
  how.concepts = how.nce.dimensions;
  how.likelihood.log_z = LogZMethod::kExact;
  how.budget = options.budget.with_threads(1);
  return fit(training, how);
}

/// Nothing if it was told to stop on the way.
std::optional<RegistryFold> judge(const LearnerTask& task, const RegistryStudyOptions& options) {
  const auto go_on = [&] { return !options.budget.spent(); };
  const SetCollection& data = task.category->data;
  RegistryFold row{.category = task.category->name,
                   .items = data.items,
                   .sets = data.sets.size(),
                   .learner = task.learner,
                   .picked = {},
                   .dimensions = task.dimensions,
                   .fold = task.fold + 1,
                   .all_sets = {},
                   .non_empty = {}};
  const Fold parts = fold_of(data, options.folds, task.fold, options.seed);
  const ItemPredictionOptions at{.at = {1, 5, 10}};
  ItemPrediction predicted;
  if (task.learner == "popularity") {
    predicted = predict_items(parts.held_out, popularity_scores(parts.training), at);
  } else {
    const FitResult found = learn(task, parts.training, options);
    if (!go_on()) return {};
    row.seconds = found.seconds;
    if (found.choice) row.picked = found.choice->winner;
    judge_likelihood(row, found, parts, options);
    predicted = predict_items(parts.held_out, gain_scores(found.model), at);
  }
  if (!go_on()) return {};
  row.hit_rate_at_1 = predicted.hits[0].rate.mean;
  row.hit_rate_at_5 = predicted.hits[1].rate.mean;
  row.hit_rate_at_10 = predicted.hits[2].rate.mean;
  row.reciprocal_rank = predicted.reciprocal_rank.mean;
  return row;
}

std::vector<LearnerTask> tasks_of(const std::vector<Category>& categories,
                                  const RegistryStudyOptions& options, Index run) {
  std::vector<LearnerTask> tasks;
  for (const Category& category : categories) {
    const auto add = [&](const std::string& learner, Index dimensions) {
      for (Index fold = 0; fold < run; ++fold)
        tasks.push_back({&category, learner, dimensions, fold});
    };
    for (const std::string& name :
         options.learners.empty() ? registry_learners() : options.learners) {
      if (name != "flid")
        add(name, learner_named(name).dimensions);
      else
        for (const Index d : options.dimensions) add(name, d);
    }
  }
  return tasks;
}

std::vector<Category> read_categories(const RegistryStudyOptions& options, RegistryStudy& study) {
  const auto files = files_in(options.folder);
  for (const auto& name : options.categories)
    require(files.contains(name), options.folder, ": it holds no registries of the category '",
            name, "'");
  std::vector<Category> categories;
  for (const auto& [name, path] : files) {
    if (!options.categories.empty() && std::ranges::count(options.categories, name) == 0) continue;
    try {
      categories.push_back(read_category(name, path));
      fold_indices(categories.back().data.sets.size(), options.folds, options.seed);
    } catch (const Error& error) {
      study.faults.push_back(message(name, ": ", error.what()));
      std::erase_if(categories, [&](const Category& c) { return c.name == name; });
    }
  }
  // As the paper lists them: by the number of items.
  std::ranges::stable_sort(categories, {}, [](const Category& c) { return c.data.items; });
  return categories;
}

}  // namespace

std::vector<std::string> registry_learners() {
  std::vector<std::string> names;
  for (const Learner& learner : kLearners) names.emplace_back(learner.name);
  return names;
}

RegistryStudy registry_study(const RegistryStudyOptions& options) {
  const Stopwatch watch;
  require(options.folds >= 2, "registries: there are ", options.folds,
          " folds, which must be at least 2");
  const Index run = options.run.value_or(options.folds);
  require(run >= 1 && run <= options.folds, "registries: ", run,
          " folds are to be run, which must be from 1 to ", options.folds);
  for (const std::string& name : options.learners) learner_named(name);
  RegistryStudy study;
  study.folds = run;
  const auto categories = read_categories(options, study);
  const auto tasks = tasks_of(categories, options, run);
  Ticker tick(tasks.size(), options.progress);
  const auto attempt = [&](std::size_t t) -> Attempt<RegistryFold> {
    if (options.budget.spent()) return {};
    try {
      return {judge(tasks[t], options), ""};
    } catch (const Error& error) {
      return {{},
              message(tasks[t].category->name, ", ", tasks[t].learner, ", fold ", tasks[t].fold + 1,
                      ": ", error.what())};
    }
  };
  auto attempts = in_order(tasks.size(), options.budget, options.crew, attempt, [&] { tick(); });
  for (auto& [row, fault] : attempts.results) {
    if (row)
      study.rows.push_back(std::move(*row));
    else if (fault.empty())
      study.complete = false;
    else
      study.faults.push_back(std::move(fault));
  }
  study.seconds = watch.seconds();
  return study;
}

}  // namespace surefield
