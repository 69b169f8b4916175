// infer, log_z, sample, best_set, agree, recommend: keywords in, the answer of the front door out.
#include <pybind11/stl.h>

#include <algorithm>

#include "python/bindings/answers.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/setting.hpp"
#include "surefield/api/recommend_each.hpp"
#include "surefield/api/work.hpp"
#include "surefield/core/error.hpp"
#include "surefield/report/agree_report.hpp"
#include "surefield/report/best_set_report.hpp"
#include "surefield/report/endings.hpp"
#include "surefield/report/log_z_report.hpp"
#include "surefield/report/recommend_report.hpp"
#include "surefield/report/result_csv.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"
#include "surefield/report/sample_report.hpp"

namespace surefield::python {
namespace {

using AnswerPointer = std::shared_ptr<Answer>;

std::vector<std::string> no_guarantee_note(const Problem& problem, const Setting& setting) {
  if (problem.is_submodular() || setting.no_guarantee) return {};
  return {"no guarantee: the model is not submodular: " + problem.violation};
}

/// A point in the user's variables, as the problem has it.
std::vector<double> point_of(const py::dict& points, const char* name, const Problem& problem) {
  if (!points.contains(name) || points[name].is_none()) return {};
  const auto x = points[name].cast<Reals>();
  require(static_cast<Index>(x.size()) == problem.size(), name, ": it has ", x.size(),
          " numbers, but there are ", problem.size(), " items");
  for (const double v : span_of(x))
    require(v >= 0 && v <= 1, name, ": ", v, " is not between 0 and 1");
  return in_problem_variables(problem, vector_of(x));
}

/// An answer that ended because it was told to says so, whatever it had reached.
Result marked(Result result, bool interrupted) {
  if (interrupted && result.status != Status::kFailed) result.status = Status::kInterrupted;
  return result;
}

AnswerPointer infer_answer(const ModelFile& file, py::dict given, const py::dict& points) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<InferWork>(keywords);
  const auto scopes = infer_scopes(work.how.polish);
  keywords.refuse_outside_scope(scopes, "algorithm", work.how.algorithm);
  std::vector<std::string> arrays;  // what the command line reads from files
  for (const auto& [name, array] : points) arrays.push_back(name.cast<std::string>() + "-file");
  refuse_outside_scope(
      arrays, scopes, "algorithm", work.how.algorithm,
      [](const std::string& option) { return option.substr(0, option.find('-')); });
  require(!keywords.has("gap") || work.how.certify, "gap: it has no effect without certify");
  const Problem problem = problem_of(file, setting, true);
  Watch watch(threads_for(setting, file), setting.progress);
  work.how.epochs_given = keywords.has("epochs");
  work.how.seed = setting.seed;
  work.how.budget = work.seconds ? watch.budget().within(*work.seconds) : watch.budget();
  work.how.start_point = point_of(points, "start", problem);
  work.how.hint = point_of(points, "hint", problem);
  if (points.contains("order"))
    for (const auto& epoch : points["order"])
      work.how.given_order.push_back(
          places_of(py::reinterpret_borrow<py::object>(epoch), file, "order"));
  Result found = watch.run([&] { return infer(problem, work.how); });
  auto result = std::make_shared<const Result>(marked(std::move(found), watch.interrupted()));
  auto answer = answer_of(result, ending_of(*result, work, watch.interrupted()), result->status);
  answer->notes = no_guarantee_note(problem, setting);
  answer->json = [result] { return result_json(*result); };
  answer->csv = [result] { return result_csv(*result); };
  answer->text = [result](std::size_t most) { return result_text(*result, most); };
  answer->arrays = {{"marginals", result->marginals}};
  answer->trace = result->trace;
  return answer;
}

AnswerPointer log_z_answer(const ModelFile& file, py::dict given) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<LogZWork>(keywords);
  const Problem problem = problem_of(file, setting, true);
  Watch watch(threads_for(setting, file), setting.progress);
  work.how.seed = setting.seed;
  work.how.budget = log_z_budget(watch.budget(), work.seconds);
  auto result =
      std::make_shared<const LogZResult>(watch.run([&] { return log_z(problem, work.how); }));
  auto answer = answer_of(result, ending_of(*result, work, watch.interrupted()));
  answer->json = [result] { return log_z_json(*result); };
  answer->csv = [result] { return log_z_csv(*result); };
  answer->text = [result](std::size_t most) { return log_z_text(*result, most); };
  return answer;
}

py::array matrix_of_sets(const SampleResult& result, Index items) {
  py::array_t<std::uint8_t> matrix(
      {static_cast<py::ssize_t>(result.sets.size()), static_cast<py::ssize_t>(items)});
  std::uint8_t* const to = matrix.mutable_data();
  std::fill(to, to + matrix.size(), std::uint8_t{0});
  for (Index r = 0; r < result.sets.size(); ++r)
    for (const Index i : result.sets[r]) to[r * items + i] = 1;
  return matrix;
}

AnswerPointer sample_answer(const ModelFile& file, py::dict given) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<SampleWork>(keywords);
  auto problem = std::make_shared<const Problem>(problem_of(file, setting, true));
  Watch watch(threads_for(setting, file), setting.progress);
  work.how.seed = setting.seed;
  work.how.budget = work.seconds ? watch.budget().within(*work.seconds) : watch.budget();
  auto result =
      std::make_shared<const SampleResult>(watch.run([&] { return sample(*problem, work.how); }));
  auto answer = answer_of(result, ending_of(*result, work, watch.interrupted()));
  answer->json = [result, problem, seed = setting.seed] {
    return sample_json(*result, *problem, seed);
  };
  answer->csv = [result, problem] { return sample_lines(*result, *problem); };
  answer->text = [result, problem](std::size_t) { return sample_lines(*result, *problem); };
  answer->sets = [result, items = problem->size()] { return matrix_of_sets(*result, items); };
  return answer;
}

AnswerPointer best_set_answer(const ModelFile& file, py::dict given) {
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<BestSetWork>(keywords);
  const Problem problem = problem_of(file, setting, true);
  Watch watch(threads_for(setting, file), setting.progress);
  work.how.seed = setting.seed;
  work.how.budget = watch.budget().within(work.seconds);
  auto result =
      std::make_shared<const BestSetResult>(watch.run([&] { return best_set(problem, work.how); }));
  auto answer = answer_of(result, ending_of(*result, work, watch.interrupted()), result->status);
  answer->notes = no_guarantee_note(problem, setting);
  answer->json = [result] { return best_set_json(*result); };
  answer->csv = [result] { return best_set_csv(*result); };
  answer->text = [result](std::size_t most) { return best_set_text(*result, most); };
  return answer;
}

AnswerPointer two_models(const std::vector<Problem>& problems, AgreeWork& work, Watch& watch,
                         std::vector<std::string> names) {
  work.how.inverse_temperature = work.inverse_temperatures.front();
  AgreeResult found = watch.run([&] { return agree(problems[0], problems[1], work.how); });
  found.result = marked(std::move(found.result), watch.interrupted());
  auto result = std::make_shared<const AgreeResult>(std::move(found));
  auto answer =
      answer_of(result, ending_of(*result, work, watch.interrupted()), result->result.status);
  answer->json = [result, names] { return agree_json(*result, names); };
  answer->csv = [result] { return result_csv(result->result); };
  answer->text = [result, names](std::size_t most) { return agree_text(*result, names, most); };
  answer->arrays = {{"marginals", result->result.marginals}};
  answer->trace = result->result.trace;
  return answer;
}

AnswerPointer all_pairs(const std::vector<Problem>& problems, AgreeWork& work, Watch& watch,
                        std::vector<std::string> names) {
  auto found = std::make_shared<std::vector<AgreePairs>>();
  for (const double beta : work.inverse_temperatures) {
    work.how.inverse_temperature = beta;
    found->push_back(watch.run([&] { return agree_pairs(problems, work.how); }));
    if (!found->back().complete) break;
  }
  auto answer = answer_of(found, ending_of(*found, work, watch.interrupted()));
  answer->json = [found, names] { return agree_pairs_json(*found, names); };
  answer->csv = [found, names] { return agree_pairs_csv(*found, names); };
  answer->text = [found, names](std::size_t) { return agree_pairs_text(*found, names); };
  return answer;
}

AnswerPointer agree_answer(const std::vector<ModelFile>& files, py::dict given,
                           const std::vector<std::string>& names) {
  require(files.size() >= 2, "agree: it takes at least two models, not ", files.size());
  Keywords keywords(given);
  const Setting setting = setting_of(keywords, given);
  auto work = work_of<AgreeWork>(keywords);
  require(!work.inverse_temperatures.empty(), "agree: beta is empty, but at least one is needed");
  std::vector<Problem> problems;
  unsigned threads = static_cast<unsigned>(setting.threads);
  for (const ModelFile& file : files) {
    problems.push_back(problem_of(file, setting, false));
    threads = std::min(threads, threads_for(setting, file));
  }
  Watch watch(threads, setting.progress);
  work.how.seed = setting.seed;
  work.how.budget = watch.budget();
  work.how.no_guarantee = setting.no_guarantee;
  return asks_for_distribution(work, problems.size()) ? two_models(problems, work, watch, names)
                                                      : all_pairs(problems, work, watch, names);
}

AnswerPointer recommend_answer(const ModelFile& file, py::dict given, const py::object& have) {
  Keywords keywords(given);
  Setting setting = setting_of(keywords, given);
  auto work = work_of<RecommendWork>(keywords);
  work.how.have = places_of(have, file, "have");
  work.how.out = places_of(std::exchange(setting.out, py::none()), file, "exclude");
  const Problem problem = problem_of(file, setting, true);
  Watch watch(threads_for(setting, file), setting.progress);
  work.how.seed = setting.seed;
  work.how.budget = watch.budget();
  RecommendResult found = watch.run([&] { return recommend(problem, work.how); });
  found.result = marked(std::move(found.result), watch.interrupted());
  auto result = std::make_shared<const RecommendResult>(std::move(found));
  auto answer = answer_of(result, ending_of(*result, watch.interrupted()), result->result.status);
  answer->notes = no_guarantee_note(problem, setting);
  answer->json = [result] { return recommend_json(*result); };
  answer->csv = [result] { return recommend_csv(*result); };
  answer->text = [result](std::size_t) { return recommend_text(*result); };
  answer->arrays = {{"marginals", result->result.marginals}};
  return answer;
}

AnswerPointer recommend_each_answer(const ModelFile& file, py::dict given,
                                    const py::list& baskets) {
  Keywords keywords(given);
  Setting setting = setting_of(keywords, given);
  auto work = work_of<RecommendWork>(keywords);
  const ItemLookup lookup(file.model.size(), 0, file.items);
  SetCollection sets{.items = file.model.size(), .sets = {}, .names = file.items};
  for (const auto& basket : baskets) {
    auto& places = sets.sets.emplace_back();
    for (const Index i :
         places_of(py::reinterpret_borrow<py::object>(basket), lookup, file, "baskets"))
      places.push_back(static_cast<std::uint32_t>(i));
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
  }
  work.how.out = places_of(std::exchange(setting.out, py::none()), file, "exclude");
  const Problem problem = problem_of(file, setting, true);
  Watch watch(threads_for(setting, file), setting.progress);
  work.how.seed = setting.seed;
  work.how.budget = watch.budget();
  struct Found {
    std::vector<BasketAnswer> answers;
    std::vector<std::string> items;
    bool complete = true;
  };
  auto found = std::make_shared<Found>(Found{.answers = {}, .items = file.items});
  found->complete = watch.run([&] {
    return recommend_each(problem, sets, work.how,
                          [&](Index, std::span<const BasketAnswer> answers) {
                            found->answers.insert(found->answers.end(), answers.begin(),
                                                  answers.end());
                          })
        .complete;
  });
  auto answer = answer_of(found, {.interrupted = watch.interrupted() || !found->complete});
  answer->notes = no_guarantee_note(problem, setting);
  const auto written = [found](std::string_view format) {
    return basket_answers_head(format) +
           basket_answers_text(format, 0, found->answers, found->items);
  };
  answer->json = [written] { return written("json"); };
  answer->csv = [written] { return written("csv"); };
  answer->text = [written](std::size_t) { return written("text"); };
  return answer;
}

template <class Work>
py::list options_of_work() {
  Work work;
  OptionTable table;
  show_options(work, table);
  return table.rows;
}

py::dict all_options() {
  py::dict all;
  all["infer"] = options_of_work<InferWork>();
  all["log_z"] = options_of_work<LogZWork>();
  all["sample"] = options_of_work<SampleWork>();
  all["best_set"] = options_of_work<BestSetWork>();
  all["agree"] = options_of_work<AgreeWork>();
  all["recommend"] = options_of_work<RecommendWork>();
  all["evaluate"] = options_of_work<EvaluateWork>();
  all["fit"] = options_of_work<FitWork>();
  all["select"] = options_of_work<SelectWork>();
  return all;
}

}  // namespace

void bind_work(py::module_& m) {
  m.def("infer", &infer_answer);
  m.def("log_z", &log_z_answer);
  m.def("sample", &sample_answer);
  m.def("best_set", &best_set_answer);
  m.def("agree", &agree_answer);
  m.def("recommend", &recommend_answer);
  m.def("recommend_each", &recommend_each_answer);
  m.def("options", &all_options);
  watch_forks();
}

}  // namespace surefield::python
