// Sets, and what is learned from them: fit, select, evaluate.
#include <pybind11/stl.h>

#include "python/bindings/answers.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/setting.hpp"
#include "surefield/api/work.hpp"
#include "surefield/core/error.hpp"
#include "surefield/io/baskets/read_baskets.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/evaluation_report.hpp"
#include "surefield/report/fit_report.hpp"
#include "surefield/report/selection_report.hpp"

namespace surefield::python {
namespace {

using AnswerPointer = std::shared_ptr<Answer>;

/// The sets of a sparse matrix by rows.
SetCollection sets_of(const py::array& start, const py::array& item, Index items,
                      std::vector<std::string> names) {
  const auto begin = indices_of<std::size_t>(start);
  const auto all = indices_of<std::uint32_t>(item);
  require(!begin.empty() && begin.back() <= all.size(), "sets: the arrays do not fit each other");
  require(names.empty() || names.size() == items, "sets: there are ", names.size(), " labels, but ",
          items, " items");
  SetCollection data{.items = items, .sets = {}, .names = std::move(names)};
  for (std::size_t r = 0; r + 1 < begin.size(); ++r)
    data.sets.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(begin[r]),
                           all.begin() + static_cast<std::ptrdiff_t>(begin[r + 1]));
  for (const auto& set : data.sets)
    for (const auto i : set) require(i < items, "sets: item ", i, " is not one of the ", items);
  return data;
}

py::tuple arrays_of(const SetCollection& data) {
  py::array_t<std::int64_t> start(static_cast<py::ssize_t>(data.sets.size() + 1));
  std::int64_t* const begin = start.mutable_data();
  begin[0] = 0;
  for (std::size_t r = 0; r < data.sets.size(); ++r)
    begin[r + 1] = begin[r] + static_cast<std::int64_t>(data.sets[r].size());
  py::array_t<std::int32_t> item(begin[data.sets.size()]);
  std::int32_t* to = item.mutable_data();
  for (const auto& set : data.sets)
    for (const auto i : set) *to++ = static_cast<std::int32_t>(i);
  return py::make_tuple(start, item);
}

/// As --separator, --form, --header, --encoding and --long say; None where the file is to tell.
py::tuple read_sets(const std::string& path, const std::optional<std::string>& separator,
                    const std::optional<std::string>& form, std::optional<bool> header,
                    const std::optional<std::string>& encoding,
                    const std::optional<std::pair<std::string, std::string>>& columns) {
  BasketOptions how;
  if (separator) how.separator = separator_named(*separator);
  if (form) how.form = form_named(*form);
  if (encoding) how.encoding = encoding_named(*encoding);
  how.header = header;
  if (columns) std::tie(how.order_column, how.item_column) = *columns;
  Baskets baskets = read_baskets(path, how);
  require(!baskets.data.sets.empty(), path, ": it holds no set, but at least one is needed");
  std::string what = understood(baskets, path);
  return py::make_tuple(std::move(baskets.data), std::move(what));
}

ModelFile model_of(AnyModel model, std::vector<std::string> items) {
  const Index n = model.size();
  return {std::move(model), std::move(items), unit_box(n)};
}

AnswerPointer fit_answer(const SetCollection& data, py::dict given) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<FitWork>(keywords);
  if (work.how.model.empty()) work.how.model = model_by_options(keywords.taken(), work.how);
  keywords.refuse_outside_scope(fit_scopes(), "method", fit_name(work.how));
  for (const char* option : {"width", "seconds", "fold"})
    require(!keywords.has(option) || work.folds, option, ": it has no effect without folds");
  Watch watch(static_cast<unsigned>(setting.threads), setting.progress);
  CrossValidationOptions how = surefield::options_of(work, setting.seed, watch.budget());
  const Index count = models_to_learn(how);
  std::atomic<Index> done = 0;
  how.fit.observer = [&](const FitProgress& now) {
    if (count == 1)
      watch.set_share(static_cast<double>(now.done) /
                      static_cast<double>(std::max(now.done + 1, now.most)));
    return !watch.budget().spent();
  };
  how.done = [&](Index, const FoldFit&) {
    watch.set_share(static_cast<double>(done.fetch_add(1) + 1) / static_cast<double>(count));
  };
  auto entries = std::make_shared<std::vector<FitEntry>>();
  for (FoldFit& found : watch.run([&] { return cross_validate(data, how); }))
    entries->push_back(
        {"", found.fold, std::move(found.fit), found.held_out, std::move(found.hidden)});
  auto answer = answer_of(
      entries, ending_of(*entries, work, count, keywords.has("width"), watch.interrupted()));
  answer->json = [entries, statistics = set_statistics(data), seed = setting.seed] {
    return fit_json(*entries, statistics, seed);
  };
  answer->csv = [entries] { return fit_csv(*entries); };
  answer->text = [entries](std::size_t) {
    std::string text;
    for (const FitEntry& entry : *entries) text += fit_text(entry);
    return text;
  };
  for (const FitEntry& entry : *entries)
    answer->models.push_back(model_of(entry.fit.model, entry.fit.items));
  return answer;
}

AnswerPointer select_answer(const SetCollection& data, py::dict given, bool train) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<SelectWork>(keywords);
  keywords.refuse_outside_scope(select_scopes(), "choice", select_choice(work));
  Watch watch(static_cast<unsigned>(setting.threads), setting.progress);
  for (const char* option : {"dims", "beta", "by"})
    require(!keywords.has("families") || !keywords.has(option), option,
            ": it has no place beside families");
  SelectOptions how = surefield::options_of(work, setting.seed, watch.budget());
  how.progress = [&](double share) { watch.set_share(share); };
  const FitOptions learn = family_options_of(work, setting.seed, watch.budget());
  auto result = std::make_shared<const ModelSelection>(watch.run(
      [&] { return select_models(data, work, asks_for_both(keywords.taken()), how, learn); }));
  auto answer = answer_of(result, ending_of(*result, watch.interrupted()));
  answer->json = [result] { return selection_json(*result); };
  answer->csv = [result] { return selection_csv(*result); };
  answer->text = [result](std::size_t) { return selection_text(*result); };
  if (train && result->has_winner())
    answer->models.push_back(
        model_of(watch.run([&] { return trained_on_all(data, *result, learn); }), data.names));
  return answer;
}

AnswerPointer evaluate_answer(const ModelFile& file, const SetCollection& held_out,
                              const SetCollection* training, py::dict given) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  const auto work = work_of<EvaluateWork>(keywords);
  require(
      file.box == unit_box(file.model.size()),
      "evaluate: some items are bounded, but held-out sets are judged under the model of all sets");
  Watch watch(threads_for(setting, file), setting.progress);
  EvaluateOptions how = surefield::options_of(work, setting.seed);
  how.budget = watch.budget();
  Evaluation found = watch.run([&] { return evaluate_model(file.model, held_out, training, how); });
  auto result = std::make_shared<const Evaluation>(std::move(found));
  auto answer = answer_of(result, ending_of(*result, work, watch.interrupted()));
  answer->json = [result] { return evaluation_json(*result); };
  answer->csv = [result] { return evaluation_csv(*result); };
  answer->text = [result](std::size_t) { return evaluation_text(*result); };
  return answer;
}

}  // namespace

void bind_learning(py::module_& m) {
  py::class_<SetCollection>(m, "Sets")
      .def(py::init(&sets_of))
      .def_property_readonly("size", [](const SetCollection& data) { return data.sets.size(); })
      .def_readonly("items", &SetCollection::items)
      .def_readonly("labels", &SetCollection::names)
      .def_property_readonly("arrays", &arrays_of);
  m.def("read_sets", &read_sets);
  m.def("fit", &fit_answer);
  m.def("select", &select_answer);
  m.def("evaluate", &evaluate_answer);
  m.def("fit_table", [] {
    py::list rows;
    for (const FitRow& row : fit_table())
      rows.append(
          py::make_tuple(std::string(row.model), std::string(row.method), std::string(row.about)));
    return rows;
  });
}

}  // namespace surefield::python
