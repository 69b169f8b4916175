#include "surefield/api/fit_auto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "surefield/api/family_choice.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr Index kDppItems = 128;  // O(n^3) an evaluation
constexpr std::size_t kDppIterations = 100;
constexpr std::size_t kFieldIterations = 60;  // of fields that are compared on many sets
constexpr double kComparison = 0.6;           // of a deadline
constexpr double kCoarse = 1e-5;              // tolerance of losses that are compared on many sets
constexpr double kComparedWork = 6e10;        // operations of all trainings that are compared
constexpr double kLearnedWork = 6e10;         // and of what is learned in the end
constexpr std::size_t kFewestRounds = 5;      // less says nothing of a model

FitOptions options_to_compare(const FitOptions& options) {
  FitOptions how = options;
  how.nce.noise_ratio /= 4;
  how.nce.patience = (how.nce.patience + 1) / 2;
  how.pairwise.folds = std::min<Index>(how.pairwise.folds, 2);
  how.dpp.iterations = std::min(how.dpp.iterations, kDppIterations);
  how.budget = options.budget.part(kComparison);
  return how;
}

/// One course over all trainings, each of which counts its own: so many are done, and a part of one.
class Course {
 public:
  Course(const FitOptions& options, Index trainings)
      : tell_(options.observer), most_(kParts * (trainings + 1)) {}

  /// For one training after the other, or several at once.
  std::function<bool(const FitProgress&)> observer() {
    if (!tell_) return {};
    return [this](const FitProgress& now) {
      const auto part = kParts * std::min(now.done, now.most) / std::max<std::size_t>(1, now.most);
      return tell_({std::min(kParts * done_ + part, most_), most_, now.objective});
    };
  }
  void trained() { ++done_; }

 private:
  static constexpr std::size_t kParts = 1000;
  const std::function<bool(const FitProgress&)>& tell_;
  std::size_t most_;
  std::atomic<std::size_t> done_ = 0;
};

}  // namespace

std::vector<std::string> families_to_compare(Index items) {
  std::vector<std::string> families = FamilyChoiceOptions{}.families;
  if (items > kDppItems) std::erase(families, "dpp");
  return families;
}

FitResult fit_the_best(const SetCollection& data, const FitOptions& options) {
  FitOptions to_compare = options_to_compare(options);
  FamilyChoiceOptions compare{.fit = &to_compare,
                              .families = families_to_compare(data.items),
                              .seed = options.seed,
                              .work = {kComparedWork, kFewestRounds}};
  std::vector<std::string> notes;
  const auto note_learned_by_name = [&](std::string_view model, std::string_view why) {
    notes.push_back(message(why, "; --model ", model, " learns it"));
  };
  if (data.items > kDppItems)
    note_learned_by_name(
        "dpp", message("dpp was not compared: there are more than ", kDppItems, " items"));
  if (data.sets.size() > compare.enough) {  // sampling leaves more than this would tell apart
    to_compare.thin.tolerance = to_compare.pairwise.tolerance = kCoarse;
    for (std::size_t* const most : {&to_compare.thin.iterations, &to_compare.pairwise.iterations})
      *most = std::min(*most, kFieldIterations);
  }
  Course course(options, compare.families.size() * compare.folds);
  to_compare.observer = course.observer();
  compare.trained = [&] { course.trained(); };
  FamilyChoice choice = choose_family(data, compare);
  if (choice.judged < choice.sets)
    notes.push_back(fmt::format("families were compared by {} held-out sets of {}", choice.judged,
                                choice.sets));
  for (const auto& [model, why] : left_out(choice)) note_learned_by_name(model, why);
  FitOptions how = options;
  how.model = choice.winner;
  how.method = {};
  how.work = {.operations = kLearnedWork};
  how.observer = course.observer();
  if (choice.judged < choice.sets)
    for (const FamilyRow& row : choice.rows)
      if (row.model == "pairwise" && !how.pairwise.penalty) how.pairwise.penalty = row.penalty;
  FitResult result = fit(data, how);
  if (!choice.complete || !choice.unfinished.empty()) result.status = Status::kInterrupted;
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  result.choice = std::move(choice);
  return result;
}

}  // namespace surefield
