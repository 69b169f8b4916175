// Cost of one partial and one set per model family, against n. The answer is checked before the
// clock starts.
//
// Groups are kept at a fixed number of entries an item, so that a cost stated as O(entries of i)
// shows as flat in n and O(log n) as slow growth; scripts/bench.sh prints the growth factors.
#include <benchmark/benchmark.h>

#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "surefield/api/generate.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"

namespace surefield {
namespace {

struct Family {
  std::string_view name;
  double groups_per_item;  // 0: as many groups as `groups` says
  Index groups;
  double entries_per_group;  // density = entries_per_group / n, at most 1; 0: the generator's own
};

GenerateOptions options_of(const Family& family, Index n) {
  GenerateOptions options{.items = n, .groups = {}, .density = {}, .seed = 1};
  if (family.groups > 0) options.groups = family.groups;
  if (family.groups_per_item > 0)
    options.groups = static_cast<Index>(family.groups_per_item * static_cast<double>(n));
  if (family.entries_per_group > 0)
    options.density = std::min(1.0, family.entries_per_group / static_cast<double>(n));
  return options;
}

/// The last model drawn, kept because a benchmark is called several times, and whether its answer was checked: a million items take
/// far longer to sort than to measure.
struct Drawn {
  std::string_view name;
  Index n;
  AnyModel model;
  bool checked = false;
};

Drawn& draw(const Family& family, Index n) {
  static std::optional<Drawn> last;
  if (!last || last->name != family.name || last->n != n) {
    last.reset();  // one at a time in memory
    last = Drawn{family.name, n, generate(family.name, options_of(family, n))};
  }
  return *last;
}

void partial_and_set(benchmark::State& timer, const Family& family) {
  Drawn& drawn = draw(family, static_cast<Index>(timer.range(0)));
  const AnyModel& any = drawn.model;
  const auto measure = [&](const auto& model) {
    Random random(7);
    std::vector<double> x(model.size());
    for (double& v : x) v = random.uniform();
    auto state = model.at(x);
    // Scattered visits and values in a fixed pattern: a sweep in a random order.
    const auto order = permutation(model.size(), random);
    if (!drawn.checked) {
      for (const Index i : order) state.set(i, random.uniform());
      const double fresh = model.at(point_of(state)).value();
      if (!(std::abs(fresh - state.value()) <= 1e-9 * std::max(1.0, std::abs(fresh)))) {
        timer.SkipWithError("the incremental value has drifted from a fresh one");
        return;
      }
      drawn.checked = true;
    }
    Index at = 0;
    double v = 0.5;
    for (auto _ : timer) {
      const Index i = order[at];
      foresee(state, std::span(order).subspan(at + 1));  // as sweeps do
      benchmark::DoNotOptimize(state.partial(i));
      state.set(i, v);
      v = v < 0.9 ? v + 0.01 : 0.1;
      if (++at == order.size()) at = 0;
    }
    timer.SetItemsProcessed(timer.iterations());  // items: coordinates settled
  };
  // The state itself where runs use it as it is, else through the handle, as they do.
  if (const auto* field = any.as<PairwiseField>()) return measure(*field);
  if (const auto* cut = any.as<GraphCut>()) return measure(cut->field);
  if (const auto* flid = any.as<Flid>()) return measure(flid->facility);
  measure(any);
}

void register_all() {
  const std::vector<std::pair<Family, std::vector<std::int64_t>>> families{
      {{"flid", 0, 10, 0}, {100, 1000, 10000, 100000, 1000000}},
      {{"coverage", 2, 0, 5}, {100, 1000, 5000}},
      {{"soft-grid", 0, 0, 0}, {100, 10000, 1000000}},
      {{"cut", 0, 0, 8}, {100, 1000, 10000}},
      {{"hypergraph-cut", 1, 0, 5}, {100, 1000, 10000}},
      {{"gibbs", 2, 0, 0}, {100, 1000, 3000}},
      {{"concave-over-modular", 0.5, 0, 10}, {100, 1000, 10000}},
  };
  for (const auto& [family, sizes] : families) {
    auto* bench = benchmark::RegisterBenchmark(
        ("partial_and_set/" + std::string(family.name)).c_str(), partial_and_set, family);
    for (const auto n : sizes) bench->Arg(n);
  }
}

const bool kRegistered = (register_all(), true);

}  // namespace
}  // namespace surefield
