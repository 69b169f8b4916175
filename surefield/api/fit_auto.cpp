#include "surefield/api/fit_auto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "surefield/api/family_choice.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr Index kDppItems = 128;     // O(n^3) an evaluation
constexpr Index kThinItems = 5'000;  // its tables, at every evaluation
constexpr std::size_t kDppIterations = 100;
constexpr std::size_t kFieldIterations = 60;  // of fields that are compared on many sets
constexpr double kComparison = 0.6;           // of a deadline
constexpr double kCoarse = 1e-5;              // tolerance of losses that are compared on many sets
constexpr double kComparedWork = 2e10;        // operations of one training that is compared, about
constexpr double kLearnedWork = 1e11;         // and of what is learned in the end
constexpr std::size_t kFewestEpochs = 5;      // less says nothing of a model

/// As many epochs over some of the sets as the operations pay for, at most those asked for.
std::size_t paid_epochs(const SetCollection& data, Index sets, const NceOptions& how,
                        double operations) {
  const double share = std::min(
      1.0, static_cast<double>(sets) / std::max<double>(1, static_cast<double>(data.sets.size())));
  const double paid = operations / std::max(1.0, share * nce_operations(data, how));
  return static_cast<std::size_t>(std::min(static_cast<double>(how.epochs), paid));
}

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

/// Noise contrastive estimation takes as many epochs of the sets compared as can be paid; a family that has too few is left out.
void limit_epochs(const SetCollection& data, FamilyChoiceOptions& compare, FitOptions& how,
                  std::vector<std::string>& notes) {
  const Index sets =
      std::min(data.sets.size(), compare.learned_from) * (compare.folds - 1) / compare.folds;
  for (const std::string_view model : {"fldc", "flid"}) {
    NceOptions nce = how.nce;
    nce.concepts = model == "fldc" ? how.concepts : 0;
    const std::size_t epochs = paid_epochs(data, sets, nce, kComparedWork);
    if (epochs >= std::min(kFewestEpochs, how.nce.epochs)) {
      how.nce.epochs = epochs;  // fewer than a flid alone could have
      return;
    }
    std::erase(compare.families, model);
    notes.push_back(message(model, " was not compared: ", kFewestEpochs, " epochs are more than ",
                            kComparedWork, " operations; --model ", model, " learns it"));
  }
}

}  // namespace

FitResult fit_the_best(const SetCollection& data, const FitOptions& options) {
  FitOptions to_compare = options_to_compare(options);
  FamilyChoiceOptions compare{.fit = &to_compare, .seed = options.seed};
  std::vector<std::string> notes;
  const auto leave_out = [&](const std::string& model, Index most) {
    if (data.items <= most) return;
    std::erase(compare.families, model);
    notes.push_back(message(model, " was not compared: there are more than ", most,
                            " items; --model ", model, " learns it"));
  };
  leave_out("dpp", kDppItems);
  leave_out("thin", kThinItems);
  limit_epochs(data, compare, to_compare, notes);
  to_compare.thin.operations = kComparedWork;
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
  for (const std::string& model : choice.unfinished)
    notes.push_back(model + " was not compared: time ran out; --model " + model + " learns it");
  FitOptions how = options;
  how.model = choice.winner;
  how.method = {};
  how.thin.operations = kLearnedWork;
  how.observer = course.observer();
  if (choice.judged < choice.sets)
    for (const FamilyRow& row : choice.rows)
      if (row.model == "pairwise" && !how.pairwise.penalty) how.pairwise.penalty = row.penalty;
  const bool by_nce = how.model == "flid" || how.model == "fldc";
  if (by_nce) {
    NceOptions nce = how.nce;
    nce.concepts = how.model == "fldc" ? how.concepts : 0;
    how.nce.epochs =
        std::max<std::size_t>(1, paid_epochs(data, data.sets.size(), nce, kLearnedWork));
  }
  FitResult result = fit(data, how);
  if (by_nce && how.nce.epochs < options.nce.epochs && result.status == Status::kEpochLimit)
    notes.push_back(message("learning ended after ", how.nce.epochs, " epochs, ", kLearnedWork,
                            " operations; --model ", how.model, " goes on"));
  if (!choice.complete || !choice.unfinished.empty()) result.status = Status::kInterrupted;
  result.notes.insert(result.notes.end(), notes.begin(), notes.end());
  result.choice = std::move(choice);
  return result;
}

}  // namespace surefield
