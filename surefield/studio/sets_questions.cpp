// Questions about observed sets: fit, select, evaluate.
#include <algorithm>
#include <array>
#include <utility>

#include "surefield/api/work.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/match_items.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/evaluation_report.hpp"
#include "surefield/report/fit_report.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/selection_report.hpp"
#include "surefield/studio/question.hpp"

namespace surefield::studio {
namespace {

/// sets.csv becomes sets.flid.json.
std::string name_of_fit(const std::string& sets, const std::string& model) {
  return sets.substr(0, sets.rfind('.')) + "." + model + ".json";
}

}  // namespace

Answer answer_fit(const Question& question) {
  Fields fields(question.options);
  const SetCollection& data = *question.file->sets;
  FitWork work;
  show_training_options(work, fields);
  const std::uint64_t seed = fields.seed();
  fields.finish("fit");
  if (work.how.model.empty()) work.how.model = model_by_options(fields.given(), work.how);
  fields.refuse_outside_scope(fit_scopes(), "method", fit_name(work.how));
  FitOptions how = options_of(work, seed, question.budget).fit;
  how.budget = work.deadline ? question.budget.within(*work.deadline) : question.budget;
  how.observer = [&](const FitProgress& now) {
    if (question.tell)
      question.tell(
          "progress",
          {{"done", now.done}, {"most", now.most}, {"objective", json_number(now.objective)}});
    return !question.budget.spent();
  };
  FitResult found = fit(data, how);
  Answer answer;
  answer.made_name = name_of_fit(question.file->name, found.model_name);
  answer.made_text = model_text(
      {.model = found.model, .items = found.items, .box = unit_box(size_of(found.model))},
      format_named("json"));
  std::vector<std::string> arguments = arguments_of(question, fields);
  arguments.insert(arguments.end() - 2, {"-o", answer.made_name});
  const std::array<FitEntry, 1> entry{FitEntry{.path = answer.made_name, .fit = std::move(found)}};
  answer.json = with_arguments(fit_json(entry, set_statistics(data), seed), arguments);
  return answer;
}

Answer answer_select(const Question& question) {
  Fields fields(question.options);
  SelectWork work;
  show_options(work, fields);
  const std::uint64_t seed = fields.seed();
  fields.finish("select");
  fields.refuse_outside_scope(select_scopes(), "choice", select_choice(work));
  const SetCollection& data = *question.file->sets;
  SelectOptions how = options_of(work, seed, question.budget);
  how.progress = [&](double share) {
    if (question.tell) question.tell("progress", {{"share", share}});
  };
  const ModelSelection selected = select_models(data, work, asks_for_both(fields.given()), how,
                                                family_options_of(work, seed, question.budget));
  return {with_arguments(selection_json(selected), arguments_of(question, fields))};
}

Answer answer_evaluate(const Question& question) {
  Fields fields(question.options);
  const ModelFile& file = *question.file->model;
  const Index n = size_of(file.model);
  require(file.box == unit_box(n), question.file->name,
          ": some items are bounded, but held-out sets are judged under the model of all sets");
  EvaluateWork work;
  show_options(work, fields);
  MatchOptions match;
  fields.whole("first-id", match.first_id, {0, 1}, "");
  fields.flag("skip-unknown", match.skip_unknown, "");
  const std::uint64_t seed = fields.seed();
  fields.finish("evaluate");
  EvaluateOptions how = options_of(work, seed);
  how.budget = question.budget;
  std::string understood;
  const SetCollection held_out =
      in_items_of(parse_baskets(question.sets->text, question.sets->name), n, file.items, match,
                  question.sets->name, understood);
  return {with_arguments(evaluation_json(evaluate_model(file.model, held_out, nullptr, how)),
                         arguments_of(question, fields))};
}

}  // namespace surefield::studio
