#include "python/bindings/watch.hpp"

#include <pthread.h>

#include "surefield/core/error.hpp"

namespace surefield::python {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

std::atomic<bool> threads_used = false;  // the pool of this process has been started
std::atomic<bool> threads_are_gone =
    false;  // it was started by the parent, whose threads a fork does not copy

}  // namespace

Watch::Watch(unsigned threads, py::object progress) : progress_(std::move(progress)) {
  require(
      threads <= 1 || !threads_are_gone.load(),
      "threads: this process was forked after its parent had used threads, which a fork does not "
      "copy; "
      "use threads=1 (n_jobs=1) here, or start processes with the 'spawn' or 'forkserver' method");
  if (threads > 1) threads_used.store(true);
  budget_ = Budget().with_threads(threads).asking([this] { return go_on(); });
}

bool Watch::go_on() {
  if (interrupted_.load() || raised_) return false;
  if (std::this_thread::get_id() != caller_) return true;  // only the caller may call Python
  const auto now = Clock::now();
  if (now - last_ < kBetweenLooks) return true;
  last_ = now;
  const py::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) {
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
      PyErr_Clear();
      interrupted_.store(true);
    } else {
      raised_ = std::make_exception_ptr(py::error_already_set());
    }
    return false;
  }
  if (progress_.is_none()) return true;
  try {
    const double share = share_.load();
    progress_(std::chrono::duration<double>(now - start_).count(),
              share < 0 ? py::object(py::none()) : py::object(py::float_(share)));
  } catch (const py::error_already_set&) {
    raised_ = std::current_exception();
    return false;
  }
  return true;
}

void Watch::raise() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

void watch_forks() {
  pthread_atfork(nullptr, nullptr, [] {
    if (threads_used.load()) threads_are_gone.store(true);
    threads_used.store(false);
  });
}

}  // namespace surefield::python
