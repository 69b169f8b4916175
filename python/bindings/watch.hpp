// One piece of work called from Python. While it runs the interpreter lock is free; every 50 ms, by the clock, the thread
// that called takes it back to look at signals and to show progress. No handler is installed and no thread is started.
//
// The first Ctrl-C ends the work through its budget, and what is proved by then comes back; whatever else a signal
// handler raises is raised. A second one meets the interpreter, which raises KeyboardInterrupt as always.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "python/bindings/bindings.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield::python {

class Watch {
 public:
  /// `progress(elapsed, share)` is called in the calling thread; a share that is not known is None.
  /// Throws Error in a process forked after threads were used, if more than one is asked for.
  explicit Watch(unsigned threads = 1, py::object progress = py::none());
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// The threads asked for, ended by Ctrl-C. Copies must not outlive this.
  const Budget& budget() const { return budget_; }
  bool interrupted() const { return interrupted_.load(); }
  /// So much of the work is done; from any thread.
  void set_share(double share) { share_.store(share); }

  /// What the work returns, run without the interpreter lock.
  template <class Work>
  auto run(Work&& work) {
    try {
      std::optional<decltype(work())> found;
      {
        const py::gil_scoped_release free;
        with_threads(budget_.threads(), [&] { found.emplace(work()); });
      }
      raise();
      return std::move(*found);
    } catch (const std::exception&) {
      raise();  // what a handler or the progress raised comes first
      throw;
    }
  }

  /// The same for work of which a part is worth nothing: Ctrl-C raises.
  template <class Work>
  auto run_whole(Work&& work) {
    auto found = run(std::forward<Work>(work));
    if (interrupted()) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw py::error_already_set();
    }
    return found;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool go_on();
  void raise();

  py::object progress_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point start_ = Clock::now(), last_ = start_;
  std::atomic<bool> interrupted_{false};
  std::atomic<double> share_{-1};
  std::exception_ptr raised_;
  Budget budget_;
};

/// To be called once: after a fork the threads of the pool are gone, and that is remembered.
void watch_forks();

}  // namespace surefield::python
