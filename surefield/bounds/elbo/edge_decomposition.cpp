#include "surefield/bounds/elbo/edge_decomposition.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <span>

#include "surefield/bounds/elbo/edge_network.hpp"
#include "surefield/bounds/elbo/edge_part.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kMemory = 0.95;       // of the averaged gradient
constexpr double kScaleMemory = 0.97;  // of its averaged square
constexpr double kFloor = 0.01;        // disagreement below which steps shrink with it
constexpr double kEntropyStep = 3;     // entropy steps against slope steps, in units of 1 / degree
constexpr double kRecent = 0.01;       // weight of the newest maximiser in the point returned
constexpr double kStepFall = 0.04, kSmoothingFall = 0.05;  // per iteration

/// The split and what the edges answer to it.
struct Dual {
  std::vector<double> slope, weight;  // per end: share of the bias, share of the entropy
  std::vector<double> x, h;           // per end: maximiser and its entropy, averaged over the peaks
  std::vector<double> bound;          // per edge
};

void answer(const EdgeNetwork& net, const Box& box, Dual& dual, std::size_t e, double smoothing) {
  const auto& link = net.links[e];
  const EdgePeaks peaks =
      edge_peaks({link.weight, dual.slope[2 * e], dual.slope[2 * e + 1], dual.weight[2 * e],
                  dual.weight[2 * e + 1], box[link.from], box[link.to]});
  dual.bound[e] = peaks.bound();
  const EdgePeak& best = peaks.best();
  dual.x[2 * e] = best.x;
  dual.x[2 * e + 1] = best.y;
  dual.h[2 * e] = entropy(best.x);
  dual.h[2 * e + 1] = entropy(best.y);
  if (peaks.count < 2 || smoothing == 0) return;
  const EdgePeak& other = &best == &peaks.peak[0] ? peaks.peak[1] : peaks.peak[0];
  const double softness = smoothing * std::min(net.scale[link.from], net.scale[link.to]);
  const double share = sigmoid((other.bound - best.bound) / softness);
  if (share < 1e-9) return;
  dual.x[2 * e] += share * (other.x - best.x);
  dual.x[2 * e + 1] += share * (other.y - best.y);
  dual.h[2 * e] += share * (entropy(other.x) - dual.h[2 * e]);
  dual.h[2 * e + 1] += share * (entropy(other.y) - dual.h[2 * e + 1]);
}

/// What rounding left over when the shares of node i were computed, as a bound of its effect.
double left_over(const EdgeNetwork& net, const Box& box, const Dual& dual, Index i) {
  CompensatedSum bias, one;
  bias.add(net.bias[i]);
  one.add(1);
  for (const auto k : net.ends(i)) bias.add(-dual.slope[k]), one.add(-dual.weight[k]);
  const double rest = bias.value();
  return std::max(rest * box.low[i], rest * box.high[i]) +
         std::max(one.value(), 0.0) * std::numbers::ln2;
}

/// The nearest shares >= 0 with sum 1.
void project_to_simplex(std::span<const std::uint32_t> ends, std::vector<double>& weight,
                        std::vector<double>& sorted) {
  sorted.clear();
  for (const auto k : ends) sorted.push_back(weight[k]);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, shift = 0;
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    sum += sorted[j];
    const double now = (sum - 1) / static_cast<double>(j + 1);
    if (sorted[j] > now) shift = now;
  }
  for (const auto k : ends) weight[k] = std::max(0.0, weight[k] - shift);
}

/// Makes the shares of node i add up to its bias and to 1.
void balance(const EdgeNetwork& net, Index i, Dual& dual, std::vector<double>& sorted) {
  const auto ends = net.ends(i);
  if (ends.empty()) return;
  double rest = net.bias[i];
  for (const auto k : ends) rest -= dual.slope[k];
  for (const auto k : ends) dual.slope[k] += rest / static_cast<double>(ends.size());
  project_to_simplex(ends, dual.weight, sorted);
}

/// Moves the shares of node i against the averaged disagreement of its ends.
class NodeSteps {
 public:
  explicit NodeSteps(const EdgeNetwork& net)
      : net_(&net),
        mean_x_(net.end.size(), 0),
        mean_h_(net.end.size(), 0),
        square_x_(net.bias.size(), 0),
        square_h_(net.bias.size(), 0) {}

  /// Averages begin at 0: each is divided by what it has seen so far.
  void begin(std::size_t iteration) {
    const double age = static_cast<double>(iteration + 1);
    seen_ = 1 - std::pow(kMemory, age);
    seen_square_ = 1 - std::pow(kScaleMemory, age);
  }

  void move(Index i, Dual& dual, double step) {
    const auto ends = net_->ends(i);
    const auto degree = static_cast<double>(ends.size());
    if (ends.size() < 2) return;
    double x = 0, h = 0;
    for (const auto k : ends) x += dual.x[k], h += dual.h[k];
    x /= degree, h /= degree;
    double spread_x = 0, spread_h = 0;
    for (const auto k : ends) {
      const double dx = dual.x[k] - x, dh = dual.h[k] - h;
      mean_x_[k] += (1 - kMemory) * (dx - mean_x_[k]);
      mean_h_[k] += (1 - kMemory) * (dh - mean_h_[k]);
      spread_x += dx * dx, spread_h += dh * dh;
    }
    square_x_[i] += (1 - kScaleMemory) * (spread_x / degree - square_x_[i]);
    square_h_[i] += (1 - kScaleMemory) * (spread_h / degree - square_h_[i]);
    const double step_x =
        step * net_->scale[i] / (seen_ * (std::sqrt(square_x_[i] / seen_square_) + kFloor));
    const double step_h =
        step * kEntropyStep / (degree * seen_ * (std::sqrt(square_h_[i] / seen_square_) + kFloor));
    for (const auto k : ends) {
      dual.slope[k] -= step_x * mean_x_[k];
      dual.weight[k] -= step_h * mean_h_[k];
    }
    balance(*net_, i, dual, sorted_);
  }

 private:
  const EdgeNetwork* net_;
  std::vector<double> mean_x_, mean_h_;      // per end
  std::vector<double> square_x_, square_h_;  // per node
  std::vector<double> sorted_;
  double seen_ = 1, seen_square_ = 1;
};

Dual first_dual(const EdgeNetwork& net, const EdgeMultipliers* start) {
  Dual dual;
  const std::size_t ends = net.end.size();
  dual.slope.assign(ends, 0);
  dual.weight.assign(ends, 0);
  dual.x.assign(ends, 0);
  dual.h.assign(ends, 0);
  dual.bound.assign(net.links.size(), 0);
  if (start)
    for (std::size_t k = 0; k < ends; ++k) {
      const std::size_t there = 2 * net.links[k / 2].edge + k % 2;
      dual.slope[k] = start->slope[there];
      dual.weight[k] = start->entropy[there];
    }
  std::vector<double> sorted;
  for (Index i = 0; i < net.bias.size(); ++i) balance(net, i, dual, sorted);
  return dual;
}

void keep(const EdgeNetwork& net, const Dual& dual, EdgeMultipliers& multipliers) {
  for (std::size_t k = 0; k < net.end.size(); ++k) {
    const std::size_t there = 2 * net.links[k / 2].edge + k % 2;
    multipliers.slope[there] = dual.slope[k];
    multipliers.entropy[there] = dual.weight[k];
  }
}

/// The point and the disagreement, from the maximisers at every end.
void describe(const EdgeNetwork& net, const Box& box, std::span<const double> at_end,
              EdgeDualReport& report) {
  const Index n = net.bias.size();
  report.point.resize(n);
  report.disagreement.assign(n, 0);
  for (Index i = 0; i < n; ++i) {
    const auto ends = net.ends(i);
    double mean = 0;
    for (const auto k : ends) mean += at_end[k] / static_cast<double>(ends.size());
    for (const auto k : ends)
      report.disagreement[i] = std::max(report.disagreement[i], std::abs(at_end[k] - mean));
    report.point[i] = box[i].clamp(ends.empty() ? sigmoid(net.bias[i]) : mean);
  }
}

void check(const PairwiseField& model, const Box& box, double best_known,
           const EdgeDualOptions& options, const EdgeMultipliers* start) {
  require_inside_unit(box, model.size());
  require(!std::isnan(best_known) && best_known < kInfinity,
          "edge dual bound: the best known value is ", best_known,
          ", which must be a number below infinity");
  require(std::isfinite(options.wanted_gap) && options.wanted_gap >= 0,
          "edge dual bound: the wanted gap is ", options.wanted_gap,
          ", which must be finite and >= 0");
  require(std::isfinite(options.step) && options.step > 0, "edge dual bound: the step is ",
          options.step, ", which must be finite and > 0");
  require(std::isfinite(options.smoothing) && options.smoothing >= 0,
          "edge dual bound: the smoothing is ", options.smoothing,
          ", which must be finite and >= 0");
  require(options.threads >= 1, "edge dual bound: the number of threads is ", options.threads,
          ", which must be >= 1");
  if (!start) return;
  const std::size_t ends = model.neighbour.size();
  require(start->slope.size() == ends && start->entropy.size() == ends,
          "edge dual bound: there are ", start->slope.size(), " slopes and ", start->entropy.size(),
          " entropies to start from, which must be ", ends, ": two an edge");
  for (std::size_t k = 0; k < ends; ++k)
    require(std::isfinite(start->slope[k]) && std::isfinite(start->entropy[k]),
            "edge dual bound: multiplier ", k, " to start from is ", start->slope[k], ", ",
            start->entropy[k], ", which must be finite");
}

}  // namespace

EdgeDualReport edge_dual_bound(const PairwiseField& model, const Box& box, double best_known,
                               const EdgeDualOptions& options, const BoundObserver& observer,
                               const EdgeMultipliers* start) {
  check(model, box, best_known, options, start);
  const Index n = model.size();
  const EdgeNetwork net = edge_network(model, box);
  Dual dual = first_dual(net, start);
  NodeSteps steps(net);
  EdgeDualReport report;
  report.bound = kInfinity;
  report.multipliers.slope.assign(model.neighbour.size(), 0);
  report.multipliers.entropy.assign(model.neighbour.size(), 0);
  std::vector<double> mean(net.end.size(), 0);  // of the maximisers, over time
  tbb::task_arena arena(static_cast<int>(options.threads));

  for (std::size_t t = 0; t <= options.iterations; ++t) {
    const double age = static_cast<double>(t);
    const double smoothing = options.smoothing / (1 + kSmoothingFall * age);
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, net.links.size(), 256),
                        [&](const tbb::blocked_range<std::size_t>& range) {
                          for (std::size_t e = range.begin(); e < range.end(); ++e)
                            answer(net, box, dual, e, smoothing);
                        });
    });
    CompensatedSum sum;
    sum.add(net.settled);
    for (const double bound : dual.bound) sum.add(bound);
    for (Index i = 0; i < n; ++i)
      if (!net.ends(i).empty()) sum.add(left_over(net, box, dual, i));
    const double bound = sum.value() + 1e-15 * std::abs(sum.value());
    if (bound < report.bound) {
      report.bound = bound;
      keep(net, dual, report.multipliers);
    }
    const double memory = std::max(kRecent, 1 / (age + 1));
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += memory * (dual.x[k] - mean[k]);
    report.iterations = t;
    if (report.bound - best_known <= options.wanted_gap * std::abs(best_known) ||
        net.links.empty()) {
      report.status = Status::kConverged;
      break;
    }
    if (observer && !observer(t, report.bound)) {
      report.status = Status::kInterrupted;
      break;
    }
    if (t == options.iterations) break;
    steps.begin(t);
    const double step = options.step / (1 + kStepFall * age);
    for (Index i = 0; i < n; ++i) steps.move(i, dual, step);
  }
  describe(net, box, mean, report);
  return report;
}

}  // namespace surefield
