// Independent tasks by number, their results in the order of the numbers, whoever did them: the threads of this process,
// or a crew of processes that all run the same program and meet at the same tasks.
//
// A task must give the same result wherever it is run. Then so do all of them, on any number of threads and processes;
// what depends on time alone (a deadline, a stop) is said once for all, by `complete`.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {

/// Processes that share tasks. distributed/work_queue.hpp is one.
class Crew {
 public:
  struct Tasks {
    std::size_t count;
    const Budget& budget;  ///< its threads work in each process
    std::function<std::string(std::size_t)> run;
    std::function<void(std::size_t, std::string_view)>
        keep;                    ///< in every process, for each in order
    std::function<void()> done;  ///< for each that is done, in the process that answers
  };

  virtual ~Crew() = default;
  /// How many processes.
  virtual std::size_t size() const = 0;
  /// Whether this process is the one that answers for all.
  virtual bool answers() const = 0;
  /// Every task by one process, every result to all. Whether no process was told to stop. If some throw, what the first
  /// of them threw, in the order of the numbers, comes out in every process.
  virtual bool share(const Tasks& tasks) = 0;

  /// One process leads a search (core/helpers.hpp), the one that answers; the others answer its questions until it is done. Without others
  /// the helpers are nullptr. Who helps learns nothing of what was found.
  virtual void lead(const Budget& budget, const std::function<void(Helpers*)>& search,
                    const Answerers& answerers) = 0;
};

template <class T>
struct InOrder {
  std::vector<T> results;
  bool complete = true;  ///< false: the budget was spent, here or elsewhere, before the end
};

/// task(0), ..., task(count - 1). All are begun, also when the budget is spent: a task asks it itself. Without a crew on
/// the threads of the budget. `done` is told of each, from any thread.
template <class Task>
auto in_order(std::size_t count, const Budget& budget, Crew* crew, const Task& task,
              const std::function<void()>& done = {}) {
  using T = std::invoke_result_t<const Task&, std::size_t>;
  InOrder<T> all;
  all.results.resize(count);
  if (crew != nullptr) {
    all.complete =
        crew->share({.count = count,
                     .budget = budget,
                     .run = [&](std::size_t t) { return packed<T>(task(t)); },
                     .keep = [&](std::size_t t,
                                 std::string_view bytes) { all.results[t] = unpacked<T>(bytes); },
                     .done = done});
    return all;
  }
  for_each_index(count, budget.threads(), [&](std::size_t t) {
    all.results[t] = task(t);
    if (done && !budget.spent()) done();
  });
  all.complete = !budget.spent();
  return all;
}

/// One task by one process, its result to all: for what ends by the clock, which differs between them.
template <class Task>
auto once(const Budget& budget, Crew* crew, const Task& task) {
  return std::move(in_order(1, budget, crew, [&](std::size_t) { return task(); }).results.front());
}

}  // namespace surefield
