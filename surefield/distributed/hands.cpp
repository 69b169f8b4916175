#include "surefield/distributed/hands.hpp"

#include <exception>
#include <new>
#include <utility>

#include "surefield/core/budget.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

TaskOutcome outcome_of(std::size_t task, const std::function<std::string(std::size_t)>& work) {
  TaskOutcome outcome{.task = task};
  const auto failed = [&](TaskOutcome::Ending ending, const char* text) {
    outcome.ending = ending;
    outcome.text = text;
  };
  try {
    outcome.text = work(task);
  } catch (const TooMuch& refusal) {
    failed(TaskOutcome::Ending::kTooMuch, refusal.what());
  } catch (const Error& error) {
    failed(TaskOutcome::Ending::kError, error.what());
  } catch (const Contradiction& contradiction) {
    failed(TaskOutcome::Ending::kContradiction, contradiction.what());
  } catch (const std::bad_alloc&) {
    failed(TaskOutcome::Ending::kFatal, "out of memory");
  } catch (const std::exception& error) {
    failed(TaskOutcome::Ending::kFatal, error.what());
  }
  return outcome;
}

void rethrow(const TaskOutcome& outcome) {
  using Ending = TaskOutcome::Ending;
  if (outcome.ending == Ending::kContradiction) throw Contradiction(outcome.text);
  if (outcome.ending == Ending::kTooMuch) throw TooMuch(outcome.text);
  if (outcome.ending != Ending::kResult) throw Error(outcome.text);
}

Hands::Hands(unsigned count, std::function<std::string(std::size_t)> work)
    : task_(std::move(work)) {
  for (unsigned k = 0; k < count; ++k) threads_.emplace_back([this] { this->work(); });
}

Hands::~Hands() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  given_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Hands::give(std::size_t task) {
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(task);
  }
  given_.notify_one();
}

std::optional<TaskOutcome> Hands::finished(std::chrono::microseconds patience) {
  std::unique_lock lock(mutex_);
  if (!done_.wait_for(lock, patience, [this] { return !outbox_.empty(); })) return std::nullopt;
  TaskOutcome outcome = std::move(outbox_.front());
  outbox_.pop_front();
  return outcome;
}

void Hands::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    given_.wait(lock, [this] { return closed_ || !inbox_.empty(); });
    if (inbox_.empty()) return;
    const std::size_t task = inbox_.front();
    inbox_.pop_front();
    lock.unlock();
    TaskOutcome outcome = outcome_of(task, task_);
    lock.lock();
    outbox_.push_back(std::move(outcome));
    done_.notify_one();
  }
}

}  // namespace surefield
