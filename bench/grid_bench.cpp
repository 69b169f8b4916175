// One coordinate ascent sweep of a 1000 x 1000 grid, and one double greedy pass: the work that
// bench/baselines/grid_sweep.py does too. The answer is checked before the clock starts: the value
// must rise and equal that of a fresh state. Beside them a triad, the speed of memory that a sweep is measured by.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/core/large_arrays.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr Index kSide = 1000;

const PairwiseField& grid() {
  static const AnyModel model =
      generate("soft-grid", {.items = kSide * kSide, .groups = {}, .density = {}, .seed = 1});
  return *model.as<PairwiseField>();
}

/// What a sweep along the rows of a grid reads and writes, each array once: biases, couplings, and x both ways.
double bytes_along_rows() {
  const PairwiseField& field = grid();
  return static_cast<double>(field.bias.size() + field.coupling.size() + 2 * field.size()) *
         sizeof(double);
}

/// What a sweep of any field must move between memory and processor, each array once: the field, the order, and x both ways.
double bytes_of_a_sweep() {
  const auto bytes = [](const auto& list) {
    return static_cast<double>(list.size() * sizeof(list[0]));
  };
  const PairwiseField& field = grid();
  return bytes(field.bias) + bytes(field.start) + bytes(field.neighbour) + bytes(field.coupling) +
         static_cast<double>(field.size()) * (sizeof(Index) + 2 * sizeof(double));
}

/// Whether sweeps have the bits of settling class after class by the best points of all their lines, also once they are packed.
bool has_the_bits_of_classes(const Order& order, const std::vector<double>& start) {
  constexpr int kSweeps = 35;
  Elbo plain(grid().at(start)), state(plain);
  const Box box = unit_box(grid().size());
  auto visits = order;
  const auto list = visits.epoch(0);
  if (visits.class_ends().empty()) return true;
  const Budget budget;
  BlockAscent blocks(state, box, visits, {}, 0, budget);
  std::vector<double> best(list.size());
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    blocks.sweep();
    std::size_t first = 0;
    for (const std::size_t end : visits.class_ends()) {
      const auto ids = list.subspan(first, end - first);
      plain.peak_batch(ids, best);
      for (Index k = 0; k < ids.size(); ++k) plain.set(ids[k], best[k]);
      first = end;
    }
  }
  return point_of(state) == point_of(plain);
}

/// Ten sweeps in one run: what a user of coordinate ascent gets, the final value included.
void grid_sweep(benchmark::State& timer, const Order& order) {
  const Box box = unit_box(grid().size());
  const std::vector<double> start(grid().size(), 0.5);
  const Elbo before(grid().at(start));
  const auto checked = coordinate_ascent(before, box, order, {.epochs = 10});
  const double fresh = Elbo(grid().at(checked.point)).value();
  if (!(checked.value > before.value()) ||
      std::abs(fresh - checked.value) > 1e-9 * std::abs(fresh)) {
    timer.SkipWithError("the sweeps did not raise the value, or drifted from a fresh state");
    return;
  }
  if (!has_the_bits_of_classes(order, start)) {
    timer.SkipWithError("a sweep has not the bits of steps class by class");
    return;
  }
  Elbo state(before);
  auto visits = order;
  const auto list = visits.epoch(0);
  const Budget budget;
  Ticks ticks(budget);
  BlockAscent blocks(state, box, visits, {}, 0, budget);
  for (auto _ : timer) {
    const double moved = visits.class_ends().empty() ? detail::sweep(state, box, list, ticks)
                                                     : blocks.sweep().largest;
    benchmark::DoNotOptimize(moved);
  }
  timer.SetItemsProcessed(timer.iterations() * static_cast<std::int64_t>(grid().size()));
}

void grid_natural(benchmark::State& timer) { grid_sweep(timer, Order::natural(grid().size())); }
BENCHMARK(grid_natural)->Name("grid_sweep/natural")->Unit(benchmark::kMillisecond);

void grid_coloured(benchmark::State& timer) {
  grid_sweep(timer, Order::coloured(grid().size(), colour_in_blocks(grid().neighbours())));
}
BENCHMARK(grid_coloured)->Name("grid_sweep/coloured")->Unit(benchmark::kMillisecond);

/// a = b + s c over arrays far larger than the caches: 24 bytes an element, and 8 more where the machine reads what it is going to write.
template <class Array>
class Triad {
 public:
  static constexpr std::size_t kElements = 20000000;

  void run(unsigned threads) {
    for_each_index(threads, threads, [&](std::size_t t) {
      double* const a = a_.data();
      const double *const b = b_.data(), *const c = c_.data();
      const std::size_t end = kElements * (t + 1) / threads;
      for (std::size_t i = kElements * t / threads; i < end; ++i) a[i] = b[i] + 3 * c[i];
    });
    benchmark::ClobberMemory();
  }
  bool right() const { return a_.front() == 7 && a_[kElements / 2] == 7 && a_.back() == 7; }

 private:
  Array a_ = Array(kElements, 0.0), b_ = Array(kElements, 1.0), c_ = Array(kElements, 2.0);
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Sweeps and triads in turn, so that what else the machine does disturbs both: the medians of their times, by the clock.
template <class Array>
void sweep_beside_triad(benchmark::State& timer, unsigned threads) {
  const Box box = unit_box(grid().size());
  const std::vector<double> start(grid().size(), 0.5);
  const Order order = Order::coloured(grid().size(), colour_in_blocks(grid().neighbours()));
  if (!has_the_bits_of_classes(order, start))
    return timer.SkipWithError("a sweep has not the bits of steps class by class");
  Elbo state(grid().at(start));
  auto visits = order;
  const Budget budget = Budget().with_threads(threads);
  BlockAscent blocks(state, box, visits, {}, 0, budget);
  constexpr int kBeforeAllIsPacked = 35;
  for (int k = 0; k < kBeforeAllIsPacked; ++k) blocks.sweep();
  Triad<Array> triad;
  triad.run(threads);
  std::vector<double> sweeps, triads;
  for (auto _ : timer) {
    constexpr int kInTurn =
        6;  // sweeps take about as long as a triad; the first finds its data gone from the caches
    for (int k = 0; k < kInTurn; ++k) {
      const Stopwatch watch;
      blocks.sweep();
      if (k > 0) sweeps.push_back(watch.seconds());
    }
    const Stopwatch watch;
    triad.run(threads);
    triads.push_back(watch.seconds());
  }
  if (!triad.right()) return timer.SkipWithError("the triad is wrong");
  const double bandwidth = 24.0 * Triad<Array>::kElements / median(triads);
  timer.counters["sweep"] = median(sweeps);
  timer.counters["bandwidth"] = bandwidth;
  timer.counters["row_bytes"] = bytes_along_rows();
  timer.counters["bytes"] = bytes_of_a_sweep();
}

void register_sweeps() {
  const auto add = [](const std::string& name, auto run, unsigned threads) {
    benchmark::RegisterBenchmark(("sweep_beside_triad/" + name + std::to_string(threads)).c_str(),
                                 run, threads)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(100)
        ->Repetitions(1)
        ->UseRealTime()
        ->MeasureProcessCPUTime();
  };
  for (const unsigned threads : {1U, 2U}) {
    add("4 KB/", sweep_beside_triad<std::vector<double>>, threads);
    add("2 MB/", sweep_beside_triad<std::vector<double, LargeArrays<double>>>, threads);
  }
}
const bool kSweepsRegistered = (register_sweeps(), true);

/// Mean field of the hard grid from one half to 1e-10: sweeps over all, and over those that may move.
void hard_grid(benchmark::State& timer, Index side, bool active) {
  const AnyModel model =
      generate("hard-grid", {.items = side * side, .groups = {}, .density = {}, .seed = 1});
  const PairwiseField& field = *model.as<PairwiseField>();
  const Box box = unit_box(field.size());
  const Order order = Order::coloured(field.size(), colour_in_blocks(field.neighbours()));
  const Elbo from(field.at(std::vector<double>(field.size(), 0.5)));
  double epochs = 0;
  for (auto _ : timer) {
    const auto report = coordinate_ascent(
        from, box, order, {.neighbours = active ? field.neighbours() : Neighbours{}});
    const Elbo at(field.at(report.point));
    for (Index i = 0; i < field.size(); ++i)
      if (std::abs(at.line(i).argmax(box[i]) - report.point[i]) > 1e-9)
        return timer.SkipWithError("the point returned is not stationary");
    epochs = report.epochs;
  }
  timer.counters["epochs"] = epochs;
}
void hard_sweeps(benchmark::State& timer) { hard_grid(timer, 200, false); }
void hard_active(benchmark::State& timer) { hard_grid(timer, 200, true); }
BENCHMARK(hard_sweeps)->Name("hard_grid/sweeps")->Unit(benchmark::kMillisecond);
BENCHMARK(hard_active)->Name("hard_grid/active")->Unit(benchmark::kMillisecond);

void grid_double_greedy(benchmark::State& timer) {
  const auto order = natural_order(grid().size());
  const Box box = unit_box(grid().size());
  const Elbo bottom(grid().at(box.low));
  const Elbo top(grid().at(box.high));
  for (auto _ : timer) {
    const auto result = double_greedy(bottom, top, order, Proportional{});
    if (!(*result.report.upper_bound >= result.report.value))
      timer.SkipWithError("the bound is below the value");
  }
}
BENCHMARK(grid_double_greedy)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace surefield
