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
std::string written(const CommonOptions& common, const Study& study,
                    std::string (*text)(const Study&), std::string (*csv)(const Study&),
                    std::string (*json)(const Study&)) {
  return (common.format == "json" ? json : common.format == "csv" ? csv : text)(study);
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
  return {written(options.common, table, table1_text, table1_csv, table1_json), table.faults,
          table.left_out, table.complete};
}

Answer run_figures(const ReproduceRequest& options, const ProgressReport& progress) {
  FiguresOptions how{.folder = options.folder,
                     .released_stream = released_stream(options),
                     .budget = budget_of(options.common),
                     .progress = progress,
                     .crew = crew()};
  if (options.log_z) how.log_z_seconds = *options.log_z;
  const Figures figures = reproduce_figures(how);
  return {written(options.common, figures, figures_text, figures_csv, figures_json), figures.faults,
          figures.left_out, figures.complete};
}

Answer run_synthetic(const ReproduceRequest& options, const ProgressReport& progress) {
  const Synthetic synthetic = reproduce_synthetic({.seed = options.common.seed,
                                                   .budget = budget_of(options.common),
                                                   .progress = progress,
                                                   .crew = crew()});
  return {written(options.common, synthetic, synthetic_text, synthetic_csv, synthetic_json),
          {},
          {},
          synthetic.complete};
}

Answer run_certified(const ReproduceRequest& options, const ProgressReport& progress) {
  CertifiedOptimaOptions how{.folder = options.folder,
                             .seconds = options.seconds,
                             .all_pairs = options.all_pairs,
                             .categories = options.categories,
                             .budget = budget_of(options.common),
                             .progress = progress,
                             .crew = crew()};
  if (options.gap) how.wanted_gap = *options.gap;
  const CertifiedOptima optima = certified_optima(how);
  return {written(options.common, optima, certified_optima_text, certified_optima_csv,
                  certified_optima_json),
          optima.faults,
          {},
          optima.complete};
}

Answer run_hard_grid(const ReproduceRequest& options, const ProgressReport& progress) {
  HardGridOptions how{
      .seconds = options.seconds, .budget = budget_of(options.common), .progress = progress};
  if (options.gap) how.wanted_gap = *options.gap;
  const HardGrid grids = hard_grid(how);
  return {written(options.common, grids, hard_grid_text, hard_grid_csv, hard_grid_json),
          {},
          {},
          grids.complete};
}

Answer run_mixed_signs(const ReproduceRequest& options, const ProgressReport& progress) {
  MixedSignsOptions how{.folder = options.folder,
                        .seconds = options.seconds,
                        .budget = budget_of(options.common),
                        .progress = progress};
  if (options.gap) how.wanted_gap = *options.gap;
  const MixedSigns fields = mixed_signs(how);
  return {written(options.common, fields, mixed_signs_text, mixed_signs_csv, mixed_signs_json),
          fields.faults,
          {},
          fields.complete};
}

Answer run_cuts(const ReproduceRequest& options, const ProgressReport& progress) {
  CutsOptions how{.folder = options.folder,
                  .seconds = options.seconds,
                  .budget = budget_of(options.common),
                  .progress = progress};
  if (options.gap) how.wanted_gap = *options.gap;
  const Cuts graphs = cuts(how);
  return {written(options.common, graphs, cuts_text, cuts_csv, cuts_json),
          graphs.faults,
          {},
          graphs.complete};
}

Answer run_best_sets(const ReproduceRequest& options, const ProgressReport& progress) {
  BestSetsOptions how{.folder = options.folder,
                      .seconds = options.seconds,
                      .seed = options.common.seed,
                      .budget = budget_of(options.common),
                      .progress = progress};
  if (options.gap) how.wanted_gap = *options.gap;
  const BestSets sets = best_sets(how);
  return {written(options.common, sets, best_sets_text, best_sets_csv, best_sets_json),
          sets.faults,
          {},
          sets.complete};
}

Answer run_coverage(const ReproduceRequest& options, const ProgressReport& progress) {
  SureCoverageOptions how{.seed = options.common.seed,
                          .seconds = options.seconds,
                          .budget = budget_of(options.common),
                          .progress = progress};
  if (options.gap) how.wanted_gap = *options.gap;
  const SureCoverage study = sure_coverage(how);
  return {written(options.common, study, sure_coverage_text, sure_coverage_csv, sure_coverage_json),
          {},
          {},
          study.complete};
}

Answer run_safety(const ReproduceRequest& options, const ProgressReport& progress) {
  const std::vector<SafetyFold> folds = safety_folds({.folder = options.folder,
                                                      .seed = options.common.seed,
                                                      .budget = budget_of(options.common),
                                                      .progress = progress,
                                                      .crew = crew()});
  return {written(options.common, folds, safety_folds_text, safety_folds_csv, safety_folds_json),
          {},
          {},
          !interrupted()};
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
  return {
      written(options.common, study, registry_study_text, registry_study_csv, registry_study_json),
      study.faults,
      {},
      study.complete};
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
