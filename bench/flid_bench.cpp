// One DR-DoubleGreedy pass on FLID, n = 100, D = 10: the instance that
// bench/baselines/flid_double_greedy.py runs too. Before the clock starts the answer is compared
// with a pass that takes every partial from the definition of the extension.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr Index kItems = 100;
constexpr Index kDimensions = 10;

/// The same numbers as the baseline: a linear congruential stream, so that both languages draw them
/// alike.
Flid instance() {
  std::uint64_t state = 12345;
  const auto next = [&] {
    state = (state * 6364136223846793005ULL + 1442695040888963407ULL);
    return static_cast<double>(state >> 11) * 0x1p-53;
  };
  std::vector<double> weights(kItems * kDimensions);
  for (double& w : weights) w = next();
  std::vector<double> utility(kItems);
  for (double& u : utility) u = 2 * next() + 3;
  return make_flid(utility, weights, kDimensions);
}

/// d/dx_i of the extension, from sorted columns and running products: O(D n log n).
double slow_partial(const Flid& model, const std::vector<double>& x, Index i) {
  double slope = model.utility[i];
  for (Index d = 0; d < kDimensions; ++d) {
    const auto weight = [&](Index j) { return model.weights[j * kDimensions + d]; };
    auto rank = natural_order(kItems);
    std::stable_sort(rank.begin(), rank.end(),
                     [&](Index a, Index b) { return weight(a) < weight(b); });
    double expected[2];
    for (const int with : {0, 1}) {
      double e = 0;
      for (const Index j : rank) {
        const double v = j == i ? with : x[j];
        e = (1 - v) * e + v * weight(j);
      }
      expected[with] = e;
    }
    slope += expected[1] - expected[0] - weight(i);
  }
  return slope;
}

std::vector<double> slow_double_greedy(const Flid& model) {
  std::vector<double> x(kItems, 0.0), y(kItems, 1.0);
  for (Index i = 0; i < kItems; ++i) {
    const double gx = slow_partial(model, x, i);
    const double gy = slow_partial(model, y, i);
    const double a = softplus(gx), b = softplus(-gy);
    x[i] = y[i] = (a * sigmoid(gx) + b * sigmoid(gy)) / (a + b);
  }
  return x;
}

void flid_double_greedy(benchmark::State& timer) {
  const Flid model = instance();
  const auto order = natural_order(kItems);
  const Elbo bottom(model.at(std::vector<double>(kItems, 0.0)));
  const Elbo top(model.at(std::vector<double>(kItems, 1.0)));
  const auto checked = double_greedy(bottom, top, order, Proportional{}).report;
  const auto slow = slow_double_greedy(model);
  for (Index i = 0; i < kItems; ++i)
    if (std::abs(slow[i] - checked.point[i]) > 1e-10) {
      timer.SkipWithError("the pass differs from one taken by the definition");
      return;
    }
  for (auto _ : timer) {
    const Box box = unit_box(kItems);  // states are built inside the clock, as in the baseline
    benchmark::DoNotOptimize(
        double_greedy(Elbo(model.at(box.low)), Elbo(model.at(box.high)), order, Proportional{})
            .report.value);
  }
  timer.counters["value"] = checked.value;
}
BENCHMARK(flid_double_greedy);

template <class Rule>
void flid_rule(benchmark::State& timer) {
  const Flid model = instance();
  const auto order = natural_order(kItems);
  const Elbo bottom(model.at(std::vector<double>(kItems, 0.0)));
  const Elbo top(model.at(std::vector<double>(kItems, 1.0)));
  for (auto _ : timer)
    benchmark::DoNotOptimize(double_greedy(bottom, top, order, Rule{}).report.value);
}
BENCHMARK(flid_rule<Proportional>)->Name("flid_pass/proportional");
BENCHMARK(flid_rule<Winner>)->Name("flid_pass/winner");
BENCHMARK(flid_rule<Balanced>)->Name("flid_pass/balanced");
BENCHMARK(flid_rule<Equalised>)->Name("flid_pass/equalised");

void flid_guarded(benchmark::State& timer) {
  const Flid model = instance();
  const auto order = natural_order(kItems);
  const Elbo bottom(model.at(std::vector<double>(kItems, 0.0)));
  const Elbo top(model.at(std::vector<double>(kItems, 1.0)));
  const auto hint = coordinate_ascent(Elbo(model.at(std::vector<double>(kItems, 0.5))),
                                      unit_box(kItems), Order::natural(kItems), {.epochs = 5})
                        .point;
  for (auto _ : timer)
    benchmark::DoNotOptimize(double_greedy(bottom, top, order, Guarded{hint}).report.value);
}
BENCHMARK(flid_guarded)->Name("flid_pass/guarded");

void flid_sweep(benchmark::State& timer) {
  const Flid model = instance();
  Elbo state(model.at(std::vector<double>(kItems, 0.5)));
  for (auto _ : timer) {
    for (Index i = 0; i < kItems; ++i) state.set(i, state.line(i).argmax({0, 1}));
    benchmark::DoNotOptimize(state.coordinate(0));
  }
}
BENCHMARK(flid_sweep)->Name("flid_pass/one coordinate ascent sweep");

}  // namespace
}  // namespace surefield
