// surefield select SETS: how many dimensions the data bear, by posterior agreement and by held-out
// likelihood.
#include <fmt/format.h>

#include <memory>

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
#include "surefield/report/family_report.hpp"
#include "surefield/report/select_report.hpp"

namespace surefield::cli {
namespace {

struct SelectRequest {
  CommonOptions common;
  TrainingSetsInput sets;
  SelectWork work;
  std::string model;
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

/// Families by hidden items; the winner, learned from all sets, goes to --model.
int run_families(SelectRequest& options, const SetCollection& data) {
  FitOptions how = family_options_of(options.work, options.common.seed, budget_of(options.common));
  how.observer = [](const FitProgress&) { return !interrupted(); };
  how.crew = crew();
  const FamilyChoice choice = compare_families(data, options.work, how);
  deliver(options.common.format == "json"  ? family_json(choice)
          : options.common.format == "csv" ? family_csv(choice)
                                           : family_text(choice),
          options.common);
  if (options.common.format != "text" || !options.common.output.empty())
    say(choice.verdict, options.common);
  if (answers() && !options.model.empty() && !choice.rows.empty()) {
    how.model = choice.winner;
    how.crew = nullptr;
    write_trained(fit(data, how).model, data, choice.winner, options);
  }
  return finish("select", ending_of(choice, interrupted()), options.common);
}

/// The row that leads, trained on all the data.
void write_model(const SetCollection& data, const SelectResult& selected,
                 const SelectRequest& options) {
  FitOptions how = family_options_of(options.work, options.common.seed, Budget());
  how.observer = [](const FitProgress&) { return !interrupted(); };
  write_trained(trained_on_all(data, selected, std::move(how)), data,
                fmt::format("D = {}", selected.rows[selected.winner].dimensions), options);
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
  if (!options.work.families.empty()) {
    catch_interrupt();
    return run_families(options, data);
  }
  SelectOptions how = options_of(options.work, options.common.seed, budget_of(options.common));
  how.crew = crew();
  catch_interrupt();
  const SelectResult result = [&] {
    Progress progress(1, "select", options.common);
    how.progress = [&](double fraction) { progress.set(fraction); };
    return select_model(data, how);
  }();
  deliver(options.common.format == "json"  ? select_json(result)
          : options.common.format == "csv" ? select_csv(result)
                                           : select_text(result),
          options.common);
  if (options.common.format != "text" || !options.common.output.empty())
    say(result.verdict, options.common);
  if (answers() && !options.model.empty() && !result.rows.empty())
    write_model(data, result, options);
  return finish("select", ending_of(result, interrupted()), options.common);
}

}  // namespace

void add_select(CLI::App& program, Action& action) {
  auto options = std::make_shared<SelectRequest>();
  auto* command = program.add_subcommand("select",
                                         "how many dimensions a FLID of these sets should have, or "
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
      "Example:\n  surefield select registries.csv --dims 1,2,3,5,10 --folds 5 --threads 2\n"
      "  surefield select baskets.csv --families modular,flid,fldc,pairwise --model model.json\n"
      "  surefield select registries.csv --by likelihood --model model.json --format json -o "
      "select.json");
  command->callback([options, command, &action] {
    refuse_outside_scope(*command, select_scopes(), "choice", select_choice(options->work));
    action = [options] { return run_select(*options); };
  });
}

}  // namespace surefield::cli
