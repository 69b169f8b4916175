// Questions about a model: infer, logz, recommend, best-set.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "surefield/api/item_choice.hpp"
#include "surefield/api/work.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/report/best_set_report.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/json_number.hpp"
#include "surefield/report/log_z_report.hpp"
#include "surefield/report/recommend_report.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/studio/question.hpp"

namespace surefield::studio {
namespace {

constexpr double kPassStep =
    0.1;  // of an epoch: a pass of double greedy tells every item, ten points show its course
constexpr double kGrowth =
    0.02;  // a later epoch is told when so many more than before have been made
constexpr double kEpochAfter = 0.25;  // seconds, however little has been made

/// The model on the box that `in` and `out` leave. A model of any sign is taken; its answers say what is not guaranteed.
Problem problem_of(const Question& question, Fields& fields) {
  ModelFile file = *question.file->model;
  const ItemLookup lookup(file.box.size(), 0, file.items);
  const auto fix = [&](const char* name, double v) {
    fix_items(file.box,
              find_items(fields.items(name, lookup, file.items), lookup, file.items, name), v,
              file.items, name);
  };
  fix("in", 1);
  fix("out", 0);
  return make_problem(std::move(file.model), std::move(file.items), std::move(file.box),
                      {.no_guarantee = true});
}

/// What is asked for, with its seed; throws Error for an option that the command has not.
template <class Work>
Work work_of(const Question& question, Fields& fields) {
  Work work;
  show_options(work, fields);
  work.how.seed = fields.seed();
  fields.finish(question.command);
  return work;
}

/// The starts of `best` and their epochs as they are made; other algorithms have one start. Points are left out by how many
/// epochs were made, so that the line that is drawn has the same shape on a fast machine and on a slow one; the last is always told.
class EpochTeller {
 public:
  explicit EpochTeller(Teller tell) : tell_(std::move(tell)) {}

  void start(std::string_view name) {
    flush();
    ++starts_;
    tell_("start", {{"start", starts_ - 1}, {"name", name}});
    told_.reset();
  }
  void epoch(const TracePoint& now) {
    if (starts_ == 0) start("the run");
    if (!std::isfinite(now.value)) return;
    held_ = now;
    if (told_) {
      const double step = now.epoch < 1 ? kPassStep : std::max(1.0, kGrowth * now.epoch);
      if (now.epoch - told_->epoch < step * (1 - 1e-9) &&
          now.seconds - told_->seconds < kEpochAfter)
        return;
    }
    flush();
  }
  void flush() {
    if (!held_) return;
    tell_("epoch", {{"start", starts_ - 1},
                    {"epoch", held_->epoch},
                    {"value", held_->value},
                    {"seconds", held_->seconds}});
    told_ = std::exchange(held_, std::nullopt);
  }

 private:
  Teller tell_;
  int starts_ = 0;
  std::optional<TracePoint> held_, told_;
};

}  // namespace

Answer answer_infer(const Question& question) {
  Fields fields(question.options);
  const Problem problem = problem_of(question, fields);
  auto work = work_of<InferWork>(question, fields);
  InferOptions& how = work.how;
  how.epochs_given = fields.has("epochs");
  fields.refuse_outside_scope(infer_scopes(how.polish), "algorithm", how.algorithm);
  fields.refuse_without("gap", "certify");
  how.budget = work.seconds ? question.budget.within(*work.seconds) : question.budget;
  how.watcher = bounds_teller(question);
  EpochTeller epochs(question.tell);
  if (question.tell && how.trace) {
    how.start_watcher = [&](std::string_view name) { epochs.start(name); };
    how.observer = [&](TracePoint& now) { return epochs.epoch(now), true; };
  }
  const Result result = infer(problem, how);
  if (question.tell) epochs.flush();
  return {with_arguments(result_json(result), arguments_of(question, fields))};
}

Answer answer_logz(const Question& question) {
  Fields fields(question.options);
  const Problem problem = problem_of(question, fields);
  auto work = work_of<LogZWork>(question, fields);
  work.how.budget = log_z_budget(question.budget, work.seconds);
  work.how.watcher = bounds_teller(question);
  return {with_arguments(log_z_json(log_z(problem, work.how)), arguments_of(question, fields))};
}

Answer answer_recommend(const Question& question) {
  Fields fields(question.options);
  const ModelFile& file = *question.file->model;
  const Problem problem = make_problem(file.model, file.items, file.box, {.no_guarantee = true});
  const ItemLookup lookup(file.box.size(), 0, file.items);
  const auto items = [&](const char* name) {
    return find_items(fields.items(name, lookup, file.items), lookup, file.items, name);
  };
  std::vector<Index> have = items("have"), out = items("out");
  auto work = work_of<RecommendWork>(question, fields);
  RecommendOptions& how = work.how;
  how.have = std::move(have);
  how.out = std::move(out);
  how.budget = question.budget;
  return {with_arguments(recommend_json(recommend(problem, how)), arguments_of(question, fields))};
}

Answer answer_best_set(const Question& question) {
  Fields fields(question.options);
  const Problem problem = problem_of(question, fields);
  auto work = work_of<BestSetWork>(question, fields);
  work.how.budget = question.budget.within(work.seconds);
  return {
      with_arguments(best_set_json(best_set(problem, work.how)), arguments_of(question, fields))};
}

}  // namespace surefield::studio
