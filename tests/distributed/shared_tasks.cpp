// Run under mpirun: what the work queue over ranks promises. Exit code 0 if it is so on every rank.
//
//   shared_tasks
//
// Tasks are done once each, results come in order to all; a rank that is slow does fewer; what the first task throws comes out
// everywhere; a rank that is told to stop says so to all; ranks that end early or late leave nobody waiting. Searches that one rank leads have the
// bits of one process (led_searches.cpp), fail as they would there, and end on all ranks when one is told to stop.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/distributed/work_queue.hpp"
#include "tests/distributed/led_searches.hpp"

namespace {

using namespace surefield;

int failures = 0;

void expect(bool holds, const char* what, const Communicator& ranks) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "rank %d of %d: not so: %s\n", ranks.rank(), ranks.size(), what);
}

void results_come_in_order(const Communicator& ranks, WorkQueue& queue) {
  std::atomic<int> mine = 0, told = 0;
  const auto all = in_order(
      60, Budget().with_threads(2), &queue,
      [&](std::size_t t) {
        ++mine;
        const bool slow = ranks.rank() == 1;
        std::this_thread::sleep_for(std::chrono::milliseconds(slow ? 40 : 2));
        return std::vector<double>{static_cast<double>(t) / 7, static_cast<double>(ranks.rank())};
      },
      [&] { ++told; });
  bool in_place = true;
  for (std::size_t t = 0; t < 60; ++t)
    in_place = in_place && all.results[t].at(0) == static_cast<double>(t) / 7;
  expect(in_place && all.complete, "every result in its place", ranks);
  expect(ranks.sum(static_cast<std::uint64_t>(mine)) == 60, "every task is done once", ranks);
  expect(mine > 0, "every rank works", ranks);
  expect(ranks.rank() != 1 || mine < 20, "a slow rank does fewer", ranks);
  expect(told == (ranks.is_first() ? 60 : 0), "the first rank hears of every task", ranks);
}

template <class Thrown>
void the_first_failure_comes_out(const Communicator& ranks, WorkQueue& queue) {
  std::string heard;
  try {
    in_order(40, Budget(), &queue, [&](std::size_t t) {
      if (t == 7) {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));  // behind the one of task 9
        throw Thrown("task 7 is refused");
      }
      if (t == 9 || t > 20) throw Thrown(message("task ", t, " is refused"));
      return 1.0;
    });
  } catch (const Thrown& thrown) {
    heard = thrown.what();
  }
  expect(heard == "task 7 is refused", "the first failure, word by word", ranks);
}

std::atomic<bool> stop = false;

/// Tasks that nobody ends but who is told to stop; the last rank tells itself.
void a_stop_is_known_to_all(const Communicator& ranks, WorkQueue& queue) {
  const int last = ranks.size() - 1;
  const auto all = in_order(20, Budget().stopped_by(stop), &queue, [&](std::size_t) {
    if (ranks.rank() == last) stop = true;
    while (!stop) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return 1.0;
  });
  expect(!all.complete, "one that stops stops all", ranks);
}

/// Questions of which two are refused; then some that nobody ends but who is told to stop: the last rank tells itself.
void a_search_fails_and_stops_as_one(const Communicator& ranks, WorkQueue& queue) {
  const int last = ranks.size() - 1;
  const Answerers answerers = [&](const Subject& subject, const Budget& budget) -> Answerer {
    if (subject.method == "refusals")
      return [](std::string_view question) -> std::string { throw TooMuch(std::string(question)); };
    return [&ranks, last, budget](std::string_view) -> std::string {
      if (ranks.rank() == last) stop = true;
      while (!budget.spent()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return "";
    };
  };
  const Budget budget = Budget().stopped_by(stop);
  queue.lead(
      budget,
      [&](Helpers* helpers) {
        if (helpers == nullptr) return;
        const auto ask = [&](const char* subject, const std::function<void(std::size_t)>& here) {
          std::size_t elsewhere = 0;
          helpers->ask({.subject = {subject},
                        .count = 12,
                        .budget = budget,
                        .here = here,
                        .question = [](std::size_t k) { return message("question ", k); },
                        .keep = [&](std::size_t, std::string_view) { ++elsewhere; }});
          return elsewhere;
        };
        std::string heard;
        for (int time = 0; heard.empty() && time < 10000; ++time) try {  // until a rank has come
            ask("refusals",
                [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
          } catch (const TooMuch& refusal) {
            heard = refusal.what();
          }
        expect(heard.starts_with("question "), "what a question throws comes out", ranks);
        const std::size_t elsewhere = ask("stop", [&](std::size_t) {
          while (!budget.spent()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
        });
        expect(elsewhere > 0 && stop, "one that stops stops all", ranks);
      },
      answerers);
  stop = false;
}

/// The last rank never comes to a queue of the others; then the first ends where another waits.
void nobody_waits_for_who_has_left(const Communicator& ranks, WorkQueue& queue) {
  const auto one = [](std::size_t) { return 1.0; };
  const int last = ranks.size() - 1;
  if (ranks.rank() != last || last == 0) {
    const auto all = in_order(30, Budget(), &queue, one);
    expect(all.results.size() == 30 && all.complete, "the rest do it", ranks);
  }
  if (!ranks.is_first() && ranks.rank() != last) {
    bool sent_home = false;
    try {
      in_order(30, Budget(), &queue, one);
    } catch (const std::runtime_error&) {
      sent_home = true;
    }
    expect(sent_home, "who waits for nothing is sent home", ranks);
  }
  queue.leave();
}

}  // namespace

int main(int argc, char** argv) {
  const Communicator ranks(&argc, &argv);
  WorkQueue queue(ranks, [] { stop = true; });
  results_come_in_order(ranks, queue);
  the_first_failure_comes_out<Error>(ranks, queue);
  the_first_failure_comes_out<Contradiction>(ranks, queue);
  expect(led_searches_have_the_same_bits(ranks, queue), "every bit of led searches", ranks);
  a_search_fails_and_stops_as_one(ranks, queue);
  a_stop_is_known_to_all(ranks, queue);
  nobody_waits_for_who_has_left(ranks, queue);
  if (ranks.any(failures > 0)) return 1;
  if (ranks.is_first()) std::printf("%d ranks share their tasks\n", ranks.size());
  return 0;
}
