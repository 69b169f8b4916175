// The threads of a rank that do tasks, while its first thread, the only one that may call MPI, talks with other ranks.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace surefield {

/// What became of a task: its result, or the message of what it threw.
struct TaskOutcome {
  enum class Ending : std::uint8_t { kResult, kError, kTooMuch, kContradiction, kFatal };
  std::uint64_t task = 0;
  Ending ending = Ending::kResult;
  std::string text = {};
};

inline auto fields_of(TaskOutcome& outcome) {
  auto& [task, ending, text] = outcome;
  return std::tie(task, ending, text);
}

/// Does the work of one task.
TaskOutcome outcome_of(std::size_t task, const std::function<std::string(std::size_t)>& work);

/// What the task threw, unless it gave a result.
void rethrow(const TaskOutcome& outcome);

class Hands {
 public:
  Hands(unsigned count, std::function<std::string(std::size_t)> work);
  ~Hands();  ///< waits for what is under way
  Hands(const Hands&) = delete;
  Hands& operator=(const Hands&) = delete;

  void give(std::size_t task);
  /// What is done, once each; waits a moment for it.
  std::optional<TaskOutcome> finished(std::chrono::microseconds patience);
  std::size_t count() const { return threads_.size(); }

 private:
  void work();

  const std::function<std::string(std::size_t)> task_;
  std::mutex mutex_;
  std::condition_variable given_, done_;
  std::deque<std::size_t> inbox_;
  std::deque<TaskOutcome> outbox_;
  bool closed_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace surefield
