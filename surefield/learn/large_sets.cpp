#include "surefield/learn/large_sets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/order.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr double kOutweighed = 5;  // nats that large sets are to be behind
constexpr double kFirstShift = 1e-3;
constexpr double kLargestShift = 1;
constexpr double kShiftTolerance = 1.1;
constexpr int kBiasSteps = 8;

class SizeKeeper {
 public:
  SizeKeeper(std::vector<double> theta, const PseudoLikelihood& loss, const PairSupport& support,
             double largest_seen, const Budget& budget)
      : base_(std::move(theta)),
        loss_(loss),
        support_(support),
        largest_seen_(largest_seen),
        budget_(budget) {
    const auto second = loss.curvature(0);
    curvature_ = std::accumulate(second.begin(),
                                 second.begin() + static_cast<std::ptrdiff_t>(loss.items()), 0.0);
  }

  /// Whether the large sets are behind with this shift of the couplings; keeps what was tried.
  bool holds(double d) {
    shift_ = {.coupling = d, .bias = best_bias(d), .enough = true};
    return size_beyond(field_of(moved(shift_), support_), largest_seen_, budget_) == 0;
  }

  const SizeShift& last() const { return shift_; }

  std::vector<double> moved(const SizeShift& shift) const {
    std::vector<double> theta = base_;
    for (Index k = 0; k < theta.size(); ++k)
      theta[k] += k < loss_.items() ? shift.bias : -shift.coupling;
    return theta;
  }

 private:
  /// The loss is convex in t: steps by the curvature of independent items, from the last t.
  double best_bias(double d) const {
    std::vector<double> gradient(base_.size());
    double t = shift_.bias;
    for (int step = 0; step < kBiasSteps && !budget_.spent(); ++step) {
      const double value =
          loss_(moved({.coupling = d, .bias = t, .enough = true}), gradient, 0, budget_);
      if (std::isnan(value)) break;
      const double slope = std::accumulate(
          gradient.begin(), gradient.begin() + static_cast<std::ptrdiff_t>(loss_.items()), 0.0);
      const double move = slope / curvature_;
      t -= move;
      if (std::abs(move) < 1e-2 * d) break;
    }
    return t;
  }

  std::vector<double> base_;
  const PseudoLikelihood& loss_;
  const PairSupport& support_;
  double largest_seen_;
  const Budget& budget_;
  double curvature_ = 1;
  SizeShift shift_;
};

}  // namespace

double size_beyond(const PairwiseField& field, double largest_seen, const Budget& budget) {
  const Index n = field.size();
  const Order order = Order::natural(n);
  const auto from = [&](double v) {
    return coordinate_ascent(Elbo(field.at(std::vector<double>(n, v))), unit_box(n), order,
                             {.epochs = 100, .tolerance = 1e-3, .budget = budget});
  };
  if (n == 0) return 0;
  const Report large = from(1);
  const double size = std::accumulate(large.point.begin(), large.point.end(), 0.0);
  if (size <= largest_seen || large.value <= from(0).value - kOutweighed) return 0;
  return size;
}

SizeShift keep_to_sizes_seen(std::vector<double>& theta, const PseudoLikelihood& loss,
                             const PairSupport& support, double largest_seen,
                             const Budget& budget) {
  if (size_beyond(field_of(theta, support), largest_seen, budget) == 0) return {};
  SizeKeeper keeper(theta, loss, support, largest_seen, budget);
  double low = 0;
  double high = kFirstShift;
  while (!keeper.holds(high)) {
    if (high >= kLargestShift || budget.spent()) return {.coupling = 0, .bias = 0, .enough = false};
    low = high;
    high *= 2;
  }
  SizeShift best = keeper.last();
  while (high > kShiftTolerance * low && low > 0 && !budget.spent()) {
    const double middle = (low + high) / 2;
    if (keeper.holds(middle)) {
      high = middle;
      best = keeper.last();
    } else {
      low = middle;
    }
  }
  if (budget.spent()) return {.coupling = 0, .bias = 0, .enough = false};
  theta = keeper.moved(best);
  return best;
}

}  // namespace surefield
