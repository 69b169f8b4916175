// A few threads and a short queue: what does not fit is refused, so that no number of requests can pile up work.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace surefield::studio {

class WorkPool {
 public:
  WorkPool(unsigned threads, std::size_t most_waiting);
  /// Runs nothing that has not begun, and waits for what has.
  ~WorkPool();
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  /// False if the queue is full. The work must not throw.
  bool submit(std::function<void()> work);

 private:
  void serve();

  std::size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace surefield::studio
