#include "surefield/experiments/safety_folds.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "surefield/api/fit.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/printed_table1.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/report/csv_table.hpp"
#include "surefield/report/outward.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {

static auto fields_of(SafetyFold& fold) {
  auto& [dimensions, number, elbo, best_elbo, log_z_lower, log_z_upper, log_z_estimate,
         likelihood_lower, likelihood_upper, modular_likelihood, seconds] = fold;
  return std::tie(dimensions, number, elbo, best_elbo, log_z_lower, log_z_upper, log_z_estimate,
                  likelihood_lower, likelihood_upper, modular_likelihood, seconds);
}

namespace {

constexpr Index kItems = 36;
constexpr Index kFolds = 10;
constexpr std::array<Index, 3> kDimensions{2, 3, 10};

SetCollection read_part(const std::string& folder, std::string_view part, Index fold) {
  const auto path = std::filesystem::path(folder) /
                    message("1_100_100_100_safety_regs_", part, "_fold_", fold, ".csv");
  return read_sets(path.string(), {.items = kItems});
}

SafetyFold learn_fold(const Fold& parts, const SafetyFoldsOptions& options, Index dimensions,
                      Index fold) {
  FitOptions how;
  how.seed = options.seed;
  how.nce.dimensions = dimensions;
  const FitResult flid = fit(parts.training, how);
  FitResult modular;
  modular.model = fit_modular(parts.training);  // of all sets, as the table says
  modular.log_z_estimate = modular_log_z(*modular.model.as<Flid>());
  SafetyFold result{.dimensions = dimensions, .fold = fold, .seconds = flid.seconds};
  result.log_z_estimate = flid.log_z_estimate.value_or(NAN);

  const Problem problem = make_problem(flid.model);
  InferOptions pass{.algorithm = "dr-double-greedy", .order = "shuffled"};
  pass.seed = options.seed + fold;
  pass.quick_proof = false;
  result.elbo = infer(problem, pass).elbo;
  pass.algorithm = "best";
  result.best_elbo = infer(problem, pass).elbo;

  LogZOptions bounds{.width = options.width,
                     .budget = log_z_budget(options.budget.with_threads(1), options.seconds)};
  bounds.estimates = false;
  const LogZResult log_z_of_model = log_z(problem, bounds);
  result.log_z_lower = log_z_of_model.lower.value_or(NAN);
  result.log_z_upper = log_z_of_model.upper.value_or(NAN);
  const auto not_empty = [&](const AnyModel& model, std::optional<double> lower,
                             std::optional<double> upper) {
    const bool known = lower && upper;
    const auto found =
        held_out_likelihood(model, parts.held_out, known ? Interval{*lower, *upper} : Interval{},
                            Support::kNonEmptySets);
    require(known && found.empty_sets_left_out == 0, "safety: test fold ", fold,
            " holds an empty set, or its likelihood has no bound");
    return found.log_likelihood();
  };
  const Interval likelihood = not_empty(flid.model, log_z_of_model.lower, log_z_of_model.upper);
  result.likelihood_lower = likelihood.low;
  result.likelihood_upper = likelihood.high;
  // Of items by themselves the estimate is exact.
  result.modular_likelihood =
      not_empty(modular.model, modular.log_z_estimate, modular.log_z_estimate).low;
  return result;
}

}  // namespace

std::vector<SafetyFold> safety_folds(const SafetyFoldsOptions& options) {
  require(std::filesystem::is_directory(options.folder), options.folder,
          ": there is no such folder of safety folds");
  std::vector<Fold> data(kFolds);
  for (Index k = 0; k < kFolds; ++k)
    data[k] = {.training = read_part(options.folder, "train", k + 1),
               .held_out = read_part(options.folder, "test", k + 1)};
  constexpr std::size_t kTasks = kDimensions.size() * kFolds;
  Ticker tick(kTasks, options.progress);
  const auto task = [&](std::size_t t) -> SafetyFold {
    if (options.budget.spent()) return {};
    return learn_fold(data[t % kFolds], options, kDimensions[t / kFolds], t % kFolds + 1);
  };
  auto folds = in_order(kTasks, options.budget, options.crew, task, [&] { tick(); }).results;
  std::erase_if(folds, [](const SafetyFold& fold) { return fold.fold == 0; });
  return folds;
}

std::string safety_folds_text(const std::vector<SafetyFold>& folds) {
  std::string out =
      "safety registries, n = 36: FLIDs learned from the authors' training folds, means over "
      "folds\n"
      "ELBO: one epoch of DR-DoubleGreedy. Test log-likelihood a set, given that it is not "
      "empty.\n\n";
  TextTable table({{"D"},
                   {"folds"},
                   {"ELBO"},
                   {"printed"},
                   {"best"},
                   {"log Z, proved"},
                   {"believed"},
                   {"test"},
                   {"modular"},
                   {"train s"}});
  for (const Index d : kDimensions) {
    SafetyFold sum;
    double count = 0;
    for (const auto& fold : folds) {
      if (fold.dimensions != d) continue;
      ++count;
      sum.elbo += fold.elbo;
      sum.best_elbo += fold.best_elbo;
      sum.log_z_lower += fold.log_z_lower;
      sum.log_z_upper += fold.log_z_upper;
      sum.log_z_estimate += fold.log_z_estimate;
      sum.likelihood_lower += fold.likelihood_lower;
      sum.modular_likelihood += fold.modular_likelihood;
      sum.seconds += fold.seconds;
    }
    if (count == 0) continue;
    std::string printed;
    for (const auto& row : printed_table1())
      if (row.category == "safety" && static_cast<Index>(row.dimensions) == d)
        printed = row.elbo[2].mean;
    table.add({fmt::format("{}", d), fmt::format("{}", count),
               fmt::format("{:.3f}", sum.elbo / count), printed,
               fmt::format("{:.3f}", sum.best_elbo / count),
               fmt::format("{} to {}", round_down_text(sum.log_z_lower / count, 4),
                           round_up_text(sum.log_z_upper / count, 4)),
               fmt::format("{:.3f}", sum.log_z_estimate / count),
               fmt::format("{:.4f}", sum.likelihood_lower / count),
               fmt::format("{:.4f}", sum.modular_likelihood / count),
               fmt::format("{:.2f}", sum.seconds / count)});
  }
  out += table.text("");
  if (folds.size() < kDimensions.size() * kFolds) out += "stopped early: folds are missing\n";
  return out;
}

std::string safety_folds_csv(const std::vector<SafetyFold>& folds) {
  CsvTable csv{"D",
               "fold",
               "elbo",
               "best_elbo",
               "log_z_lower",
               "log_z_upper",
               "log_z_estimate",
               "test_likelihood_lower",
               "test_likelihood_upper",
               "modular_test_likelihood",
               "seconds"};
  for (const auto& f : folds)
    csv.add(f.dimensions, f.fold, f.elbo, f.best_elbo, f.log_z_lower, f.log_z_upper,
            f.log_z_estimate, f.likelihood_lower, f.likelihood_upper, f.modular_likelihood,
            f.seconds);
  return csv.text();
}

std::string safety_folds_json(const std::vector<SafetyFold>& folds) {
  double seconds = 0;
  for (const auto& f : folds) seconds += f.seconds;
  OrderedJson json = experiment_json({.experiment = "safety",
                                      .complete = folds.size() == kDimensions.size() * kFolds,
                                      .seconds = seconds});  // of all trainings
  OrderedJson& rows = json["rows"] = OrderedJson::array();
  for (const auto& f : folds)
    rows.push_back({{"D", f.dimensions},
                    {"fold", f.fold},
                    {"elbo", json_number(f.elbo)},
                    {"best_elbo", json_number(f.best_elbo)},
                    {"log_z", json_interval(Interval{f.log_z_lower, f.log_z_upper})},
                    {"log_z_estimate", json_number(f.log_z_estimate)},
                    {"test_likelihood_lower", json_number(f.likelihood_lower)},
                    {"test_likelihood_upper", json_number(f.likelihood_upper)},
                    {"modular_test_likelihood", json_number(f.modular_likelihood)},
                    {"seconds", f.seconds}});
  return json_text(json);
}

}  // namespace surefield
