#include "surefield/core/parallel.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace surefield {
namespace {

/// No more than the pool has: TBB says on stderr what it thinks of the rest.
tbb::task_arena arena_of(unsigned threads) {
  const auto most = static_cast<unsigned>(
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  return tbb::task_arena(static_cast<int>(std::clamp(threads, 1U, std::max(1U, most))));
}

/// The exception of the least index, whichever thread met it when.
class FirstFailure {
 public:
  bool is_before(std::size_t r) const { return at_.load(std::memory_order_relaxed) < r; }
  void keep(std::size_t r, std::exception_ptr thrown) {
    const std::lock_guard lock(mutex_);
    if (r >= at_.load(std::memory_order_relaxed)) return;
    at_.store(r, std::memory_order_relaxed);
    thrown_ = std::move(thrown);
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  std::atomic<std::size_t> at_{static_cast<std::size_t>(-1)};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace

void for_each_index(std::size_t count, unsigned threads,
                    const std::function<void(std::size_t)>& work) {
  if (threads <= 1 || count <= 1) {
    for (std::size_t r = 0; r < count; ++r) work(r);
    return;
  }
  FirstFailure failure;
  arena_of(threads).execute([&] {
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t r) {
      if (failure.is_before(r)) return;
      try {
        work(r);
      } catch (...) {
        failure.keep(r, std::current_exception());
      }
    });
  });
  failure.rethrow();
}

bool for_each_index(std::size_t count, const Budget& budget,
                    const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> begun{0};
  for_each_index(count, budget.threads(), [&](std::size_t r) {
    if (budget.spent()) return;
    begun.fetch_add(1, std::memory_order_relaxed);
    work(r);
  });
  return begun == count;
}

void with_threads(unsigned threads, const std::function<void()>& work) {
  arena_of(threads).execute(work);
}

}  // namespace surefield
