// surefield select SETS: how many dimensions the data bear, by posterior agreement and by held-out
// likelihood, and which family, by hidden items and likelihood.
#include <fmt/format.h>

#include <memory>

#include "surefield/api/model_selection.hpp"
#include "surefield/api/work.hpp"
#include "surefield/cli/command.hpp"
#include "surefield/cli/model_input.hpp"
#include "surefield/cli/output_file.hpp"
#include "surefield/cli/processes.hpp"
#include "surefield/cli/progress.hpp"
#include "surefield/cli/training_sets.hpp"
#include "surefield/cli/work_options.hpp"
#include "surefield/core/error.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/selection_report.hpp"

namespace surefield::cli {
namespace {

struct SelectRequest {
  CommonOptions common;
  TrainingSetsInput sets;
  SelectWork work;
  std::string model;
  bool both = true;  // dimensions and families
};

/// To --model, with the labels of the data; says which it was.
void write_trained(AnyModel model, const SetCollection& data, std::string_view what,
                   const SelectRequest& options) {
  const Index n = model.size();
  const ModelFormat& format = output_format("", options.model);
  write_model_file(
      options.model,
      model_text({.model = std::move(model), .items = data.names, .box = unit_box(n)}, format),
      format, data.names, options.common);
  say(fmt::format("wrote {}, {}, trained on all sets", options.model, what), options.common);
}

/// What cannot be written is refused before the work, not after it.
void check_outputs(const SelectRequest& options) {
  const std::vector<std::string> inputs{options.sets.path, options.sets.names};
  check_output_of(options.common, inputs);
  if (options.model.empty()) return;
  check_model_output(options.model, output_format("", options.model), inputs);
  require(options.model != options.common.output, "--model: ", options.model,
          " is also the file of -o; name another");
}

int run_select(SelectRequest& options) {
  check_outputs(options);
  const SetCollection data = load_training_sets(options.sets, options.common);
  say_about(data, set_statistics(data), options.sets, options.common);
  SelectOptions how = options_of(options.work, options.common.seed, budget_of(options.common));
  how.crew = crew();
  FitOptions learn =
      family_options_of(options.work, options.common.seed, budget_of(options.common));
  learn.observer = [](const FitProgress&) { return !interrupted(); };
  learn.crew = crew();
  catch_interrupt();
  const ModelSelection selected = [&] {
    if (!options.work.families.empty()) return select_models(data, options.work, false, how, learn);
    Progress progress(1, "select", options.common);
    how.progress = [&](double fraction) { progress.set(fraction); };
    // One table is all that CSV can hold.
    return select_models(data, options.work, options.both && options.common.format != "csv", how,
                         learn);
  }();
  deliver(options.common.format == "json"  ? selection_json(selected)
          : options.common.format == "csv" ? selection_csv(selected)
                                           : selection_text(selected),
          options.common);
  if (options.common.format != "text" || !options.common.output.empty())
    say(selected.verdict(), options.common);
  if (answers() && !options.model.empty() && selected.has_winner()) {
    learn.crew = nullptr;
    write_trained(trained_on_all(data, selected, learn), data, selected.winner(), options);
  }
  return finish("select", ending_of(selected, interrupted()), options.common);
}

}  // namespace

void add_select(CLI::App& program, Action& action) {
  auto options = std::make_shared<SelectRequest>();
  auto* command =
      program.add_subcommand("select",
                             "how many dimensions a FLID of these sets should have, and "
                             "which family of models to learn, by "
                             "models of different folds");
  add_training_sets(*command, options->sets);
  add_work_options(*command, options->work);
  for (const char* option : {"--dims", "--beta", "--by"})
    command->get_option("--families")->excludes(command->get_option(option));
  command->add_option("--model", options->model,
                      "write the model that leads, trained on all sets, to this file");
  add_common_options(*command, options->common);
  command->footer(
      "Without --dims, --beta, --by and --families D is compared first, then the most likely FLID "
      "with the other families; CSV has D alone.\n\n"
      "Example:\n  surefield select registries.csv --dims 1,2,3,5,10 --folds 5 --threads 2\n"
      "  surefield select baskets.csv --families modular,flid,fldc,pairwise --model model.json\n"
      "  surefield select registries.csv --by likelihood --model model.json --format json -o "
      "select.json");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, select_scopes(), "choice", select_choice(options->work));
    options->both = asks_for_both(options_given(*command));
    action = [options] { return run_select(*options); };
  });
}

}  // namespace surefield::cli
