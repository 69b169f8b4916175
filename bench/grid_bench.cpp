// One coordinate ascent sweep of a 1000 x 1000 grid, and one double greedy pass: the work that
// bench/baselines/grid_sweep.py does too. The answer is checked before the clock starts: the value
// must rise and equal that of a fresh state.
#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/colouring.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr Index kSide = 1000;

const PairwiseField& grid() {
  static const AnyModel model =
      generate("soft-grid", {.items = kSide * kSide, .groups = {}, .density = {}, .seed = 1});
  return *model.as<PairwiseField>();
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
  Elbo state(before);
  std::vector<double> best;
  auto visits = order;
  const auto list = visits.epoch(0);
  const Budget budget;
  Ticks ticks(budget);
  for (auto _ : timer) {
    const double moved =
        visits.class_ends().empty()
            ? detail::sweep(state, box, list, ticks)
            : detail::sweep_classes(state, box, list, visits.class_ends(), best, budget);
    benchmark::DoNotOptimize(moved);
  }
  timer.SetItemsProcessed(timer.iterations() * static_cast<std::int64_t>(grid().size()));
}

void grid_natural(benchmark::State& timer) { grid_sweep(timer, Order::natural(grid().size())); }
BENCHMARK(grid_natural)->Name("grid_sweep/natural")->Unit(benchmark::kMillisecond);

void grid_coloured(benchmark::State& timer) {
  auto colouring = colour_in_blocks(grid());
  grid_sweep(timer, Order::coloured(grid().size(), colouring.order, colouring.class_ends));
}
BENCHMARK(grid_coloured)->Name("grid_sweep/coloured")->Unit(benchmark::kMillisecond);

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
