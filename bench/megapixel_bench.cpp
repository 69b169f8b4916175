// What a megapixel costs: inference of the hard and the soft grid of 1000 x 1000 from a model in memory, on one and two threads, and
// the certificate of the hard one. Answers are checked before they count: the bits on two threads are those on one.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <string_view>
#include <vector>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/problem.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {
namespace {

constexpr Index kPixels = 1000000;

const Problem& pixels(std::string_view kind) {
  static const auto make = [](std::string_view name) {
    return make_problem(generate(name, {.items = kPixels, .groups = {}, .density = {}, .seed = 1}));
  };
  static const Problem hard = make("hard-grid"), soft = make("soft-grid");
  return kind == "hard-grid" ? hard : soft;
}

void megapixel(benchmark::State& timer, std::string_view kind, unsigned threads) {
  static Result first[2];  // of one thread, by kind
  const Problem& problem = pixels(kind);
  Result& one = first[kind == "hard-grid" ? 0 : 1];
  InferOptions options;
  options.budget = Budget().with_threads(threads);
  for (auto _ : timer) {
    Result now = infer(problem, options);
    if (!now.upper_bound || !(now.elbo <= *now.upper_bound) || now.status != Status::kConverged)
      return timer.SkipWithError("the answer is not converged, or its bound is below its value");
    if (one.marginals.empty()) one = now;
    if (now.marginals != one.marginals || now.elbo != one.elbo ||
        now.upper_bound != one.upper_bound)
      return timer.SkipWithError("the bits are not those of the first run");
  }
}

/// Seconds of certifying, and what they reach; the most memory that the program ever took.
void certified_megapixel(benchmark::State& timer) {
  InferOptions options;
  options.certify = 60;
  options.wanted_gap = 1e-3;
  options.budget = Budget().with_threads(2);
  for (auto _ : timer) {
    const Result now = infer(pixels("hard-grid"), options);
    if (!now.upper_bound || !(now.elbo <= *now.upper_bound))
      return timer.SkipWithError("the bound is below the value");
    timer.counters["gap_per_cent"] = 100 * (*now.upper_bound - now.elbo) / now.elbo;
  }
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  timer.counters["gigabytes"] = static_cast<double>(use.ru_maxrss) * 1024e-9;
}

void register_pixels() {
  for (const std::string_view kind : {"hard-grid", "soft-grid"})
    for (const unsigned threads : {1U, 2U})
      benchmark::RegisterBenchmark(
          ("megapixel/" + std::string(kind) + "/" + std::to_string(threads)).c_str(), megapixel,
          kind, threads)
          ->Unit(benchmark::kSecond)
          ->Iterations(1)
          ->UseRealTime()
          ->MeasureProcessCPUTime();
  benchmark::RegisterBenchmark("megapixel/certified", certified_megapixel)
      ->Unit(benchmark::kSecond)
      ->Iterations(1)
      ->Repetitions(1)
      ->UseRealTime()
      ->MeasureProcessCPUTime();
}

const bool kPixelsRegistered = (register_pixels(), true);

}  // namespace
}  // namespace surefield
