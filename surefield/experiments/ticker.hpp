// Counts the tasks of an experiment that are done and passes their fraction on; safe from any
// thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>

namespace surefield {

/// Told the fraction done, from 0 to 1, from any thread.
using ProgressReport = std::function<void(double)>;

class Ticker {
 public:
  Ticker(std::size_t tasks, const ProgressReport& report)
      : tasks_(std::max<std::size_t>(1, tasks)), report_(report) {}

  void operator()() {
    const std::size_t done = ++done_;
    if (report_) report_(static_cast<double>(done) / static_cast<double>(tasks_));
  }

 private:
  std::size_t tasks_;
  std::atomic<std::size_t> done_ = 0;
  const ProgressReport& report_;
};

}  // namespace surefield
