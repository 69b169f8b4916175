// Questions about observed sets: fit, select, evaluate.
#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "surefield/api/evaluate.hpp"
#include "surefield/api/fit.hpp"
#include "surefield/api/select.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/match_items.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/report/evaluation_report.hpp"
#include "surefield/report/fit_report.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/select_report.hpp"
#include "surefield/studio/question.hpp"

namespace surefield::studio {
namespace {

std::vector<std::string> names_of_models() {
  std::vector<std::string> names;
  for (const FitRow& row : fit_table())
    if (names.empty() || names.back() != row.model) names.emplace_back(row.model);
  return names;
}

/// sets.csv becomes sets.flid.json.
std::string name_of_fit(const std::string& sets, const std::string& model) {
  return sets.substr(0, sets.rfind('.')) + "." + model + ".json";
}

std::vector<Index> dimensions_of(const std::vector<std::string>& words) {
  std::vector<Index> out;
  for (const std::string& word : words) {
    Index value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    require(fault == std::errc() && end == word.data() + word.size() && value <= 1000,
            "dims: found '", word, "', expected a whole number from 0 to 1000");
    out.push_back(value);
  }
  return out;
}

}  // namespace

Answer answer_fit(const Question& question) {
  Fields fields(question.options);
  const SetCollection& data = *question.file->sets;
  FitOptions how;
  how.model = fields.word("model", names_of_models()).value_or("auto");
  if (const auto dims = fields.whole("dims", {0, 1000})) how.nce.dimensions = *dims;
  how.seed = fields.whole("seed", kAnySeed).value_or(1);
  fields.finish("fit");
  how.budget = question.budget;
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
  answer.json = with_arguments(fit_json(entry, set_statistics(data), how.seed), arguments);
  return answer;
}

Answer answer_select(const Question& question) {
  Fields fields(question.options);
  SelectOptions how;
  if (const auto dims = dimensions_of(fields.list("dims")); !dims.empty()) how.dimensions = dims;
  how.folds = fields.whole("folds", {2, 100}).value_or(how.folds);
  how.training.starts = fields.whole("starts", {1, 1000}).value_or(how.training.starts);
  how.seed = fields.whole("seed", kAnySeed).value_or(1);
  fields.finish("select");
  how.budget = question.budget;
  how.progress = [&](double share) {
    if (question.tell) question.tell("progress", {{"share", share}});
  };
  return {with_arguments(select_json(select_model(*question.file->sets, how)),
                         arguments_of(question, fields))};
}

Answer answer_evaluate(const Question& question) {
  Fields fields(question.options);
  const ModelFile& file = *question.file->model;
  const Index n = size_of(file.model);
  require(file.box == unit_box(n), question.file->name,
          ": some items are bounded, but held-out sets are judged under the model of all sets");
  EvaluateOptions how;
  how.support = fields.flag("non-empty") ? Support::kNonEmptySets : Support::kAllSets;
  const MatchOptions match{.first_id = fields.whole("first-id", {0, 1}),
                           .skip_unknown = fields.flag("skip-unknown")};
  fields.finish("evaluate");
  how.budget = question.budget;
  std::string understood;
  const SetCollection held_out =
      in_items_of(parse_baskets(question.sets->text, question.sets->name), n, file.items, match,
                  question.sets->name, understood);
  return {with_arguments(evaluation_json(evaluate_model(file.model, held_out, nullptr, how)),
                         arguments_of(question, fields))};
}

}  // namespace surefield::studio
