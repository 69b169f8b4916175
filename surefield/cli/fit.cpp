// surefield fit SETS: a model learned from observed sets; one model, one fold, or all folds at
// once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/training_sets.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/flid_file.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/fit_report.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield::cli {
namespace {

constexpr std::string_view kFoldMark = "{fold}";

struct FitRequest {
  CommonOptions common;
  TrainingSetsInput sets;
  std::string to;
  FitWork work;
  bool width_given = false;
};

std::string path_of(const FitRequest& options, Index fold) {
  std::string path = options.common.output;
  if (const auto at = path.find(kFoldMark); at != std::string::npos)
    path.replace(at, kFoldMark.size(), fmt::format("{}", fold));
  return path;
}

std::string text_of_model(const FitResult& fit, const FitRequest& options,
                          const std::string& path) {
  const ModelFormat& format = output_format(options.to, path);
  const auto* const flid = fit.model.as<Flid>();
  if (flid && format.name == "flid") return flid_text(*flid, -fit.log_z_estimate.value_or(0));
  return model_text({.model = fit.model, .items = fit.items, .box = unit_box(size_of(fit.model))},
                    format);
}

/// A rehearsal: the model of two small sets is written in the format. What cannot be is refused.
void check_format_of_model(FitOptions how, const ModelFormat& format) {
  const SetCollection small{.items = 2, .sets = {{0}, {1}, {0, 1}, {0}, {1}}, .names = {"0", "1"}};
  how.nce.epochs = how.dpp.iterations = how.likelihood.iterations = 1;
  how.nce.starts = how.likelihood.starts = 1;
  how.nce.dimensions = std::min<Index>(how.nce.dimensions, 1);
  how.concepts = std::min<Index>(how.concepts, 1);
  AnyModel model;
  try {
    model = fit(small, how).model;
  } catch (const Error&) {
    return;  // too small to learn from: nothing is known before the work
  }
  model_text({.model = model, .items = {}, .box = unit_box(small.items)}, format);
}

void check(const FitRequest& options) {
  const auto& output = options.common.output;
  const Index folds = options.work.folds.value_or(0), fold = options.work.fold.value_or(0);
  const bool all_folds = folds > 0 && fold == 0;
  require(folds > 0 || fold == 0, "fit: --fold ", fold, " needs --folds, the number of them");
  require(fold <= folds || folds == 0, "fit: --fold is ", fold, ", which must be from 1 to ",
          folds);
  require(!all_folds || output.find(kFoldMark) != std::string::npos,
          "fit: all folds are to be written; name the files by -o with ", kFoldMark,
          " in it (or choose one with --fold)");
  require(options.common.format == "text" || !output.empty(), "fit: --format ",
          options.common.format,
          " is of the summary, which goes to stdout; name a file for the model with -o");
  // Refused before the work, not after it.
  const ModelFormat& format = output_format(options.to, output);
  for (Index k = all_folds ? 1 : 0; k <= (all_folds ? folds : 0); ++k)
    check_model_output(path_of(options, k), format, {options.sets.path, options.sets.names});
  check_format_of_model(options.work.how, format);
}

/// Whether processes share the training: folds, or what there is to share of one model. Else the first does it.
bool is_shared(const FitRequest& options) {
  const bool folds = options.work.folds && !options.work.fold;
  return folds || fit_is_shared(options.work.how);
}

/// Learns, and writes each model as soon as it is there.
std::vector<FitEntry> learned(const SetCollection& data, const FitRequest& options) {
  CrossValidationOptions how =
      options_of(options.work, options.common.seed, budget_of(options.common));
  const Index count = models_to_learn(how);
  if (is_shared(options)) (count > 1 ? how.crew : how.fit.crew) = crew();
  Progress progress(count, "fit", options.common);
  how.fit.observer = [&](const FitProgress& now) {  // of one model by its epochs, else by folds
    if (count == 1)
      progress.set(static_cast<double>(now.done) /
                   static_cast<double>(std::max(now.done + 1, now.most)));
    return !interrupted();
  };
  how.done = [&](Index, const FoldFit& found) {
    const std::string path = path_of(options, found.fold.value_or(0));
    if (!path.empty())
      write_model_file(path, text_of_model(found.fit, options, path),
                       output_format(options.to, path), found.fit.items, options.common);
    progress.advance();
  };
  std::vector<FitEntry> entries;
  for (FoldFit& found : cross_validate(data, how)) {
    std::string path = path_of(options, found.fold.value_or(0));
    entries.push_back({std::move(path), found.fold, std::move(found.fit), found.held_out,
                       std::move(found.hidden)});
  }
  return entries;
}

/// Hidden items over the sets of all folds.
void say_all_folds(const std::vector<FitEntry>& entries, const CommonOptions& common) {
  std::vector<ItemJudgement> folds;
  for (const FitEntry& entry : entries)
    if (entry.hidden) folds.push_back(*entry.hidden);
  std::string text = "all folds: " + hidden_items_text(pooled(folds));
  text.pop_back();
  say(text, common);
}

int run_fit(FitRequest& options) {
  check(options);
  if (!is_shared(options) && !answers()) return kDone;
  const SetCollection data = load_training_sets(options.sets, options.common);
  const SetStatistics statistics = set_statistics(data);
  say_about(data, statistics, options.sets, options.common);
  catch_interrupt();
  if (!is_shared(options))
    say_alone("fit",
              fmt::format("{} is learned in one piece; --folds are shared, and select",
                          options.work.how.model),
              options.common);
  const std::vector<FitEntry> entries = learned(data, options);
  const Index models =
      models_to_learn(options_of(options.work, options.common.seed, budget_of(options.common)));
  const Ending ending =
      ending_of(entries, options.work, models, options.width_given, interrupted());
  for (const auto& entry : entries) {
    std::string text = fit_text(entry);
    text.pop_back();
    say(text, options.common);
    const double chance = std::exp(-entry.fit.log_z_estimate.value_or(0));
    if (const auto asked = options.work.how.nce.empty_chance;
        asked && entry.fit.method == "nce" && std::abs(chance - *asked) > 1e-6)
      say(fmt::format("the chance of the empty set is about {:.4f}, not {}: weights must stay >= 0",
                      chance, *asked),
          options.common);
    if (!entry.path.empty()) say(fmt::format("wrote {}", entry.path), options.common);
  }
  if (entries.size() > 1) say_all_folds(entries, options.common);
  CommonOptions to_stdout = options.common;
  to_stdout.output.clear();
  if (options.common.output.empty()) {
    deliver(text_of_model(entries.front().fit, options, ""), to_stdout);
    say_if_labels_are_lost(output_format(options.to, ""), entries.front().fit.items,
                           options.common);
  }
  if (!options.common.output.empty() && options.common.format != "text")
    deliver(options.common.format == "json" ? fit_json(entries, statistics, options.common.seed)
                                            : fit_csv(entries),
            to_stdout);
  if (ending.interrupted) say("fit: what is written is the best so far", options.common);
  return finish("fit", ending, options.common);
}

/// What is learned where --model does not say: a file of FLIDs asks for one too.
std::string model_asked_for(const CLI::App& command, const FitRequest& options) {
  const ModelFormat* const format =
      options.to.empty() ? format_by_ending(options.common.output) : nullptr;
  const bool flid_file = options.to == "flid" || (format != nullptr && format->name == "flid");
  if (flid_file && options.work.how.method.empty()) return "flid";
  return model_by_options(options_given(command), options.work.how);
}

}  // namespace

void add_fit(CLI::App& program, Action& action) {
  auto options = std::make_shared<FitRequest>();
  auto* command =
      program.add_subcommand("fit", "a model learned from observed sets, as native JSON");
  TextTable about(
      {{"", TextTable::Side::kLeft}, {"", TextTable::Side::kLeft}, {"", TextTable::Side::kLeft}});
  for (const auto& row : fit_table())
    about.add({std::string(row.model), std::string(row.method), std::string(row.about)});
  add_training_sets(*command, options->sets);
  add_work_options(*command, options->work);
  command->add_option("--to", options->to, "format of the model by name, see `surefield list`");
  add_common_options(*command, options->common);
  command->footer(
      "MODELS\n" + about.text() +
      "The model goes to -o, native JSON or FLID text by its ending, else to stdout; with -o,\n"
      "--format json or csv writes a summary to stdout.\n"
      "Example:\n  surefield fit baskets.csv -o model.json\n"
      "  surefield fit registries.csv --names items.txt --dims 10 -o model.json\n"
      "  surefield fit baskets.csv --model pairwise --folds 5 -o 'fold_{fold}.json'\n"
      "  surefield fit registries.csv --folds 10 --threads 2 -o 'fold_{fold}.json' --format csv");
  command->callback([options, command, &action] {
    if (command->get_option("--model")->count() == 0)
      options->work.how.model = model_asked_for(*command, *options);
    refuse_outside_scope(*command, fit_scopes(), "method", fit_name(options->work.how));
    options->width_given = command->get_option("--width")->count() > 0;
    refuse_without(*command, "--width", "--folds");
    refuse_without(*command, "--seconds", "--folds");
    action = [options] { return run_fit(*options); };
  });
}

}  // namespace surefield::cli
