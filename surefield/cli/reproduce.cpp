// surefield reproduce: the paper's table and figures beside the printed numbers, and what is
// certified beyond them.
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "surefield/cli/command.hpp"
#include "surefield/cli/experiments.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/experiments/experiment_json.hpp"
#include "surefield/experiments/registries.hpp"
#include "surefield/report/ending.hpp"

namespace surefield::cli {
namespace {

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
  for (const auto& experiment : experiments()) {
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
  for (const auto& experiment : experiments())
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
  for (const auto& experiment : experiments()) {
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
