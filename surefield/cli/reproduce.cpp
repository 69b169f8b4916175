// surefield reproduce: the paper's table and figures beside the printed numbers, and what is
// certified beyond them.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "surefield/cli/command.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/experiments/best_sets.hpp"
#include "surefield/experiments/certified_optima.hpp"
#include "surefield/experiments/cuts.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/figures.hpp"
#include "surefield/experiments/hard_grid.hpp"
#include "surefield/experiments/mixed_signs.hpp"
#include "surefield/experiments/registries.hpp"
#include "surefield/experiments/safety_folds.hpp"
#include "surefield/experiments/sure_coverage.hpp"
#include "surefield/experiments/synthetic.hpp"
#include "surefield/experiments/table1.hpp"
#include "surefield/report/ending.hpp"

namespace surefield::cli {
namespace {

struct ReproduceRequest {
  CommonOptions common;
  std::string what;
  std::string folder, stream;
  double seconds = 60;
  std::optional<double> certify, log_z, gap;
  bool only_published = false;
  bool all_pairs = false;
  std::optional<Index> folds;
  std::vector<std::string> categories;
  std::vector<std::string> learners;
};

/// An experiment that has been run: its answer in the format asked for, and what is missing from
/// it.
struct Answer {
  std::string text;
  std::vector<std::string> faults, left_out;
  bool complete = true;
};

template <class Experiment>
std::string written(const CommonOptions& common, const Experiment& experiment,
                    std::string (*text)(const Experiment&), std::string (*csv)(const Experiment&),
                    std::string (*json)(const Experiment&)) {
  return (common.format == "json" ? json : common.format == "csv" ? csv : text)(experiment);
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

/// Which experiments each option is for; `all` are those it runs.
std::vector<OptionScope> reproduce_scopes() {
  return {
      {"seconds",
       {"best-sets", "certified", "coverage", "cuts", "hard-grid", "mixed-signs", "registries"}},
      {"certify", {"table1", "all"}},
      {"log-z", {"table1", "figures", "all"}},
      {"gap", {"best-sets", "certified", "coverage", "cuts", "hard-grid", "mixed-signs"}},
      {"stream", {"table1", "figures", "all"}},
      {"published", {"table1", "all"}},
      {"folds", {"registries"}},
      {"categories", {"certified", "registries"}},
      {"all-pairs", {"certified"}},
      {"learners", {"registries"}},
      {"seed", {"best-sets", "coverage", "synthetic", "registries", "safety", "all"}},
      {"data",
       {"best-sets", "table1", "figures", "certified", "cuts", "mixed-signs", "registries",
        "safety", "all"}}};
}

struct Experiment {
  const char* name;
  const char* about;
  const char* data;  // what it needs in the folder; nullptr: no folder
  bool in_all;
  bool shared;  // by several processes; else the first does it
  Answer (*run)(const ReproduceRequest&, const ProgressReport&);
};
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

Answer run_one(const Experiment& experiment, const ReproduceRequest& options) {
  require(experiment.data == nullptr || !options.folder.empty(), "reproduce ", experiment.name,
          ": it needs ", experiment.data,
          "; name their folder with --data (docs/experiments.md says where they are)");
  Progress progress(1, experiment.name, options.common);
  return experiment.run(options, [&](double fraction) { progress.set(fraction); });
}

Answer run_all(const ReproduceRequest& options) {
  Answer all;
  std::vector<std::string> texts;
  for (const auto& experiment : kExperiments) {
    if (!experiment.in_all) continue;
    if (experiment.data != nullptr && options.folder.empty()) {
      all.left_out.push_back(message(
          experiment.name, ": it needs the authors' models; name their folder with --data"));
      continue;
    }
    if (interrupted()) {
      all.complete = false;
      break;
    }
    Answer answer = run_one(experiment, options);
    texts.push_back(std::move(answer.text));
    all.complete = all.complete && answer.complete;
    all.faults.insert(all.faults.end(), answer.faults.begin(), answer.faults.end());
    all.left_out.insert(all.left_out.end(), answer.left_out.begin(), answer.left_out.end());
  }
  if (options.common.format == "json") {
    all.text = all_experiments_json(texts, {.experiment = "all",
                                            .complete = all.complete,
                                            .faults = all.faults,
                                            .left_out = all.left_out});
  } else {
    for (const auto& text : texts) all.text += (all.text.empty() ? "" : "\n") + text;
  }
  return all;
}

int run_reproduce(const ReproduceRequest& options) {
  catch_interrupt();
  Answer answer;
  if (options.what == "all") answer = run_all(options);
  for (const auto& experiment : kExperiments)
    if (options.what == experiment.name && (experiment.shared || answers())) {
      if (!experiment.shared)
        say_alone("reproduce", message("ranks do not share ", experiment.name), options.common);
      answer = run_one(experiment, options);
    }
  deliver(answer.text, options.common);
  // The text has said so already.
  const bool said = options.common.format == "text" && options.common.output.empty();
  for (const auto& fault : answer.faults)
    if (!said) say("not reproduced: " + fault, options.common);
  for (const auto& sentence : answer.left_out)
    if (!said || options.what == "all") say("left out: " + sentence, options.common);
  Ending ending{.interrupted = interrupted() || !answer.complete};
  if (!answer.faults.empty())
    ending.missing.push_back(fmt::format("not reproduced: {}", answer.faults.size()));
  return finish("reproduce", ending, options.common);
}

}  // namespace

void add_reproduce(CLI::App& program, Action& action) {
  auto options = std::make_shared<ReproduceRequest>();
  options->common.threads = 2;
  auto* command = program.add_subcommand(
      "reproduce",
      "the paper's table and figures beside the printed numbers, and what is certified beyond");
  std::vector<std::string> names;
  std::string about;
  for (const auto& experiment : kExperiments) {
    names.emplace_back(experiment.name);
    about += fmt::format("{}: {}; ", experiment.name, experiment.about);
  }
  names.emplace_back("all");
  command
      ->add_option("what", options->what,
                   about + "all: synthetic and, with --data, table1 and figures")
      ->required()
      ->check(CLI::IsMember(names));
  command->add_option("--data", options->folder,
                      "folder of the authors' models as FLID text; of registries: of the sets; of "
                      "safety: of the folds; of mixed-signs: of the fields; of cuts: of the "
                      "graphs; of best-sets: of Gset and "
                      "OR-Library");
  command
      ->add_option("--seconds", options->seconds,
                   "at most, to certify one problem (best-sets, certified, coverage, cuts, "
                   "hard-grid, mixed-signs, "
                   "registries)")
      ->check(takes(kSeconds))
      ->capture_default_str();
  command
      ->add_option("--certify", options->certify,
                   "seconds a problem for the certified optimum column of table1")
      ->check(takes(kSeconds));
  command
      ->add_option("--log-z", options->log_z,
                   "seconds a problem for the interval of log Z; figures: 5, table1: only what is "
                   "exact and quick")
      ->check(takes(kSeconds));
  command->add_option("--gap", options->gap, "relative gap at which a proof is content")
      ->check(takes(kNonNegative));
  command
      ->add_option("--stream", options->stream,
                   "PA orders of table1 and figures: as printed (the default for text and json) or "
                   "as released (for csv)")
      ->check(CLI::IsMember({"printed", "released"}));
  command->add_flag("--published", options->only_published,
                    "of table1: only the algorithms of the paper");
  command->add_option("--folds", options->folds, "of registries: how many of the ten to run")
      ->check(takes(WholeRule{1, 10}));
  command
      ->add_option("--categories", options->categories,
                   "of registries and certified: only these, comma separated")
      ->delimiter(',');
  command->add_flag("--all-pairs", options->all_pairs,
                    "of certified: agreements of all pairs of folds, not of the first two alone");
  command
      ->add_option("--learners", options->learners,
                   "of registries: only these, comma separated; all by default")
      ->delimiter(',')
      ->check(CLI::IsMember(registry_learners()));
  add_common_options(*command, options->common);
  command->footer(
      "Example:\n  surefield reproduce synthetic\n"
      "  surefield reproduce all --data flid --format json -o paper.json\n"
      "  surefield reproduce table1 --data flid --published --format csv -o table1.csv\n"
      "  surefield reproduce certified --data flid --seconds 60 --threads 2");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, reproduce_scopes(), "experiment", options->what);
    action = [options] { return run_reproduce(*options); };
  });
}

}  // namespace surefield::cli
