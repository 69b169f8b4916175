#include "surefield/experiments/synthetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "surefield/api/generate.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/stopwatch.hpp"

namespace surefield {
namespace {

constexpr std::size_t kEpochs = 6;

struct Size {
  Index items;
  Index least, most;           // D, odd numbers
  std::array<Index, 2> drawn;  // trajectories
};
constexpr std::array<Size, 3> kSizes{
    {{10, 3, 15, {7, 11}}, {14, 9, 19, {13, 15}}, {18, 13, 23, {17, 19}}}};

struct Instance {
  const Size* size;
  Index dimensions, repeat;
};

struct Outcome {
  std::vector<Trajectory> one_epoch, many_epochs;
  double log_z = 0;
};

auto fields_of(Outcome& outcome) {
  auto& [one_epoch, many_epochs, log_z] = outcome;
  return std::tie(one_epoch, many_epochs, log_z);
}

Outcome run(const Instance& instance, std::uint64_t seed) {
  const Index n = instance.size->items;
  // A generator of its own for every instance, so that nothing depends on who runs first.
  Random key(seed);
  for (const Index part : {n, instance.dimensions, instance.repeat})
    key = Random(key.bits() ^ part);
  const Problem problem = make_problem(
      generate("flid", {.items = n, .groups = instance.dimensions, .seed = key.bits()}));
  std::vector<std::vector<Index>> orders;
  for (std::size_t epoch = 0; epoch < kEpochs; ++epoch) orders.push_back(permutation(n, key));
  std::vector<double> start(n);
  std::generate(start.begin(), start.end(), [&] { return key.uniform(); });
  Outcome outcome{.one_epoch = one_epoch_values(problem, orders[0]),
                  .many_epochs = multi_epoch_trajectories(problem, orders, start)};
  const LogZResult found = log_z(problem, {.goal = LogZGoal::kExact}).sound();
  SUREFIELD_ASSERT(found.exact);
  outcome.log_z = found.value;
  return outcome;
}

Chart chart_of(const Instance& instance, const Outcome& outcome) {
  Chart chart;
  chart.id = message("synthetic-n", instance.size->items, "-D", instance.dimensions);
  chart.figure = "synthetic FLID";
  chart.title = message("D = ", instance.dimensions);
  chart.objective = "elbo";
  chart.category = "synthetic";
  chart.items = instance.size->items;
  chart.dimensions = instance.dimensions;
  chart.log_z = Interval{outcome.log_z, outcome.log_z};
  chart.series = outcome.many_epochs;
  return chart;
}

class Moments {
 public:
  void add(double value) { values_.push_back(value); }
  double mean() const {
    double sum = 0;
    for (const double value : values_) sum += value;
    return sum / static_cast<double>(values_.size());
  }
  double deviation() const {
    double squares = 0;
    for (const double value : values_) squares += (value - mean()) * (value - mean());
    return std::sqrt(squares / static_cast<double>(values_.size()));
  }

 private:
  std::vector<double> values_;
};

/// The rows of one (n, D) from all its repeats.
void summarise(std::span<const std::optional<Outcome>> repeats, const Instance& instance,
               Synthetic& synthetic) {
  const auto row = [&](std::string_view algorithm, const auto& value_of) {
    Moments moments;
    for (const auto& outcome : repeats) moments.add(value_of(*outcome));
    return SyntheticValue{instance.size->items, instance.dimensions, algorithm, moments.mean(),
                          moments.deviation()};
  };
  for (const auto list : {&Outcome::one_epoch, &Outcome::many_epochs})
    for (std::size_t a = 0; a < ((*repeats[0]).*list).size(); ++a)
      synthetic.values.push_back(
          row(((*repeats[0]).*list)[a].algorithm,
              [&](const Outcome& outcome) { return (outcome.*list)[a].last(); }));
  synthetic.log_z.push_back(row("log Z", [](const Outcome& outcome) { return outcome.log_z; }));
}

}  // namespace

Synthetic reproduce_synthetic(const SyntheticOptions& options) {
  const Stopwatch watch;
  require(options.repeats >= 1, "synthetic: there are 0 repeats, but it takes at least 1");
  std::vector<Instance> instances;
  for (const auto& size : kSizes)
    for (Index d = size.least; size.items <= options.largest && d <= size.most; d += 2)
      for (Index repeat = 0; repeat < options.repeats; ++repeat)
        instances.push_back({&size, d, repeat});

  Ticker tick(instances.size(), options.progress);
  const auto task = [&](std::size_t t) -> std::optional<Outcome> {
    if (options.budget.spent()) return std::nullopt;
    return run(instances[t], options.seed);
  };
  const auto outcomes =
      in_order(instances.size(), options.budget, options.crew, task, [&] { tick(); }).results;

  Synthetic synthetic;
  synthetic.seed = options.seed;
  synthetic.repeats = options.repeats;
  for (std::size_t t = 0; t < instances.size(); t += options.repeats) {
    const auto repeats = std::span(outcomes).subspan(t, options.repeats);
    if (!std::all_of(repeats.begin(), repeats.end(), [](const auto& o) { return o.has_value(); })) {
      synthetic.complete = false;
      continue;
    }
    const Instance& first = instances[t];
    summarise(repeats, first, synthetic);
    const auto& drawn = first.size->drawn;
    if (std::find(drawn.begin(), drawn.end(), first.dimensions) != drawn.end())
      synthetic.charts.push_back(chart_of(first, *repeats[0]));
  }
  synthetic.seconds = watch.seconds();
  return synthetic;
}

}  // namespace surefield
