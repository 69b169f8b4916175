#include "surefield/core/lbfgs.hpp"

#include <LBFGS.h>

#include <cmath>
#include <stdexcept>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

struct NotFinite {};

/// The function as the solver calls it, with the best point kept aside.
class Watched {
 public:
  Watched(const SmoothFunction& function, LbfgsReport& best) : function_(&function), best_(&best) {}

  double operator()(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    const std::span<const double> point(x.data(), static_cast<std::size_t>(x.size()));
    const double value = (*function_)(point, {gradient.data(), point.size()});
    best_->evaluations += 1;
    if (!std::isfinite(value) || !gradient.allFinite()) throw NotFinite{};
    if (best_->evaluations == 1 || value < best_->value) {
      best_->value = value;
      best_->point.assign(point.begin(), point.end());
    }
    return value;
  }

 private:
  const SmoothFunction* function_;
  LbfgsReport* best_;
};

}  // namespace

LbfgsReport minimise(std::vector<double> start, const SmoothFunction& function,
                     const LbfgsOptions& options) {
  require(options.memory >= 1, "lbfgs: the memory is ", options.memory, ", which must be >= 1");
  require(options.gradient >= 0 && options.progress >= 0, "lbfgs: the tolerances are ",
          options.gradient, " and ", options.progress, ", which must be >= 0");
  LbfgsReport best;
  best.point = start;
  if (start.empty() || options.iterations == 0) {
    std::vector<double> gradient(start.size());
    best.value = function(start, gradient);
    best.evaluations = 1;
    require(std::isfinite(best.value), "lbfgs: the value at the start is ", best.value,
            ", which must be finite");
    best.status = start.empty() ? Status::kConverged : Status::kEpochLimit;
    return best;
  }
  LBFGSpp::LBFGSParam<double> parameters;
  parameters.m = static_cast<int>(options.memory);
  parameters.epsilon = options.gradient;
  parameters.epsilon_rel = 0;
  parameters.past = 10;
  parameters.delta = options.progress;
  parameters.max_iterations = static_cast<int>(options.iterations);
  parameters.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  parameters.max_linesearch = 30;
  LBFGSpp::LBFGSSolver<double, LBFGSpp::LineSearchNocedalWright> solver(parameters);
  Watched watched(function, best);
  Eigen::VectorXd x = Eigen::Map<Eigen::VectorXd>(start.data(), static_cast<long>(start.size()));
  double value = 0;
  try {
    const int done = solver.minimize(watched, x, value);
    if (done >= parameters.max_iterations) best.status = Status::kEpochLimit;
  } catch (const NotFinite&) {
    require(best.evaluations > 1, "lbfgs: the value or the gradient at the start is not finite");
    best.status = Status::kInterrupted;
  } catch (const std::logic_error&) {    // no descent left in the direction: rounding
  } catch (const std::runtime_error&) {  // no step left on the line: rounding
  }
  return best;
}

}  // namespace surefield
