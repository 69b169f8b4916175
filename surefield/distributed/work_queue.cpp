#include "surefield/distributed/work_queue.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/distributed/hands.hpp"
#include "surefield/distributed/led_search.hpp"
#include "surefield/distributed/queue_note.hpp"

namespace surefield {
namespace {

using Kind = QueueNote::Kind;

/// Of a whole queue: all results, or what became of the first task that failed.
struct QueueOutcome {
  bool complete = true;
  std::optional<TaskOutcome> failure;
  std::vector<std::string> results;
};

auto fields_of(QueueOutcome& outcome) {
  auto& [complete, failure, results] = outcome;
  return std::tie(complete, failure, results);
}

/// The first rank at a queue.
class Foreman {
 public:
  Foreman(const Crew::Tasks& tasks, Hands& hands, const Communicator& ranks, std::uint64_t queue,
          std::vector<std::uint8_t>& left, const std::function<void()>& stop)
      : tasks_(tasks),
        hands_(hands),
        ranks_(ranks),
        queue_(queue),
        left_(left),
        stop_(stop),
        members_(left.size()) {
    members_[0] = {.arrived = true, .free = hands.count()};
    all_.results.resize(tasks.count);
  }

  QueueOutcome run() {
    for (;;) {
      spread_stop();
      for (std::size_t r = 0; r < members_.size(); ++r)
        while (has_more() && members_[r].free > 0) give(r);
      if (under_way_ == 0 && !has_more() && all_are_here()) break;
      if (auto outcome = hands_.finished(patience_.now())) take(0, std::move(*outcome));
      while (const auto said = heard(ranks_)) hear(said->first, said->second);
    }
    const std::string bytes = packed(all_);
    for (std::size_t r = 1; r < members_.size(); ++r)
      if (is_here(r)) tell(ranks_, r, {.kind = Kind::kOver, .bytes = bytes});
    return std::move(all_);
  }

 private:
  /// A rank as this one sees it.
  struct Member {
    bool arrived = false, knows_of_stop = false;
    std::size_t free = 0;  // hands
  };

  bool is_here(std::size_t rank) const { return members_[rank].arrived && left_[rank] == 0; }
  bool has_more() const { return next_ < tasks_.count && !all_.failure; }
  bool all_are_here() const {
    for (std::size_t r = 0; r < members_.size(); ++r)
      if (!members_[r].arrived && left_[r] == 0) return false;
    return true;
  }

  void spread_stop() {
    all_.complete = all_.complete && !tasks_.budget.spent();
    if (all_.complete) return;
    for (std::size_t r = 0; r < members_.size(); ++r) {
      if (!is_here(r) || std::exchange(members_[r].knows_of_stop, true)) continue;
      if (r == 0)
        stop_();
      else
        tell(ranks_, r, {.kind = Kind::kStop});
    }
  }

  void give(std::size_t rank) {
    --members_[rank].free;
    ++under_way_;
    if (rank == 0)
      hands_.give(next_);
    else
      tell(ranks_, rank, {.kind = Kind::kDo, .number = next_});
    ++next_;
  }

  void take(std::size_t rank, TaskOutcome outcome) {
    patience_.something_came();
    ++members_[rank].free;
    --under_way_;
    if (outcome.ending == TaskOutcome::Ending::kFatal) ranks_.abort(outcome.text);
    if (outcome.ending == TaskOutcome::Ending::kResult)
      all_.results[outcome.task] = std::move(outcome.text);
    else if (!all_.failure || outcome.task < all_.failure->task)
      all_.failure = std::move(outcome);
    if (tasks_.done && !tasks_.budget.spent()) tasks_.done();
  }

  void hear(std::size_t rank, const QueueNote& said) {
    if (said.kind == Kind::kLeft) {
      left_[rank] = 1;
    } else if (said.kind == Kind::kStop) {
      all_.complete = false;
    } else if (said.kind == Kind::kDone) {
      take(rank, unpacked<TaskOutcome>(said.bytes));
    } else {
      if (said.queue != queue_ || said.number != tasks_.count)
        ranks_.abort(message("rank ", rank, " has ", said.number, " tasks to share in part ",
                             said.queue, " of its work, this one ", tasks_.count, " in part ",
                             queue_, "; do all ranks see the same files?"));
      members_[rank] = {.arrived = true, .free = said.hands};
    }
  }

  const Crew::Tasks& tasks_;
  Hands& hands_;
  const Communicator& ranks_;
  const std::uint64_t queue_;
  std::vector<std::uint8_t>& left_;
  const std::function<void()>& stop_;
  std::vector<Member> members_;
  std::size_t next_ = 0, under_way_ = 0;
  Patience patience_;
  QueueOutcome all_;
};

/// Any other rank at a queue.
QueueOutcome work_for_the_first(const Crew::Tasks& tasks, Hands& hands, const Communicator& ranks,
                                std::uint64_t queue, const std::function<void()>& stop) {
  tell(ranks, 0,
       {.kind = Kind::kArrive, .queue = queue, .number = tasks.count, .hands = hands.count()});
  bool said_so = false;
  Patience patience;
  for (;;) {
    while (const auto said = heard(ranks)) {
      patience.something_came();
      if (said->second.kind == Kind::kStop) stop();
      if (said->second.kind == Kind::kDo) hands.give(said->second.number);
      if (said->second.kind == Kind::kOver) return unpacked<QueueOutcome>(said->second.bytes);
      if (said->second.kind == Kind::kGoHome)
        throw std::runtime_error("the first rank has ended already");
    }
    const auto outcome = hands.finished(patience.now());
    if (outcome) patience.something_came();
    // Before the result: it may be half of what it would have been.
    if (!said_so && tasks.budget.spent()) {
      said_so = true;
      tell(ranks, 0, {.kind = Kind::kStop});
    }
    if (!outcome) continue;
    if (outcome->ending == TaskOutcome::Ending::kFatal) ranks.abort(outcome->text);
    tell(ranks, 0, {.kind = Kind::kDone, .bytes = packed(*outcome)});
  }
}

}  // namespace

WorkQueue::WorkQueue(const Communicator& ranks, std::function<void()> stop)
    : ranks_(ranks), stop_(std::move(stop)), left_(static_cast<std::size_t>(ranks.size()), 0) {}

bool WorkQueue::share(const Tasks& tasks) {
  if (tasks.count == 0) return true;
  ++queue_;
  QueueOutcome all;
  try {
    Hands hands(tasks.budget.threads(), tasks.run);
    all = ranks_.is_first() ? Foreman(tasks, hands, ranks_, queue_, left_, stop_).run()
                            : work_for_the_first(tasks, hands, ranks_, queue_, stop_);
  } catch (const std::bad_alloc&) {  // who left now would leave the others waiting
    ranks_.abort("out of memory");
  } catch (const std::system_error& error) {
    ranks_.abort(message("its threads cannot be started: ", error.what()));
  }
  if (all.failure) rethrow(*all.failure);
  for (std::size_t t = 0; t < tasks.count; ++t) tasks.keep(t, all.results[t]);
  return all.complete;
}

void WorkQueue::lead(const Budget& budget, const std::function<void(Helpers*)>& search,
                     const Answerers& answerers) {
  ++queue_;
  if (ranks_.size() == 1) return search(nullptr);
  try {
    if (!ranks_.is_first()) return help_the_first(budget, answerers, ranks_, queue_, stop_);
    Leader leader(budget.threads(), ranks_, queue_, left_, stop_);
    search(&leader);
  } catch (const std::bad_alloc&) {  // who left now would leave the others waiting
    ranks_.abort("out of memory");
  } catch (const std::system_error& error) {
    ranks_.abort(message("its threads cannot be started: ", error.what()));
  }
}

void WorkQueue::leave() {
  if (!ranks_.is_first()) {
    tell(ranks_, 0, {.kind = Kind::kLeft});
    return;
  }
  left_[0] = 1;
  const Patience patience;
  while (std::ranges::find(left_, 0) != left_.end()) {
    const auto said = heard(ranks_);
    if (!said)
      std::this_thread::sleep_for(patience.now());
    else if (said->second.kind == Kind::kLeft)
      left_[said->first] = 1;
    else if (said->second.kind == Kind::kArrive)
      tell(ranks_, said->first, {.kind = Kind::kGoHome});
  }
}

}  // namespace surefield
