// surefield fit SETS: a model learned from observed sets; one model, one fold, or all folds at
// once.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "surefield/api/cross_validation.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/number_rule.hpp"
#include "surefield/cli/option_scope.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/training_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/flid_file.hpp"
#include "surefield/report/ending.hpp"
#include "surefield/report/fit_report.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield::cli {
namespace {

constexpr std::string_view kFoldMark = "{fold}";

struct FitRequest {
  CommonOptions common;
  TrainingSetsInput sets;
  std::string to, optimiser = "adagrad";
  FitOptions fit;
  std::optional<std::size_t> epochs, starts;
  Index folds = 0, fold = 0;  ///< fold from 1; 0: all of them
  double width = 1e-3, seconds = 10;
  bool width_given = false;
  std::string log_z = "auto";
};

/// The exact log Z where a few dimensions allow it, else the bound.
LogZMethod log_z_method(const FitRequest& options) {
  for (const auto method : {LogZMethod::kExact, LogZMethod::kHoelder, LogZMethod::kMeanField})
    if (options.log_z == text_of(method)) return method;
  return options.fit.nce.dimensions <= 3 ? LogZMethod::kExact : LogZMethod::kHoelder;
}

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
  const bool all_folds = options.folds > 0 && options.fold == 0;
  require(options.folds > 0 || options.fold == 0, "fit: --fold ", options.fold,
          " needs --folds, the number of them");
  require(options.fold <= options.folds || options.folds == 0, "fit: --fold is ", options.fold,
          ", which must be from 1 to ", options.folds);
  require(!all_folds || output.find(kFoldMark) != std::string::npos,
          "fit: all folds are to be written; name the files by -o with ", kFoldMark,
          " in it (or choose one with --fold)");
  require(options.common.format == "text" || !output.empty(), "fit: --format ",
          options.common.format,
          " is of the summary, which goes to stdout; name a file for the model with -o");
  // Refused before the work, not after it.
  const ModelFormat& format = output_format(options.to, output);
  for (Index fold = all_folds ? 1 : 0; fold <= (all_folds ? options.folds : 0); ++fold)
    check_model_output(path_of(options, fold), format, {options.sets.path, options.sets.names});
  check_format_of_model(options.fit, format);
}

/// What training is told: the options with the names of methods resolved.
CrossValidationOptions how_of(const FitRequest& options) {
  CrossValidationOptions how{.fit = options.fit,
                             .folds = options.folds,
                             .fold = options.fold > 0 ? std::optional(options.fold) : std::nullopt,
                             .width = options.width,
                             .seconds = options.seconds,
                             .seed = options.common.seed,
                             .budget = budget_of(options.common)};
  how.fit.seed = options.common.seed;
  how.fit.nce.optimiser =
      options.optimiser == "sgd" ? NceOptions::Optimiser::kSgd : NceOptions::Optimiser::kAdaGrad;
  how.fit.likelihood.log_z = log_z_method(options);
  if (options.starts) how.fit.nce.starts = how.fit.likelihood.starts = *options.starts;
  if (options.epochs)
    how.fit.nce.epochs = how.fit.dpp.iterations = how.fit.likelihood.iterations =
        how.fit.pairwise.iterations = *options.epochs;
  return how;
}

/// Learns, and writes each model as soon as it is there.
std::vector<FitEntry> learned(const SetCollection& data, const FitRequest& options) {
  CrossValidationOptions how = how_of(options);
  const Index count = models_to_learn(how);
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
  const SetCollection data = load_training_sets(options.sets, options.common);
  const SetStatistics statistics = set_statistics(data);
  say_about(data, statistics, options.sets, options.common);
  catch_interrupt();
  const std::vector<FitEntry> entries = learned(data, options);
  const Index left_out = models_to_learn(how_of(options)) - entries.size();

  Ending ending{.epochs_asked = true, .interrupted = interrupted()};
  if (left_out > 0) ending.missing.push_back(fmt::format("folds not learned: {}", left_out));
  for (const auto& entry : entries) {
    std::string text = fit_text(entry);
    text.pop_back();
    say(text, options.common);
    const double chance = std::exp(-entry.fit.log_z_estimate.value_or(0));
    if (const auto asked = options.fit.nce.empty_chance;
        asked && entry.fit.method == "nce" && std::abs(chance - *asked) > 1e-6)
      say(fmt::format("the chance of the empty set is about {:.4f}, not {}: weights must stay >= 0",
                      chance, *asked),
          options.common);
    if (!entry.path.empty()) say(fmt::format("wrote {}", entry.path), options.common);
    if (entry.fit.status == Status::kInterrupted) ending.interrupted = true;
    if (entry.fit.status == Status::kFailed) ending.status = Status::kFailed;
    // Of models of both signs log Z is rarely known closely: that is short of what was asked for only
    // if it was asked for.
    const bool both_signs = entry.fit.model_name == "pairwise" || entry.fit.model_name == "fldc";
    if (options.folds == 0 || (both_signs && !options.width_given)) continue;
    const double width = entry.held_out ? entry.held_out->upper - entry.held_out->lower : INFINITY;
    ending.width = {{std::max(width, ending.width ? ending.width->got : 0), options.width}};
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

std::string name_of(const FitRow& row) { return fmt::format("{} by {}", row.model, row.method); }

/// The method that will run, by its row; the model's name alone where fit() will refuse it.
std::string chosen(const FitOptions& how) {
  for (const FitRow& row : fit_table())
    if (row.model == how.model && (how.method.empty() || row.method == how.method))
      return name_of(row);
  return how.model;
}

/// What is learned where --model does not say: the family that another option is for, else the best.
std::string model_by_options(const CLI::App& command, const FitRequest& options) {
  const auto any = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(
        names, [&](const char* name) { return command.get_option(name)->count() > 0; });
  };
  if (!options.fit.method.empty())
    for (const FitRow& row : fit_table())
      if (row.method == options.fit.method) return std::string(row.model);
  const ModelFormat* const format =
      options.to.empty() ? format_by_ending(options.common.output) : nullptr;
  if (any({"--concepts"})) return "fldc";
  if (any({"--dims", "--optimiser", "--step", "--noise", "--aside", "--patience", "--empty",
           "--log-z", "--starts"}) ||
      options.to == "flid" || (format != nullptr && format->name == "flid"))
    return "flid";
  if (any({"--penalty", "--repulsive", "--pairs"})) return "pairwise";
  return "auto";
}

/// Which methods each option is for.
std::vector<OptionScope> fit_scopes() {
  const auto those = [](auto&& belongs) {
    std::vector<std::string> names;
    for (const FitRow& row : fit_table())
      if (belongs(row)) names.push_back(name_of(row));
    return names;
  };
  const auto iterative = those([](const FitRow& row) { return row.model != "modular"; });
  const auto of_dimensions = those([](const FitRow& row) {
    return row.model == "flid" || row.model == "fldc" || row.model == "dpp" || row.model == "auto";
  });
  const auto of_weights =
      those([](const FitRow& row) { return row.model == "flid" || row.model == "fldc"; });
  const auto of_concepts =
      those([](const FitRow& row) { return row.model == "fldc" || row.model == "auto"; });
  const auto pairwise =
      those([](const FitRow& row) { return row.model == "pairwise" || row.model == "auto"; });
  const auto penalised = those(
      [](const FitRow& row) { return row.method == "pseudo-likelihood" || row.model == "auto"; });
  const auto nce = those([](const FitRow& row) { return row.method == "nce"; });
  std::vector<OptionScope> table{
      {"--dims", of_dimensions},
      {"--concepts", of_concepts},
      {"--epochs", iterative},
      {"--log-z", {"flid by likelihood"}},
      {"--starts", of_weights},
      {"--smoothing",
       those([](const FitRow& row) { return row.model != "flid" && row.model != "fldc"; })},
  };
  for (const char* option : {"--optimiser", "--step", "--noise", "--aside", "--patience"})
    table.push_back({option, nce});
  table.push_back({"--empty", those([](const FitRow& row) {
                     return row.model != "pairwise" &&
                            (row.method == "nce" || row.method == "samples");
                   })});
  for (const char* option : {"--penalty", "--repulsive"}) table.push_back({option, penalised});
  table.push_back({"--pairs", pairwise});
  return table;
}

void add_training_options(CLI::App& command, FitRequest& options) {
  NceOptions& nce = options.fit.nce;
  command.add_option("-d,--dims", nce.dimensions, "dimensions of flid and fldc, features of dpp")
      ->check(takes(WholeRule{0, 100000}))
      ->capture_default_str();
  command
      .add_option("--concepts", options.fit.concepts, "of fldc: concepts of items that go together")
      ->check(takes(WholeRule{0, 100000}))
      ->capture_default_str();
  command
      .add_option("--epochs", options.epochs,
                  "at most; by default 200 passes of nce, iterations: 500 flid by "
                  "likelihood, 500 pairwise, 1000 dpp")
      ->check(takes(WholeRule{1, 100000000}));
  command
      .add_option("--optimiser", options.optimiser, "of nce: rates per parameter, or one for all")
      ->check(CLI::IsMember({"adagrad", "sgd"}))
      ->capture_default_str();
  command.add_option("--step", nce.step, "of the optimiser; by default 0.1 adagrad, 0.01 sgd")
      ->check(takes(kPositive));
  command.add_option("--noise", nce.noise_ratio, "of nce: noise sets per observed set")
      ->check(takes(kPositive))
      ->capture_default_str();
  command
      .add_option("--aside", nce.held_aside,
                  "of nce: share of the sets that says when to stop; 0: all epochs run")
      ->check(takes(kBelowOne))
      ->capture_default_str();
  command.add_option("--patience", nce.patience, "of nce: epochs without improvement that end it")
      ->check(takes(kCount))
      ->capture_default_str();
  command
      .add_option("--empty", nce.empty_chance,
                  "of nce and samples: P(empty set); by default its share in the data, else 0.0125")
      ->check(takes(kBetween));
  command
      .add_option("--log-z", options.log_z,
                  "of flid by likelihood; auto: exact up to 3 dimensions, else hoelder")
      ->check(CLI::IsMember({"auto", "exact", "hoelder", "mean-field"}))
      ->capture_default_str();
  command
      .add_option(
          "--starts", options.starts,
          "of flid and fldc: random starts, of which the best is kept; by default 1 of nce, 3 of "
          "likelihood")
      ->check(takes(WholeRule{1, 1000000}))
      ->capture_default_str();
  command
      .add_option("--penalty", options.fit.pairwise.penalty,
                  "of pairwise: couplings are N(0, 1/penalty) a priori; by default chosen by folds")
      ->check(takes(kPositive));
  command.add_flag("--repulsive", options.fit.pairwise.repulsive,
                   "of pairwise: no coupling above 0, so that the model is submodular");
  command
      .add_option("--pairs", options.fit.pairwise.least_pair,
                  "of pairwise: couplings of pairs that met in so many sets, or should have; by "
                  "default of all pairs up to 100000, else 2")
      ->check(takes(kNonNegative));
  command
      .add_option("--smoothing", options.fit.smoothing, "of modular, pairwise and dpp: sets added")
      ->check(takes(kNonNegative))
      ->capture_default_str();
}

}  // namespace

void add_fit(CLI::App& program, Action& action) {
  auto options = std::make_shared<FitRequest>();
  auto* command =
      program.add_subcommand("fit", "a model learned from observed sets, as native JSON");
  std::vector<std::string> models;
  std::vector<std::string> methods;
  TextTable about(
      {{"", TextTable::Side::kLeft}, {"", TextTable::Side::kLeft}, {"", TextTable::Side::kLeft}});
  for (const auto& row : fit_table()) {
    if (models.empty() || models.back() != row.model) models.emplace_back(row.model);
    if (std::find(methods.begin(), methods.end(), row.method) == methods.end())
      methods.emplace_back(row.method);
    about.add({std::string(row.model), std::string(row.method), std::string(row.about)});
  }
  add_training_sets(*command, options->sets);
  command
      ->add_option("--model", options->fit.model,
                   "what to learn; by default what the other options are for, else auto")
      ->check(CLI::IsMember(models));
  command->add_option("--method", options->fit.method, "how; by default the model's first below")
      ->check(CLI::IsMember(methods));
  add_training_options(*command, *options);
  command
      ->add_option("--folds", options->folds,
                   "hold one part of so many out; all in turn unless --fold says which")
      ->check(takes(WholeRule{2, kCount.high}));
  command->add_option("--fold", options->fold, "the part held out, from 1")
      ->check(takes(kAtLeastOne));
  command->add_option("--width", options->width, "of the log Z interval of a held-out likelihood")
      ->check(takes(kPositive))
      ->capture_default_str();
  command->add_option("--seconds", options->seconds, "at most, for that interval")
      ->check(takes(kSeconds))
      ->capture_default_str();
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
      options->fit.model = model_by_options(*command, *options);
    refuse_outside_scope(*command, fit_scopes(), "method", chosen(options->fit));
    options->width_given = command->get_option("--width")->count() > 0;
    refuse_without(*command, "--width", "--folds");
    refuse_without(*command, "--seconds", "--folds");
    action = [options] { return run_fit(*options); };
  });
}

}  // namespace surefield::cli
