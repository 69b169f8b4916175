// What ranks tell the first one of tasks and questions, and it them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "surefield/core/packing.hpp"
#include "surefield/distributed/communicator.hpp"

namespace surefield {

/// How long to wait between two looks at what has come: a tenth of how long nothing has, so that waiting costs next to
/// nothing and nobody is kept waiting by more than a tenth.
class Patience {
 public:
  std::chrono::microseconds now() const {
    const auto quiet = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - last_);
    return std::clamp(quiet / 10, std::chrono::microseconds(50), std::chrono::microseconds(5000));
  }
  void something_came() { last_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

struct QueueNote {
  enum class Kind : std::uint8_t { kArrive, kSubject, kDo, kDone, kOver, kStop, kLeft, kGoHome };
  Kind kind = Kind::kLeft;
  std::uint64_t queue = 0;   // kArrive; kDo: of a question, the round
  std::uint64_t number = 0;  // kArrive: of tasks; kDo: of the task
  std::uint64_t hands = 0;   // kArrive
  std::string bytes =
      {};  // kSubject: one; kDo: a question; kDone: a TaskOutcome; kOver: a QueueOutcome
};

inline auto fields_of(QueueNote& note) {
  auto& [kind, queue, number, hands, bytes] = note;
  return std::tie(kind, queue, number, hands, bytes);
}

inline std::optional<std::pair<std::size_t, QueueNote>> heard(const Communicator& ranks) {
  const auto letter = ranks.heard();
  if (!letter) return std::nullopt;
  return std::pair(static_cast<std::size_t>(letter->first), unpacked<QueueNote>(letter->second));
}

inline void tell(const Communicator& ranks, std::size_t rank, QueueNote note) {
  ranks.tell(static_cast<int>(rank), packed(std::move(note)));
}

}  // namespace surefield
