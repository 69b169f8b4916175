// The options of learning: what is asked for by fit, select and evaluate.
#include <algorithm>

#include "surefield/api/work.hpp"

namespace surefield {
namespace {

std::string name_of(const FitRow& row) {
  return std::string(row.model).append(" by ").append(row.method);
}

std::vector<std::string> fits_that(auto&& belong) {
  std::vector<std::string> names;
  for (const FitRow& row : fit_table())
    if (belong(row)) names.push_back(name_of(row));
  return names;
}

void add_new(std::vector<std::string>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
}

/// The exact log Z where few dimensions, and concepts, allow it, else the bound.
LogZMethod log_z_of_training(const FitWork& work) {
  for (const auto method : {LogZMethod::kExact, LogZMethod::kHoelder, LogZMethod::kMeanField})
    if (work.log_z == text_of(method)) return method;
  const Index concepts = work.how.model == "fldc" ? work.how.concepts : 0;
  return work.how.nce.dimensions + concepts <= 3 ? LogZMethod::kExact : LogZMethod::kHoelder;
}

}  // namespace

void show_training_options(FitWork& work, OptionVisitor& visitor) {
  std::vector<std::string> models, methods;
  for (const FitRow& row : fit_table()) {
    add_new(models, row.model);
    add_new(methods, row.method);
  }
  visitor.choice("model", work.how.model, models,
                 "what to learn; by default what the other options are for, else auto");
  visitor.choice("method", work.how.method, methods, "how; by default the model's first below");
  NceOptions& nce = work.how.nce;
  visitor.whole({"dims", 'd'}, nce.dimensions, {0, 100000},
                "dimensions of flid and fldc, features of dpp");
  visitor.whole("concepts", work.how.concepts, {0, 100000},
                "of fldc: concepts of items that go together");
  visitor.whole("epochs", work.epochs, {1, 100000000},
                "at most; by default 200 passes of nce, iterations: 500 flid and fldc by "
                "likelihood, 500 pairwise and thin, 1000 dpp");
  visitor.choice("optimiser", work.optimiser, {"adagrad", "sgd"},
                 "of nce: rates per parameter, or one for all");
  visitor.real("step", nce.step, kPositive, "of the optimiser; by default 0.1 adagrad, 0.01 sgd");
  visitor.real("noise", nce.noise_ratio, kPositive, "of nce: noise sets per observed set");
  visitor.real("aside", nce.held_aside, kBelowOne,
               "of nce: share of the sets that says when to stop; 0: all epochs run");
  visitor.whole("patience", nce.patience, kCounted,
                "of nce: epochs without improvement that end it");
  visitor.real("empty", nce.empty_chance, kBetween,
               "of nce and samples: P(empty set); by default its share in the data, else 0.0125");
  visitor.choice(
      "log-z", work.log_z, {"auto", "exact", "hoelder", "mean-field"},
      "of flid and fldc by likelihood; auto: exact up to 3 dimensions and concepts, else "
      "hoelder");
  visitor.whole(
      "starts", work.starts, {1, 1000000},
      "of flid and fldc: random starts, of which the best is kept; by default 1 of nce, 3 of "
      "likelihood");
  visitor.whole("treewidth", work.how.thin.width, {1, 15},
                "of thin: items that one is joined with when it is summed out");
  visitor.real("penalty", work.how.pairwise.penalty, kPositive,
               "of pairwise and thin: couplings are N(0, 1/penalty) a priori; by default chosen by "
               "folds, of thin 3");
  visitor.flag("repulsive", work.how.pairwise.repulsive,
               "of pairwise: no coupling above 0, so that the model is submodular");
  visitor.real("pairs", work.how.pairwise.least_pair, kNonNegative,
               "of pairwise: couplings of pairs that met in so many sets, or should have; by "
               "default of all pairs up to 100000, else 2");
  visitor.real("smoothing", work.how.smoothing, kNonNegative,
               "of modular, pairwise, thin and dpp: sets added");
  visitor.real("deadline", work.deadline, kSeconds,
               "seconds for learning a model, at most: then the best so far is taken");
}

void show_options(FitWork& work, OptionVisitor& visitor) {
  show_training_options(work, visitor);
  visitor.whole("folds", work.folds, {2, kCounted.high},
                "hold one part of so many out; all in turn unless --fold says which");
  visitor.whole("fold", work.fold, kAtLeastOne, "the part held out, from 1");
  visitor.real("width", work.width, kPositive, "of the log Z interval of a held-out likelihood");
  visitor.real("seconds", work.seconds, kSeconds, "at most, for that interval");
}

std::string fit_name(const FitOptions& how) {
  for (const FitRow& row : fit_table())
    if (row.model == how.model && (how.method.empty() || row.method == how.method))
      return name_of(row);
  return how.model;
}

std::string model_by_options(std::span<const std::string> given, const FitOptions& how) {
  const auto any = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(
        names, [&](const char* name) { return std::ranges::find(given, name) != given.end(); });
  };
  if (!how.method.empty()) {
    const auto has = [&](std::string_view model) {
      return std::ranges::any_of(fit_table(), [&](const FitRow& row) {
        return row.model == model && row.method == how.method;
      });
    };
    if (any({"concepts"}) && has("fldc")) return "fldc";
    if (any({"treewidth"}) && has("thin")) return "thin";
    for (const FitRow& row : fit_table())
      if (row.method == how.method) return std::string(row.model);
  }
  if (any({"concepts"})) return "fldc";
  if (any({"dims", "optimiser", "step", "noise", "aside", "patience", "empty", "log-z", "starts"}))
    return "flid";
  if (any({"treewidth"})) return "thin";
  if (any({"penalty", "repulsive", "pairs"})) return "pairwise";
  return "auto";
}

std::vector<OptionScope> fit_scopes() {
  const auto iterative = fits_that([](const FitRow& row) { return row.model != "modular"; });
  const auto of_dimensions = fits_that([](const FitRow& row) {
    return row.model == "flid" || row.model == "fldc" || row.model == "dpp" || row.model == "auto";
  });
  const auto of_weights =
      fits_that([](const FitRow& row) { return row.model == "flid" || row.model == "fldc"; });
  const auto of_concepts =
      fits_that([](const FitRow& row) { return row.model == "fldc" || row.model == "auto"; });
  const auto pairwise =
      fits_that([](const FitRow& row) { return row.model == "pairwise" || row.model == "auto"; });
  const auto penalised = fits_that(
      [](const FitRow& row) { return row.method == "pseudo-likelihood" || row.model == "auto"; });
  const auto thin =
      fits_that([](const FitRow& row) { return row.model == "thin" || row.model == "auto"; });
  const auto nce = fits_that([](const FitRow& row) { return row.method == "nce"; });
  std::vector<OptionScope> table{
      {"dims", of_dimensions},
      {"concepts", of_concepts},
      {"epochs", iterative},
      {"log-z", {"flid by likelihood", "fldc by likelihood"}},
      {"starts", of_weights},
      {"smoothing",
       fits_that([](const FitRow& row) { return row.model != "flid" && row.model != "fldc"; })},
  };
  for (const char* option : {"optimiser", "step", "noise", "aside", "patience"})
    table.push_back({option, nce});
  table.push_back({"empty", fits_that([](const FitRow& row) {
                     return row.model != "pairwise" &&
                            (row.method == "nce" || row.method == "samples");
                   })});
  table.push_back({"penalty", fits_that([](const FitRow& row) {
                     return row.method == "pseudo-likelihood" || row.model == "thin" ||
                            row.model == "auto";
                   })});
  table.push_back({"repulsive", penalised});
  table.push_back({"pairs", pairwise});
  table.push_back({"treewidth", thin});
  return table;
}

CrossValidationOptions options_of(const FitWork& work, std::uint64_t seed, const Budget& budget) {
  CrossValidationOptions how{.fit = work.how,
                             .folds = work.folds.value_or(0),
                             .fold = work.fold,
                             .deadline = work.deadline,
                             .width = work.width,
                             .seconds = work.seconds,
                             .seed = seed,
                             .budget = budget};
  how.fit.seed = seed;
  how.fit.nce.optimiser =
      work.optimiser == "sgd" ? NceOptions::Optimiser::kSgd : NceOptions::Optimiser::kAdaGrad;
  how.fit.likelihood.log_z = log_z_of_training(work);
  if (work.starts) how.fit.nce.starts = how.fit.likelihood.starts = *work.starts;
  if (work.epochs)
    how.fit.nce.epochs = how.fit.dpp.iterations = how.fit.likelihood.iterations =
        how.fit.pairwise.iterations = how.fit.thin.iterations = *work.epochs;
  return how;
}

void show_options(SelectWork& work, OptionVisitor& visitor) {
  SelectOptions& how = work.how;
  visitor.wholes({"dims", 'd'}, how.dimensions, {0, 100000},
                 "numbers of dimensions to try; 0 is every item by itself");
  visitor.reals("beta", how.inverse_temperatures, kPositive, "inverse temperatures to try");
  visitor.whole("folds", how.folds, {2, 1000},
                "models of each D, each without one part of the sets");
  visitor.choice("by", work.by, {"both", "agreement", "likelihood"},
                 "what decides; both: only what neither rules out can win");
  std::vector<std::string> families;
  for (const FitRow& row : fit_table())
    if (row.model != "auto") add_new(families, row.model);
  visitor.choices("families", work.families, families,
                  "compare these by hidden items and likelihood, plainest first");
  visitor.whole("starts", how.training.starts, {1, 100000},
                "of each training; the best by sets held aside is kept");
  visitor.whole("epochs", how.training.epochs, {1, 100000000}, "of training, at most");
  visitor.real("width", how.width, kPositive, "of the certified interval of one agreement");
  visitor.real("seconds", how.seconds, kSeconds, "at most, for one log Z");
  visitor.real(
      "deadline", how.deadline, kSeconds,
      "seconds for the comparison, at most: the best so far of each training, wider intervals");
  visitor.flag("thorough", work.thorough,
               "train as asked, also where that takes more than ten processor minutes");
}

SelectOptions options_of(const SelectWork& work, std::uint64_t seed, const Budget& budget) {
  using By = SelectOptions::By;
  SelectOptions how = work.how;
  how.by = work.by == "likelihood"  ? By::kLikelihood
           : work.by == "agreement" ? By::kAgreement
                                    : By::kBoth;
  if (work.thorough) how.work = {};
  how.seed = seed;
  how.budget = budget;
  return how;
}

FitOptions family_options_of(const SelectWork& work, std::uint64_t seed, const Budget& budget) {
  FitOptions how;
  how.nce = work.how.training;
  how.seed = seed;
  how.budget = budget;
  return how;
}

void show_options(EvaluateWork& work, OptionVisitor& visitor) {
  EvaluateOptions& how = work.how;
  visitor.flag("non-empty", work.non_empty,
               "calibrate the marginals of a non-empty set; the likelihood is given both ways");
  visitor.flag("hide-one", work.hide_one,
               "hide one item of each set, drawn by the seed, instead of every one in turn");
  visitor.whole("bins", how.bins, {1, 10000}, "of the calibration");
  visitor.real("width", how.width, kPositive,
               "of the interval of log Z; exit code 1 if it stays wider");
  visitor.real("seconds", how.seconds, kSeconds,
               "at most, for all of it, half of them for log Z; by default 10 for log Z");
}

EvaluateOptions options_of(const EvaluateWork& work, std::uint64_t seed) {
  EvaluateOptions how = work.how;
  how.support = work.non_empty ? Support::kNonEmptySets : Support::kAllSets;
  if (work.hide_one) how.hide_one_by_seed = seed;
  return how;
}

namespace {
constexpr const char* kWithWeights = "families with flid or fldc";
}

std::vector<OptionScope> select_scopes() {
  return {
      {"width", {"dimensions"}},
      {"seconds", {"dimensions"}},
      {"starts", {"dimensions", kWithWeights}},
      {"epochs", {"dimensions", kWithWeights}},
  };
}

std::string select_choice(const SelectWork& work) {
  if (work.families.empty()) return "dimensions";
  const bool any = std::ranges::any_of(
      work.families, [](const std::string& name) { return name == "flid" || name == "fldc"; });
  return any ? kWithWeights : "families without flid and fldc";
}

}  // namespace surefield
