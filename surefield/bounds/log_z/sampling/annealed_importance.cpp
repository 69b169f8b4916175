#include "surefield/bounds/log_z/sampling/annealed_importance.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

LogZEstimate annealed_importance(const AnyModel& model, const Box* box,
                                 const AnnealingOptions& options) {
  const FreeItems which = free_items(box, model.size(), "annealed importance sampling");
  require_inverse_temperature(options.beta, "annealed importance sampling");
  require(options.steps >= 1 && options.runs >= 2, "annealed importance sampling: there are ",
          options.steps, " steps and ", options.runs, " runs, which must be at least 1 and 2");
  std::vector<double> log_weights;
  for (Index run = 0; run < options.runs; ++run) {
    Random random(options.seed + 0x9e3779b97f4a7c15 * (run + 1));
    auto free = which.free;
    AnySet set = model.empty_set();
    for (const Index i : which.in) set.add(i);
    for (const Index i : free)
      if (random.chance(0.5)) set.add(i);
    const double step = options.beta / static_cast<double>(options.steps);
    CompensatedSum log_weight;
    log_weight.add(static_cast<double>(free.size()) * std::numbers::ln2);
    for (Index t = 1; t <= options.steps; ++t) {
      require(!options.budget.spent(), "annealed importance sampling: time ran out after ", run,
              " of ", options.runs, " runs");
      log_weight.add(step * set.value());
      gibbs_sweep(set, free, step * static_cast<double>(t), random);
    }
    log_weights.push_back(log_weight.value());
  }
  const auto runs = static_cast<double>(options.runs);
  const double log_mean = log_sum_exp(log_weights) - std::log(runs);
  CompensatedSum squares, logs, spread;
  for (const double w : log_weights) {
    squares.add(std::pow(std::expm1(w - log_mean), 2));
    logs.add(w);
  }
  const double mean_log = logs.value() / runs;
  for (const double w : log_weights) spread.add(std::pow(w - mean_log, 2));
  const double by_delta = std::sqrt(squares.value() / (runs * (runs - 1)));
  const double if_log_normal = mean_log + spread.value() / (runs - 1) / 2;
  return {log_mean, std::hypot(by_delta, if_log_normal - log_mean)};
}

}  // namespace surefield
