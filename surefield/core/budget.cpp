#include "surefield/core/budget.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace surefield {
namespace {

constexpr std::int64_t kPatience = 5'000'000;  // nanoseconds between two questions

Budget::Clock::time_point after(double seconds) {
  const auto now = Budget::Clock::now();
  constexpr double kFar = 3e8;  // ten years: beyond, the clock's own numbers end
  return now + std::chrono::duration_cast<Budget::Clock::duration>(
                   std::chrono::duration<double>(std::min(seconds, kFar)));
}

std::string gigabytes(double bytes) { return detail::text_of(std::round(bytes / 1e7) / 100); }

}  // namespace

double Budget::half_the_memory() {
  static const double half = 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                             static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return half;
}

Budget Budget::within(double seconds) const {
  surefield::require(seconds >= 0, "seconds: it is ", seconds, ", which must be >= 0");
  Budget budget = *this;
  const auto end = after(seconds);
  budget.deadline_ = deadline_ ? std::min(*deadline_, end) : end;
  return budget;
}

Budget Budget::part(double share) const {
  return has_deadline() ? within(share * seconds_left()) : *this;
}

Budget Budget::with_threads(unsigned threads) const {
  surefield::require(threads >= 1, "threads: there are 0, but it takes at least 1");
  Budget budget = *this;
  budget.threads_ = threads;
  return budget;
}

Budget Budget::stopped_by(const std::atomic<bool>& flag) const {
  Budget budget = *this;
  budget.stop_ = &flag;
  return budget;
}

Budget Budget::asking(std::function<bool()> go_on) const {
  Budget budget = *this;
  if (!go_on) return budget;
  budget.question_ = std::make_shared<Question>();
  if (question_)  // both are asked
    budget.question_->go_on = [first = question_, second = std::move(go_on)] {
      return first->go_on() && second();
    };
  else
    budget.question_->go_on = std::move(go_on);
  return budget;
}

Budget Budget::with_operations(double operations) const {
  Budget budget = *this;
  budget.operations_ = operations;
  return budget;
}

Budget Budget::with_bytes(double bytes) const {
  Budget budget = *this;
  budget.bytes_ = bytes;
  return budget;
}

bool Budget::stopped() const {
  if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return true;
  return question_ && question_->no.load(std::memory_order_relaxed);
}

bool Budget::spent() const {
  if (stopped()) return true;
  if (!deadline_ && !question_) return false;
  const auto now = Clock::now();
  if (deadline_ && now >= *deadline_) return true;
  if (!question_) return false;
  const std::int64_t tick =
      std::chrono::duration_cast<std::chrono::nanoseconds>(now.time_since_epoch()).count();
  std::int64_t next = question_->next.load(std::memory_order_relaxed);
  if (tick < next) return false;
  // One thread asks; the others go on meanwhile.
  if (question_->next.compare_exchange_strong(next, tick + kPatience) && !question_->go_on())
    question_->no.store(true, std::memory_order_relaxed);
  return question_->no.load(std::memory_order_relaxed);
}

double Budget::seconds_left() const {
  if (!deadline_) return std::numeric_limits<double>::infinity();
  return std::max(0.0, std::chrono::duration<double>(*deadline_ - Clock::now()).count());
}

void Budget::require(Work work, std::string_view what) const {
  if (!(work.bytes <= bytes_))
    throw TooMuch(message(what, ": it would take about ", gigabytes(work.bytes),
                          " GB of memory, more than the ", gigabytes(bytes_), " GB allowed"));
  if (!(work.operations <= operations_))
    throw TooMuch(message(what, ": it would take about ", work.operations,
                          " operations, more than the ", operations_, " allowed"));
  // An estimate of work may be too high: refuse only what is far beyond the time left.
  if (has_deadline() && !(work.operations * 1e-9 <= 10 * std::max(seconds_left(), 0.01)))
    throw TooMuch(message(what, ": it would take about ", std::round(work.operations * 1e-9),
                          " seconds, more than the time left"));
}

}  // namespace surefield
