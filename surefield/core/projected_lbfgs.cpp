#include "surefield/core/projected_lbfgs.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

#include "surefield/core/error.hpp"
#include "surefield/core/lane_sums.hpp"
#include "surefield/core/vector_exp.hpp"

namespace surefield {
namespace {

using Vector = std::vector<double>;

constexpr double kArmijo = 1e-4;
constexpr int kHalvings = 40;
constexpr std::size_t kPast = 10;  // iterations over which progress is measured

struct RememberedStep {
  Vector move, change;  // of the point, of the gradient
  // Over the variables that are free now: move times change, and change times change, or -1 while neither is known.
  double curvature = 0, length = -1;
};

// Over the free variables.
SUREFIELD_VECTOR_CLONES double free_dot(const double* a, const double* b, const double* free,
                                        std::size_t count) {
  return sum_over_lanes<8>(count, [=](std::size_t k) { return free[k] * a[k] * b[k]; });
}

SUREFIELD_VECTOR_CLONES void free_add(double* to, double factor, const double* other,
                                      const double* free, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] += factor * free[k] * other[k];
}

class ProjectedSearch {
 public:
  ProjectedSearch(Vector start, std::span<const double> upper, const SmoothFunction& function,
                  const LbfgsOptions& options)
      : upper_(upper),
        function_(function),
        options_(options),
        x_(std::move(start)),
        gradient_(x_.size()),
        free_(x_.size(), 1) {}

  LbfgsReport operator()() {
    for (std::size_t k = 0; k < x_.size(); ++k) x_[k] = std::min(x_[k], upper_[k]);
    report_.point = x_;
    value_ = report_.value = ask(x_, gradient_);
    if (!is_finite(value_, gradient_)) {
      require(options_.budget.spent(),
              "projected lbfgs: the value or the gradient at the start is ", "not finite");
      return ended(LbfgsEnding::kStopped);
    }
    std::vector<double> past;
    for (std::size_t iteration = 0; iteration < options_.iterations; ++iteration) {
      if (projected_slope() <= options_.gradient) return ended(LbfgsEnding::kConverged);
      past.push_back(value_);
      if (iteration >= kPast &&
          past[iteration - kPast] - value_ <= options_.progress * std::max(1.0, std::abs(value_)))
        return ended(LbfgsEnding::kConverged);
      if (!line_search(direction())) {
        if (options_.budget.spent()) return ended(LbfgsEnding::kStopped);
        if (steps_.empty()) return ended(LbfgsEnding::kLineSearch);
        steps_.clear();  // once more along the gradient alone
      }
    }
    return ended(LbfgsEnding::kIterations);
  }

 private:
  double ask(const Vector& x, Vector& gradient) {
    ++report_.evaluations;
    return function_(x, gradient);
  }

  static bool is_finite(double value, const Vector& gradient) {
    return std::isfinite(value) &&
           std::ranges::all_of(gradient, [](double g) { return std::isfinite(g); });
  }

  LbfgsReport ended(LbfgsEnding ending) {
    report_.ending = ending;
    report_.status = ending == LbfgsEnding::kConverged ? Status::kConverged
                     : ending == LbfgsEnding::kStopped ? Status::kInterrupted
                                                       : Status::kEpochLimit;
    return std::move(report_);
  }

  /// Marks what may move, and says how steep it is there.
  double projected_slope() {
    double squares = 0;
    bool same = true;
    for (std::size_t k = 0; k < x_.size(); ++k) {
      const double before = free_[k];
      free_[k] = x_[k] < upper_[k] || gradient_[k] > 0 ? 1 : 0;
      if (free_[k] != before) same = false;
      if (free_[k] > 0) squares += gradient_[k] * gradient_[k];
    }
    if (!same)
      for (RememberedStep& step : steps_) step.length = -1;
    return std::sqrt(squares);
  }

  double dot(const Vector& a, const Vector& b) const {
    return free_dot(a.data(), b.data(), free_.data(), a.size());
  }

  void add(Vector& to, double factor, const Vector& other) const {
    free_add(to.data(), factor, other.data(), free_.data(), to.size());
  }

  /// The two loops of L-BFGS over the free variables; steps without curvature there are passed over.
  Vector direction() {
    Vector d(x_.size());
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = -free_[k] * gradient_[k];
    std::vector<double> inverse(steps_.size(), 0.0), along(steps_.size(), 0.0);
    double scale = 0;
    for (std::size_t s = steps_.size(); s-- > 0;) {
      if (steps_[s].length < 0) {
        steps_[s].curvature = dot(steps_[s].move, steps_[s].change);
        steps_[s].length = dot(steps_[s].change, steps_[s].change);
      }
      const double curvature = steps_[s].curvature, length = steps_[s].length;
      if (!(curvature > 1e-12 * length) || length == 0) continue;
      if (scale == 0) scale = curvature / length;
      inverse[s] = 1 / curvature;
      along[s] = inverse[s] * dot(steps_[s].move, d);
      add(d, -along[s], steps_[s].change);
    }
    if (scale == 0) {  // as long as 1, so that the first step is a small one
      const double length = std::sqrt(dot(d, d));
      scale = length > 1 ? 1 / length : 1;
    }
    for (double& part : d) part *= scale;
    for (std::size_t s = 0; s < steps_.size(); ++s)
      if (inverse[s] > 0) add(d, along[s] - inverse[s] * dot(steps_[s].change, d), steps_[s].move);
    return d;
  }

  bool line_search(const Vector& d) {
    Vector next(x_.size()), gradient(x_.size());
    double t = 1;
    for (int halving = 0; halving < kHalvings; ++halving, t /= 2) {
      if (options_.budget.spent()) return false;
      double promised = 0;
      for (std::size_t k = 0; k < next.size(); ++k) {
        next[k] = std::min(x_[k] + t * d[k], upper_[k]);
        promised += gradient_[k] * (x_[k] - next[k]);
      }
      if (!(promised > 0)) continue;
      const double value = ask(next, gradient);
      if (!is_finite(value, gradient) || value > value_ - kArmijo * promised) continue;
      RememberedStep step{.move = next, .change = gradient};
      for (std::size_t k = 0; k < next.size(); ++k) {
        step.move[k] -= x_[k];
        step.change[k] -= gradient_[k];
      }
      steps_.push_back(std::move(step));
      if (steps_.size() > options_.memory) steps_.pop_front();
      x_ = next;
      gradient_ = gradient;
      value_ = report_.value = value;
      report_.point = x_;
      return true;
    }
    return false;
  }

  std::span<const double> upper_;
  const SmoothFunction& function_;
  const LbfgsOptions& options_;
  Vector x_, gradient_;
  Vector free_;  // 1 or 0
  std::deque<RememberedStep> steps_;
  double value_ = 0;
  LbfgsReport report_;
};

}  // namespace

LbfgsReport minimise_below(std::vector<double> start, std::span<const double> upper,
                           const SmoothFunction& function, const LbfgsOptions& options) {
  require(upper.size() == start.size(), "projected lbfgs: there are ", upper.size(), " bounds for ",
          start.size(), " variables");
  require(options.memory >= 1, "projected lbfgs: the memory is ", options.memory,
          ", which must be >= 1");
  return ProjectedSearch(std::move(start), upper, function, options)();
}

}  // namespace surefield
