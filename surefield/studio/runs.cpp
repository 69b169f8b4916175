#include "surefield/studio/runs.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <utility>

#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"

namespace surefield::studio {
namespace {

constexpr std::size_t kMostWaiting = 32;
constexpr double kLongest = 600, kLongestQuick = 5;  // seconds
constexpr std::size_t kMostNews = 4000;              // events kept of a run

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// A server-sent event; the data may have several lines.
std::string event_text(std::string_view name, std::string_view data) {
  std::string out = fmt::format("event: {}\n", name);
  while (true) {
    const std::size_t end = std::min(data.find('\n'), data.size());
    out.append("data: ").append(data.substr(0, end)).append("\n");
    if (end == data.size()) break;
    data.remove_prefix(end + 1);
  }
  return out + "\n";
}

std::string text_of_json(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

struct Runs::Run {
  Question question;
  Manner manner;
  std::shared_ptr<Exchange> exchange;
  std::int64_t number = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;  // of the news: select tells from several threads
  OrderedJson news = OrderedJson::array();

  void tell(std::string_view event, const OrderedJson& data) {
    exchange->send(event_text(event, text_of_json(data)));
    const std::scoped_lock lock(mutex);
    if (news.size() < kMostNews && event != "progress")
      news.push_back({{"event", event}, {"data", data}});
  }
};

Runs::Runs(Store& store, Shelf& shelf, unsigned threads)
    : store_(store),
      shelf_(shelf),
      bytes_(Budget().bytes() / (threads + 1)),
      quick_(1, kMostWaiting),
      slow_(threads, kMostWaiting) {}

Runs::~Runs() {
  const std::scoped_lock lock(mutex_);
  for (const auto& [number, run] : under_way_) run->stop = true;
}

void Runs::ask(Question question, Manner manner, std::shared_ptr<Exchange> exchange) {
  question_row(question);
  auto run = std::make_shared<Run>();
  run->question = std::move(question);
  run->manner = manner;
  run->exchange = exchange;
  {
    const std::scoped_lock lock(mutex_);
    run->number = ++last_;
    under_way_[run->number] = run;
  }
  // Not before: the deadline counts from when the work begins.
  const bool taken = (manner.quick ? quick_ : slow_).submit([this, run] { work(run); });
  if (!taken) {
    const std::scoped_lock lock(mutex_);
    under_way_.erase(run->number);
    exchange->answer(refusal(503, "too many questions wait already; try again when one has ended"));
    return;
  }
  exchange->when_gone([weak = std::weak_ptr(run)] {
    if (const auto left = weak.lock()) left->stop = true;
  });
  if (manner.stream) {
    exchange->begin_stream();
    exchange->send(event_text("run", text_of_json({{"number", run->number}})));
  }
}

bool Runs::stop(std::int64_t number) {
  const std::scoped_lock lock(mutex_);
  const auto found = under_way_.find(number);
  if (found != under_way_.end()) found->second->stop = true;
  return number >= 1 && number <= last_;
}

void Runs::work(const std::shared_ptr<Run>& run) {
  Question& question = run->question;
  question.budget = Budget()
                        .stopped_by(run->stop)
                        .within(run->manner.quick ? kLongestQuick : kLongest)
                        .with_bytes(bytes_);
  if (run->manner.stream)
    question.tell = [run = run.get()](std::string_view event, const OrderedJson& data) {
      run->tell(event, data);
    };
  std::string failure;
  Answer answer;
  std::int64_t kept = 0;
  try {
    require(!run->stop, "stopped before it began");
    answer = question_row(question).answer(question);
    if (!answer.made_text.empty()) {
      const Shelf::File made = shelf_.put(answer.made_name, answer.made_text, "model");
      store_.add(StoredFile{made->id, made->name, made->text});
    }
    if (!run->manner.quick)
      kept = store_.add(
          StoredRun{.at = now_text(),
                    .command = question.command,
                    .file = question.file->id,
                    .name = question.file->name,
                    .options = question.options.is_object() ? text_of_json(question.options) : "{}",
                    .result = answer.json,
                    .news = text_of_json(run->news)});
  } catch (const std::bad_alloc&) {
    failure = "out of memory";
  } catch (const std::exception& error) {
    failure = error.what();
  }
  {
    const std::scoped_lock lock(mutex_);
    under_way_.erase(run->number);
  }
  Exchange& exchange = *run->exchange;
  if (!run->manner.stream) {
    if (!failure.empty()) return exchange.answer(refusal(422, failure));
    Response response{.body = answer.json};
    if (kept > 0) response.fields.emplace_back("X-Surefield-Run", fmt::format("{}", kept));
    return exchange.answer(std::move(response));
  }
  if (!failure.empty()) {
    exchange.send(event_text("failed", text_of_json({{"error", failure}})));
  } else {
    if (kept > 0) exchange.send(event_text("kept", text_of_json({{"id", kept}})));
    exchange.send(event_text("result", answer.json));
  }
  exchange.end();
}

}  // namespace surefield::studio
