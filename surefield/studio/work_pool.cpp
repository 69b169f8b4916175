#include "surefield/studio/work_pool.hpp"

#include <utility>

namespace surefield::studio {

WorkPool::WorkPool(unsigned threads, std::size_t most_waiting) : most_waiting_(most_waiting) {
  for (unsigned k = 0; k < threads; ++k) threads_.emplace_back([this] { serve(); });
}

WorkPool::~WorkPool() {
  {
    const std::scoped_lock lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool WorkPool::submit(std::function<void()> work) {
  {
    const std::scoped_lock lock(mutex_);
    if (ending_ || waiting_.size() >= most_waiting_) return false;
    waiting_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

void WorkPool::serve() {
  while (true) {
    std::function<void()> work;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      work = std::move(waiting_.front());
      waiting_.pop_front();
    }
    work();
  }
}

}  // namespace surefield::studio
