#include "surefield/studio/question.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/report/json_number.hpp"

namespace surefield::studio {
namespace {

constexpr double kTellEvery = 0.03;  // seconds

constexpr std::array kQuestions{
    QuestionRow{"infer", "model",
                "marginals by mean field, with a bound on how much better any can be",
                answer_infer},
    QuestionRow{"logz", "model", "log Z from both sides, method by method", answer_logz},
    QuestionRow{"recommend", "model", "the most probable additions to a basket", answer_recommend},
    QuestionRow{"best-set", "model", "the set of greatest F, with a certified interval",
                answer_best_set},
    QuestionRow{"fit", "sets", "a model learned from observed sets", answer_fit},
    QuestionRow{"select", "sets", "how many dimensions the sets bear", answer_select},
    QuestionRow{"evaluate", "model and sets", "how well a model foretells sets it has not seen",
                answer_evaluate},
};

}  // namespace

std::span<const QuestionRow> question_table() { return kQuestions; }

const QuestionRow& question_row(const Question& question) {
  const auto* const row = std::ranges::find(kQuestions, question.command, &QuestionRow::command);
  std::string names;
  for (const QuestionRow& one : kQuestions)
    names.append(names.empty() ? "" : ", ").append(one.command);
  require(row != kQuestions.end(), "'", question.command,
          "' is not a command that can be asked here; there are ", names);
  const bool model = question.file && question.file->model,
             sets = question.file && question.file->sets;
  require(row->of == "sets" ? sets : model, row->command, ": it takes ", row->of,
          ", but the file is ",
          model  ? "a model"
          : sets ? "a file of sets"
                 : "not there");
  require(row->of != "model and sets" || (question.sets && question.sets->sets), row->command,
          ": it takes a file of sets beside the model");
  return *row;
}

std::vector<std::string> arguments_of(const Question& question, const Fields& fields) {
  std::vector<std::string> out{question.command, question.file->name};
  if (question.sets) out.push_back(question.sets->name);
  out.insert(out.end(), fields.arguments().begin(), fields.arguments().end());
  out.insert(out.end(), {"--format", "json"});
  return out;
}

BoundsWatcher bounds_teller(const Question& question) {
  if (!question.tell) return {};
  struct Memory {
    Stopwatch watch;
    double last = -1;
    BoundsSoFar shown;
  };
  return [tell = question.tell, memory = std::make_shared<Memory>()](const BoundsNow& now) {
    Memory& m = *memory;
    using News = BoundsSoFar::News;
    const News news = m.shown.news_in(now);
    const double seconds = m.watch.seconds();
    if (news == News::kNone || (news == News::kNearer && seconds - m.last < kTellEvery)) return;
    m.shown.add(now);
    m.last = seconds;
    tell("bounds", {{"seconds", seconds},
                    {"lower", json_number(m.shown.low)},
                    {"upper", json_number(m.shown.high)},
                    {"by", now.by}});
  };
}

}  // namespace surefield::studio
