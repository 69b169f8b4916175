#include "surefield/cli/experiments.hpp"

#include "surefield/cli/processes.hpp"
#include "surefield/experiments/best_sets.hpp"
#include "surefield/experiments/certified_optima.hpp"
#include "surefield/experiments/cuts.hpp"
#include "surefield/experiments/figures.hpp"
#include "surefield/experiments/hard_grid.hpp"
#include "surefield/experiments/mixed_signs.hpp"
#include "surefield/experiments/registries.hpp"
#include "surefield/experiments/safety_folds.hpp"
#include "surefield/experiments/sure_coverage.hpp"
#include "surefield/experiments/synthetic.hpp"
#include "surefield/experiments/table1.hpp"

namespace surefield::cli {
namespace {

template <class Study>
using Writer = std::string (*)(const Study&);

/// In the format asked for, with what the study says is missing from it.
template <class Study>
Answer answer(const CommonOptions& common, const Study& study, Writer<Study> text,
              Writer<Study> csv, Writer<Study> json) {
  Answer result;
  result.text = (common.format == "json" ? json : common.format == "csv" ? csv : text)(study);
  if constexpr (requires { study.faults; }) result.faults = study.faults;
  if constexpr (requires { study.left_out; }) result.left_out = study.left_out;
  if constexpr (requires { study.complete; }) result.complete = study.complete;
  return result;
}

/// A study that certifies one problem after the other: so many seconds each, to such a gap.
template <class Study, class Options>
Answer certify_each(const ReproduceRequest& request, const ProgressReport& progress,
                    Study (*run)(const Options&), Writer<Study> text, Writer<Study> csv,
                    Writer<Study> json) {
  Options how;
  how.seconds = request.seconds;
  how.budget = budget_of(request.common);
  how.progress = progress;
  if (request.gap) how.wanted_gap = *request.gap;
  if constexpr (requires { how.folder; }) how.folder = request.folder;
  if constexpr (requires { how.seed; }) how.seed = request.common.seed;
  if constexpr (requires { how.all_pairs; }) how.all_pairs = request.all_pairs;
  if constexpr (requires { how.categories; }) how.categories = request.categories;
  if constexpr (requires { how.crew; }) how.crew = crew();
  return answer(request.common, run(how), text, csv, json);
}

/// The stream of random numbers: as printed beside the printed numbers, as released for the
/// released values.
bool released_stream(const ReproduceRequest& options) {
  return options.stream.empty() ? options.common.format == "csv" : options.stream == "released";
}

Answer run_table1(const ReproduceRequest& options, const ProgressReport& progress) {
  const Table1 table = reproduce_table1({.folder = options.folder,
                                         .only_published = options.only_published,
                                         .certify = options.certify,
                                         .log_z = options.log_z,
                                         .released_stream = released_stream(options),
                                         .budget = budget_of(options.common),
                                         .progress = progress,
                                         .crew = crew()});
  return answer(options.common, table, table1_text, table1_csv, table1_json);
}

Answer run_figures(const ReproduceRequest& options, const ProgressReport& progress) {
  FiguresOptions how{.folder = options.folder,
                     .released_stream = released_stream(options),
                     .budget = budget_of(options.common),
                     .progress = progress,
                     .crew = crew()};
  if (options.log_z) how.log_z_seconds = *options.log_z;
  const Figures figures = reproduce_figures(how);
  return answer(options.common, figures, figures_text, figures_csv, figures_json);
}

Answer run_synthetic(const ReproduceRequest& options, const ProgressReport& progress) {
  const Synthetic synthetic = reproduce_synthetic({.seed = options.common.seed,
                                                   .budget = budget_of(options.common),
                                                   .progress = progress,
                                                   .crew = crew()});
  return answer(options.common, synthetic, synthetic_text, synthetic_csv, synthetic_json);
}

Answer run_certified(const ReproduceRequest& options, const ProgressReport& progress) {
  return certify_each(options, progress, certified_optima, certified_optima_text,
                      certified_optima_csv, certified_optima_json);
}

Answer run_hard_grid(const ReproduceRequest& options, const ProgressReport& progress) {
  return certify_each(options, progress, hard_grid, hard_grid_text, hard_grid_csv, hard_grid_json);
}

Answer run_mixed_signs(const ReproduceRequest& options, const ProgressReport& progress) {
  return certify_each(options, progress, mixed_signs, mixed_signs_text, mixed_signs_csv,
                      mixed_signs_json);
}

Answer run_cuts(const ReproduceRequest& options, const ProgressReport& progress) {
  return certify_each(options, progress, cuts, cuts_text, cuts_csv, cuts_json);
}

Answer run_best_sets(const ReproduceRequest& options, const ProgressReport& progress) {
  return certify_each(options, progress, best_sets, best_sets_text, best_sets_csv, best_sets_json);
}

Answer run_coverage(const ReproduceRequest& options, const ProgressReport& progress) {
  return certify_each(options, progress, sure_coverage, sure_coverage_text, sure_coverage_csv,
                      sure_coverage_json);
}

Answer run_safety(const ReproduceRequest& options, const ProgressReport& progress) {
  const std::vector<SafetyFold> folds = safety_folds({.folder = options.folder,
                                                      .seed = options.common.seed,
                                                      .budget = budget_of(options.common),
                                                      .progress = progress,
                                                      .crew = crew()});
  Answer result =
      answer(options.common, folds, safety_folds_text, safety_folds_csv, safety_folds_json);
  result.complete = !interrupted();
  return result;
}

Answer run_registries(const ReproduceRequest& options, const ProgressReport& progress) {
  const RegistryStudy study = registry_study({.folder = options.folder,
                                              .categories = options.categories,
                                              .run = options.folds,
                                              .learners = options.learners,
                                              .seconds = options.seconds,
                                              .seed = options.common.seed,
                                              .budget = budget_of(options.common),
                                              .progress = progress,
                                              .crew = crew()});
  return answer(options.common, study, registry_study_text, registry_study_csv,
                registry_study_json);
}

constexpr const char* kModels = "the authors' models";
constexpr Experiment kExperiments[] = {
    {"synthetic", "random FLIDs against exact log Z", nullptr, true, true, run_synthetic},
    {"table1", "one-epoch values beside the printed ones", kModels, true, true, run_table1},
    {"figures", "trajectories on the authors' models", kModels, true, true, run_figures},
    {"certified", "optima of all models, proved", kModels, false, true, run_certified},
    {"cuts", "maximum cuts and random graphs like them", "the graphs of BiqMac and Gset", false,
     false, run_cuts},
    {"hard-grid", "100 x 100, five seeds", nullptr, false, false, run_hard_grid},
    {"mixed-signs", "fields with couplings of both signs", "the UAI grids and testfast.fg", false,
     false, run_mixed_signs},
    {"best-sets", "sets of greatest value beside the best known", "Gset and OR-Library files",
     false, false, run_best_sets},
    {"coverage", "sure coverage of contested items, n = 40 and 100", nullptr, false, false,
     run_coverage},
    {"registries", "models learned from registries, on held-out ones", "the registries", false,
     true, run_registries},
    {"safety", "FLIDs learned anew from the authors' training folds", "the safety folds", false,
     true, run_safety},
};

}  // namespace

std::span<const Experiment> experiments() { return kExperiments; }

}  // namespace surefield::cli
