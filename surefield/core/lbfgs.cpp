#include "surefield/core/lbfgs.hpp"

#include <LBFGS.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <stdexcept>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// Thrown through the solver, which throws std::logic_error and std::runtime_error of its own: by
/// its type nothing that the function throws can be taken for those.
struct Ended {
  LbfgsEnding ending;
};
struct Thrown {
  std::exception_ptr by_the_function;
};

/// The function as the solver calls it, with the best point kept aside.
class Watched {
 public:
  Watched(const SmoothFunction& function, const LbfgsOptions& options, LbfgsReport& best)
      : function_(&function), options_(&options), best_(&best) {}

  double operator()(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    // Interpolation between two equal values divides 0 by 0: the line search has lost its way.
    if (best_->evaluations > 0 && !x.allFinite()) throw Ended{LbfgsEnding::kLineSearch};
    if (best_->evaluations > 0 && options_->budget.spent()) throw Ended{LbfgsEnding::kStopped};
    const std::span<const double> point(x.data(), static_cast<std::size_t>(x.size()));
    const double value = ask(point, {gradient.data(), point.size()});
    best_->evaluations += 1;
    if (!std::isfinite(value) || !gradient.allFinite())
      throw Ended{options_->budget.spent() ? LbfgsEnding::kStopped : LbfgsEnding::kNotFinite};
    slope_ = gradient.norm();
    if (best_->evaluations == 1 || value < best_->value) {
      best_->value = value;
      best_->point.assign(point.begin(), point.end());
    }
    return value;
  }

  /// The norm of the gradient seen last.
  double slope() const { return slope_; }

 private:
  double ask(std::span<const double> point, std::span<double> gradient) const {
    try {
      return (*function_)(point, gradient);
    } catch (...) {
      throw Thrown{std::current_exception()};
    }
  }

  const SmoothFunction* function_;
  const LbfgsOptions* options_;
  LbfgsReport* best_;
  double slope_ = 0;
};

Status status_of(LbfgsEnding ending) {
  switch (ending) {
    case LbfgsEnding::kConverged:
      return Status::kConverged;
    case LbfgsEnding::kIterations:
    case LbfgsEnding::kLineSearch:
      return Status::kEpochLimit;
    case LbfgsEnding::kNotFinite:
    case LbfgsEnding::kStopped:
      return Status::kInterrupted;
  }
  return Status::kFailed;
}

int as_int(std::size_t number) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  return static_cast<int>(std::min(number, kMost));
}

template <template <class> class LineSearch>
LbfgsEnding search(Watched& watched, std::vector<double>& start, const LbfgsOptions& options) {
  LBFGSpp::LBFGSParam<double> parameters;
  parameters.m = as_int(options.memory);
  parameters.epsilon = options.gradient;
  parameters.epsilon_rel = 0;
  parameters.past = 10;
  parameters.delta = options.progress;
  parameters.max_iterations = as_int(options.iterations);
  parameters.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
  parameters.max_linesearch = 30;
  LBFGSpp::LBFGSSolver<double, LineSearch> solver(parameters);
  Eigen::VectorXd x = Eigen::Map<Eigen::VectorXd>(start.data(), static_cast<long>(start.size()));
  double value = 0;
  try {
    const int done = solver.minimize(watched, x, value);
    return done >= parameters.max_iterations && watched.slope() > options.gradient
               ? LbfgsEnding::kIterations
               : LbfgsEnding::kConverged;
  } catch (const Ended& ended) {
    return ended.ending;
  } catch (const Thrown& thrown) {
    std::rethrow_exception(thrown.by_the_function);
  } catch (const std::logic_error&) {  // no descent in the direction
    return LbfgsEnding::kLineSearch;
  } catch (const std::runtime_error&) {  // no step left on the line
    return LbfgsEnding::kLineSearch;
  }
}

}  // namespace

std::string_view text_of(LbfgsEnding ending) {
  switch (ending) {
    case LbfgsEnding::kConverged:
      return "converged";
    case LbfgsEnding::kIterations:
      return "iterations used up";
    case LbfgsEnding::kLineSearch:
      return "line search failed";
    case LbfgsEnding::kNotFinite:
      return "not finite";
    case LbfgsEnding::kStopped:
      return "stopped";
  }
  return "unknown";
}

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
    best.ending = start.empty() ? LbfgsEnding::kConverged : LbfgsEnding::kIterations;
  } else {
    Watched watched(function, options, best);
    best.value = std::numeric_limits<double>::quiet_NaN();
    best.ending = options.by_halves
                      ? search<LBFGSpp::LineSearchBracketing>(watched, start, options)
                      : search<LBFGSpp::LineSearchNocedalWright>(watched, start, options);
    require(best.ending != LbfgsEnding::kNotFinite || best.evaluations > 1,
            "lbfgs: the value or the gradient at the start is not finite");
  }
  best.status = status_of(best.ending);
  return best;
}

}  // namespace surefield
