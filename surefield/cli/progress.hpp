// A progress bar with the time left, on stderr: only on a terminal and unless quiet; in a pipe it
// says nothing.
//
// Redrawn at most ten times a second, on one line that is cleared when the bar goes out of scope,
// so that what is said next starts on a clean one. Safe from any thread. It needs no help from
// Ctrl-C: the work ends early, and the bar with it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "surefield/cli/command.hpp"

namespace surefield::cli {

class Progress {
 public:
  /// `total` is how often advance() will be called.
  Progress(std::size_t total, std::string label, const CommonOptions& options);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void advance();             ///< one more of the total is done
  void set(double fraction);  ///< so much of all is done; it never goes back

  bool visible() const { return visible_; }

 private:
  void draw();

  using Clock = std::chrono::steady_clock;
  std::size_t total_;
  std::string label_;
  bool visible_;
  std::mutex mutex_;
  std::size_t done_ = 0;
  double fraction_ = 0;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

/// The bar of work that is given a time: it fills as the time passes, but is full only when the
/// work is done, since some of it may not count towards the time. Without a time there is none.
class TimeBar {
 public:
  TimeBar(std::optional<double> seconds, std::string label, const CommonOptions& options)
      : seconds_(seconds), bar_(1, std::move(label), options) {}

  void tick() {
    if (!seconds_ || !bar_.visible()) return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    bar_.set(std::min(0.99, *seconds_ > 0 ? elapsed.count() / *seconds_ : 1));
  }

 private:
  std::optional<double> seconds_;
  Progress bar_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace surefield::cli
