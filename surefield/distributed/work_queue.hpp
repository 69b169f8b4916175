// Independent tasks over ranks: the first rank hands them out by number, in ascending order, to whoever has a hand free,
// and gathers the results by number; every rank gets them all.
//
//   other rank        first rank       All ranks run the same program on the same files and come to the same queues, so
//   arrive(hands) ->                   that a number says all there is to know of a task; what is not a task they all do.
//                 <- do(task)          A rank has no more tasks than hands: long tasks and slow machines do not hold up
//   done(result)  ->                   the rest. The first rank works too, as one of many.
//                 <- over(all results)
//
// Clocks differ, and so a rank may come to its end where another goes on: one that has left is no longer asked, one that
// waits at a queue to which the first rank never comes is sent home when that ends. Who is told to stop tells all. A task
// that throws ends the queue on all ranks with its message; out of memory ends the job. Cost: two messages a task, all
// results once to every rank; while nothing comes, the thread that listens sleeps, a tenth of the time it has waited.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "surefield/core/crew.hpp"
#include "surefield/distributed/communicator.hpp"

namespace surefield {

class WorkQueue final : public Crew {
 public:
  /// `stop` is called where a rank hears that the budget of another is spent; it should end its own.
  WorkQueue(const Communicator& ranks, std::function<void()> stop);

  std::size_t size() const override { return static_cast<std::size_t>(ranks_.size()); }
  bool answers() const override { return ranks_.is_first(); }
  bool share(const Tasks& tasks) override;
  void lead(const Budget& budget, const std::function<void(Helpers*)>& search,
            const Answerers& answerers) override;  ///< by the first rank: led_search.hpp

  /// When the program of this rank has ended: the first rank waits for the others.
  void leave();

 private:
  const Communicator& ranks_;
  const std::function<void()> stop_;
  std::uint64_t queue_ = 0;         // how many there were
  std::vector<std::uint8_t> left_;  // by rank
};

}  // namespace surefield
