#include "surefield/distributed/led_search.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

using Note = QueueNote::Kind;

/// Who answers on a subject, made by the first hand that needs it.
class LazyAnswerer {
 public:
  LazyAnswerer(Subject subject, const Answerers& answerers, const Budget& budget)
      : subject_(std::move(subject)), answerers_(answerers), budget_(budget) {}

  std::string operator()(const std::string& question) {
    std::call_once(once_, [this] { answerer_ = answerers_(subject_, budget_); });
    return answerer_(question);
  }

 private:
  const Subject subject_;
  const Answerers& answerers_;
  const Budget& budget_;
  std::once_flag once_;
  Answerer answerer_;
};

/// Questions that hands have been given, by their number.
class Given {
 public:
  void put(std::size_t number, std::shared_ptr<LazyAnswerer> by, std::string question) {
    const std::lock_guard lock(mutex_);
    questions_[number] = {std::move(by), std::move(question)};
  }
  std::string answer(std::size_t number) {
    std::pair<std::shared_ptr<LazyAnswerer>, std::string> one;
    {
      const std::lock_guard lock(mutex_);
      one = std::move(questions_.extract(number).mapped());
    }
    require(one.first != nullptr, "a question without a subject");
    return (*one.first)(one.second);
  }

 private:
  std::mutex mutex_;
  std::map<std::size_t, std::pair<std::shared_ptr<LazyAnswerer>, std::string>> questions_;
};

}  // namespace

Leader::Leader(unsigned threads, const Communicator& ranks, std::uint64_t queue,
               std::vector<std::uint8_t>& left, const std::function<void()>& stop)
    : ranks_(ranks),
      queue_(queue),
      left_(left),
      stop_(stop),
      members_(left.size()),
      hands_(threads, [this](std::size_t k) {
        now_->here(k);
        return std::string();
      }) {
  members_[0] = {.arrived = true, .hands = threads};
}

Leader::~Leader() {
  const auto is_missing = [&](std::size_t r) { return !members_[r].arrived && left_[r] == 0; };
  for (std::size_t r = 1; r < members_.size(); ++r)
    while (is_missing(r))
      if (const auto said = heard(ranks_))
        hear(said->first, said->second);
      else
        std::this_thread::sleep_for(patience_.now());
  // Nobody is sent on before all have come: it would be at the next search while this one still listens.
  for (std::size_t r = 1; r < members_.size(); ++r)
    if (is_here(r)) tell(ranks_, r, {.kind = Note::kOver});
}

void Leader::ask(const Questions& questions) {
  now_ = &questions;
  next_ = under_way_ = 0;
  failure_.reset();
  ++round_;
  if (subjects_ == 0 || !(subject_ == questions.subject)) {
    subject_ = questions.subject;
    ++subjects_;
  }
  patience_.something_came();
  for (;;) {
    while (const auto said = heard(ranks_)) hear(said->first, said->second);
    spread_stop();
    const auto has_more = [&] { return next_ < questions.count && !failure_; };
    for (std::size_t r = 0; r < members_.size(); ++r)
      while (has_more() && is_here(r) && members_[r].busy < members_[r].hands) give(r);
    for (std::size_t r = 0; r < members_.size(); ++r)
      while (has_more() && is_here(r) &&
             members_[r].busy < members_[r].hands * (1 + questions.ahead))
        give(r);
    if (under_way_ == 0 && !has_more()) break;
    if (auto outcome = hands_.finished(patience_.now())) take(0, std::move(*outcome));
  }
  now_ = nullptr;
  if (failure_) rethrow(*failure_);
}

void Leader::give(std::size_t rank) {
  Member& member = members_[rank];
  ++member.busy;
  ++under_way_;
  if (rank == 0) {
    hands_.give(next_++);
    return;
  }
  if (std::exchange(member.subject, subjects_) != subjects_)
    tell(ranks_, rank, {.kind = Note::kSubject, .bytes = packed(subject_)});
  tell(ranks_, rank,
       {.kind = Note::kDo, .queue = round_, .number = next_, .bytes = now_->question(next_)});
  ++next_;
}

void Leader::take(std::size_t rank, TaskOutcome outcome) {
  patience_.something_came();
  --members_[rank].busy;
  --under_way_;
  if (outcome.ending == TaskOutcome::Ending::kFatal) ranks_.abort(outcome.text);
  if (outcome.ending != TaskOutcome::Ending::kResult) {
    if (!failure_ || outcome.task < failure_->task) failure_ = std::move(outcome);
  } else if (rank != 0) {
    now_->keep(outcome.task, outcome.text);
  }
}

void Leader::hear(std::size_t rank, const QueueNote& said) {
  if (said.kind == Note::kLeft) {
    left_[rank] = 1;
  } else if (said.kind == Note::kStop) {
    stop_();
  } else if (said.kind == Note::kDone) {
    take(rank, unpacked<TaskOutcome>(said.bytes));
  } else {
    if (said.queue != queue_ || said.number != 0)
      ranks_.abort(message("rank ", rank, " is at part ", said.queue, " of its work, this one at ",
                           queue_, "; do all ranks see the same files?"));
    members_[rank] = {.arrived = true, .hands = said.hands};
  }
}

void Leader::spread_stop() {
  if (!now_->budget.spent()) return;
  for (std::size_t r = 1; r < members_.size(); ++r)
    if (members_[r].busy > 0 && std::exchange(members_[r].stopped, round_) != round_)
      tell(ranks_, r, {.kind = Note::kStop});
}

void help_the_first(const Budget& budget, const Answerers& answerers, const Communicator& ranks,
                    std::uint64_t queue, const std::function<void()>& stop) {
  std::atomic<bool> enough = false;  // of the round under way
  const Budget each = Budget().with_bytes(budget.bytes()).stopped_by(enough);
  std::shared_ptr<LazyAnswerer> answerer;
  Given given;
  Hands hands(budget.threads(), [&given](std::size_t number) { return given.answer(number); });
  tell(ranks, 0, {.kind = Note::kArrive, .queue = queue, .hands = hands.count()});
  bool said_so = false;
  std::uint64_t round = 0;
  Patience patience;
  for (;;) {
    while (const auto said = heard(ranks)) {
      const QueueNote& note = said->second;
      patience.something_came();
      if (note.kind == Note::kSubject) {
        answerer = std::make_shared<LazyAnswerer>(unpacked<Subject>(note.bytes), answerers, each);
      } else if (note.kind == Note::kDo) {
        if (std::exchange(round, note.queue) != note.queue) enough = said_so;
        given.put(note.number, answerer, note.bytes);
        hands.give(note.number);
      } else if (note.kind == Note::kStop) {
        enough = true;
      } else {  // over, or the first rank never came
        return;
      }
    }
    const auto outcome = hands.finished(patience.now());
    // Before the answer: it may be half of what it would have been.
    if (!said_so && budget.spent()) {
      said_so = true;
      enough = true;
      stop();
      tell(ranks, 0, {.kind = Note::kStop});
    }
    if (!outcome) continue;
    patience.something_came();
    if (outcome->ending == TaskOutcome::Ending::kFatal) ranks.abort(outcome->text);
    tell(ranks, 0, {.kind = Note::kDone, .bytes = packed(*outcome)});
  }
}

}  // namespace surefield
