// How much of anything a piece of work may take: time, operations, memory, threads, and until when.
//
// One object goes down through every method; copies share the deadline and the stop. A method asks
// spent() between two pieces of work of at most a few milliseconds and then returns what it has, valid
// as far as it got. What it is going to need it states beforehand with require(), which throws TooMuch
// before time or memory is taken, not after: operations and bytes are counted, never measured, so that
// the same question is answered or refused alike on every machine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "surefield/core/error.hpp"

namespace surefield {

/// What a piece of work is going to need. An operation is about a nanosecond of one core.
struct Work {
  double operations = 0;
  double bytes = 0;
};

/// The work stated is more than the budget allows. A method that meets it does something cheaper, or
/// is reported as refused.
class TooMuch : public Error {
 public:
  using Error::Error;
};

class Budget {
 public:
  using Clock = std::chrono::steady_clock;

  /// No deadline, one thread, half the machine's memory.
  Budget() = default;

  /// The same, ended by that many seconds from now at the latest. Throws Error unless they are >= 0.
  Budget within(double seconds) const;
  /// The same, ended by a share of the time that is left; where there is no deadline, none.
  Budget part(double share) const;
  /// The same with so many threads, at least 1.
  Budget with_threads(unsigned threads) const;
  /// The same, ended when the flag is set. The flag must outlive all copies.
  Budget stopped_by(const std::atomic<bool>& flag) const;
  /// The same, ended when the question is answered with no; it is asked at most every few
  /// milliseconds, from the thread that calls spent(). For progress bars and bindings.
  Budget asking(std::function<bool()> go_on) const;
  Budget with_operations(double operations) const;
  Budget with_bytes(double bytes) const;

  /// Whether to end: the deadline has passed, or somebody asked to stop. Once true, always true.
  /// Safe from several threads.
  bool spent() const;
  /// Whether somebody asked to stop, as opposed to time running out.
  bool stopped() const;
  bool has_deadline() const { return deadline_.has_value(); }
  /// Infinite without a deadline, never negative.
  double seconds_left() const;

  unsigned threads() const { return threads_; }
  double bytes() const { return bytes_; }
  double operations() const { return operations_; }

  /// Throws TooMuch, naming what needs how much of what, unless the work fits: its bytes into the
  /// memory, its operations into those allowed and into ten times the time that is left.
  void require(Work work, std::string_view what) const;

 private:
  struct Question {
    std::function<bool()> go_on;
    std::atomic<std::int64_t> next{0};  // of the clock, when to ask again
    std::atomic<bool> no{false};
  };

  static double half_the_memory();

  std::optional<Clock::time_point> deadline_;
  const std::atomic<bool>* stop_ = nullptr;
  std::shared_ptr<Question> question_;
  unsigned threads_ = 1;
  double operations_ = std::numeric_limits<double>::infinity();
  double bytes_ = half_the_memory();
};

/// Asks a budget only every so many calls: for loops whose steps take nanoseconds.
class Ticks {
 public:
  explicit Ticks(const Budget& budget, unsigned every = 1024) : budget_(&budget), every_(every) {}
  bool spent() {
    if (spent_ || ++count_ < every_) return spent_;
    count_ = 0;
    return spent_ = budget_->spent();
  }

 private:
  const Budget* budget_;
  unsigned every_;
  unsigned count_ = 0;
  bool spent_ = false;
};

}  // namespace surefield
