// Questions at work: each in the pool with a budget of its own, watched by one exchange, and kept in the store when it ends.
//
//   stream    the exchange gets events as they come: run, start, epoch, bounds, progress, then result or failed
//   plain     the exchange gets the answer's JSON, or {"error": ...}
//
// A run ends early, with what is proved by then, when stop() is called, when its exchange goes away, or after ten minutes.
// Quick questions (what if) have a thread of their own, so that they never wait for long ones, end after five seconds and
// are not kept.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "surefield/studio/http.hpp"
#include "surefield/studio/question.hpp"
#include "surefield/studio/store.hpp"
#include "surefield/studio/work_pool.hpp"

namespace surefield::studio {

class Runs {
 public:
  Runs(Store& store, Shelf& shelf, unsigned threads);
  /// Stops all and waits for them.
  ~Runs();
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  struct Manner {
    bool stream = false;
    bool quick = false;
  };
  /// Throws Error for a question that is none; answers 503 where too many wait.
  void ask(Question question, Manner manner, std::shared_ptr<Exchange> exchange);
  /// By the number told in the event `run`. Of a run that has ended it asks nothing: whoever presses Stop may come a moment
  /// late. False where no run was given that number.
  bool stop(std::int64_t number);

 private:
  struct Run;
  void work(const std::shared_ptr<Run>& run);

  Store& store_;
  Shelf& shelf_;
  double bytes_;  // of memory, for each run
  std::mutex mutex_;
  std::int64_t last_ = 0;
  std::map<std::int64_t, std::shared_ptr<Run>> under_way_;
  WorkPool quick_, slow_;  // last, so that they end first
};

}  // namespace surefield::studio
