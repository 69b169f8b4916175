// Random small problems, held to the truth by enumeration in quadruple precision, as many as there is
// time for.
//
//   torture [COUNT] [FIRST_SEED] [--threads N] [--seconds S]
//
// Problem k has the seed FIRST_SEED + k and depends on nothing else; `torture 1 SEED` repeats it. Ends
// with 1 if anything was wrong. A problem that takes more than two minutes is taken for a hang: its
// seed is named and the program ended.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/torture/checks.hpp"

namespace {

using surefield::torture::Tally;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostShown = 20;
constexpr double kHang = 120;  // seconds

thread_local std::uint64_t seed_at_work = 0;

/// An assertion or a fault: name the problem, then end as it would.
void crashed(int signal) {
  std::printf("WRONG, repeat by `torture 1 %llu`: it crashes, signal %d\n",
              static_cast<unsigned long long>(seed_at_work), signal);
  std::fflush(stdout);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

struct Worker {
  std::atomic<std::uint64_t> seed{0};
  std::atomic<Clock::rep> since{0};
  std::atomic<bool> busy{false};
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print(const Tally& tally, double seconds) {
  for (const auto& [family, count] : tally.problems)
    std::printf("%9llu  %s\n", static_cast<unsigned long long>(count), family.c_str());
  std::printf("%9llu problems, %.1f s\n", static_cast<unsigned long long>(tally.count()), seconds);
  for (const auto& [name, count] : tally.calls)
    std::printf("%9llu  %-40s %8.3f ms each\n", static_cast<unsigned long long>(count),
                name.c_str(), 1e3 * tally.seconds.at(name) / static_cast<double>(count));
  const auto line = [](std::uint64_t number, const char* what) {
    std::printf("%9llu  %s\n", static_cast<unsigned long long>(number), what);
  };
  line(tally.bounds, "bounds compared");
  line(tally.refused_models, "models or boxes refused");
  line(tally.refused_calls, "calls refused");
  line(tally.nothing_claimed,
       "runs left an end open or failed: beyond a double, or no method applies");
  line(tally.refuted, "runs refuted an assumed submodularity that does not hold");
  line(tally.assumed_wrong, "bounds off that assume a submodularity that does not hold");
  std::printf("%9.2g  the widest relative error of an exact value\n", tally.widest);
  std::printf("%9.2g  of the truth's own error used up at most\n", tally.nearest);
  std::printf("%9.2g  seconds of the slowest call\n", tally.slowest);
  line(tally.wrong.size(), "WRONG");
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t count = 10000, first = 0;
  unsigned threads = 1;
  double most_seconds = 1e18;
  int place = 0;
  for (int a = 1; a < argc; ++a) {
    const std::string word = argv[a];
    if (word == "--threads" && a + 1 < argc)
      threads = static_cast<unsigned>(std::max(1, std::atoi(argv[++a])));
    else if (word == "--seconds" && a + 1 < argc)
      most_seconds = std::atof(argv[++a]);
    else if (place++ == 0)
      count = std::strtoull(argv[a], nullptr, 10);
    else
      first = std::strtoull(argv[a], nullptr, 10);
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) std::signal(signal, crashed);
  const auto start = Clock::now();
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> done{false};
  std::atomic<std::size_t> shown{0};
  std::mutex guard;
  Tally total;
  std::vector<Worker> workers(threads);
  const auto work = [&](Worker& self) {
    Tally tally;
    while (shown < kMostShown && seconds_since(start) < most_seconds) {
      const std::uint64_t k = next++;
      if (k >= count) break;
      self.seed = seed_at_work = first + k;
      self.since = Clock::now().time_since_epoch().count();
      self.busy = true;
      const std::size_t before = tally.wrong.size();
      surefield::torture::run_torture_problem(first + k, 40, tally);
      self.busy = false;
      for (std::size_t w = before; w < tally.wrong.size(); ++w)
        if (shown++ < kMostShown)
          std::printf("WRONG, repeat by `torture 1 %llu`: %s\n",
                      static_cast<unsigned long long>(tally.wrong[w].seed),
                      tally.wrong[w].what.c_str());
      std::fflush(stdout);
    }
    const std::lock_guard lock(guard);
    total.add(tally);
  };
  std::thread watchdog([&] {
    while (!done) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      for (const Worker& worker : workers) {
        const Clock::time_point since{Clock::duration(worker.since.load())};
        if (!worker.busy || seconds_since(since) < kHang) continue;
        std::printf("WRONG, repeat by `torture 1 %llu`: it hangs\n",
                    static_cast<unsigned long long>(worker.seed.load()));
        std::fflush(stdout);
        std::_Exit(1);
      }
    }
  });
  std::vector<std::thread> pool;
  for (Worker& worker : workers) pool.emplace_back(work, std::ref(worker));
  for (std::thread& thread : pool) thread.join();
  done = true;
  watchdog.join();
  print(total, seconds_since(start));
  return total.wrong.empty() ? 0 : 1;
}
