// Annealed importance sampling: an ESTIMATE of log Z with its standard error. It proves nothing.
//
// Each run begins with independent fair items (Z = 2^free) and goes through the inverse
// temperatures beta_t = beta t / steps, one Gibbs sweep at each; its weight is
//
//   w = 2^free e^{sum_t (beta_t - beta_{t-1}) F(S_t)},      E w = Z exactly
//
// log of the mean of w is too low on average; its error, by the spread of w over the runs, is worth
// something only if it is small. Cost: runs * steps sweeps of n gains, and one value a sweep.
//
// R. Neal. Annealed importance sampling. Statistics and Computing 11, 2001.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"

namespace surefield {

struct AnnealingOptions {
  double beta = 1;
  Index steps = 1000;
  Index runs = 50;  ///< at least 2
  std::uint64_t seed = 1;
};

struct LogZEstimate {
  double log_z;           ///< an estimate, not a bound
  double standard_error;  ///< of log_z, by the delta method
};

template <Model M>
LogZEstimate annealed_importance(const M& model, const Box* box = nullptr,
                                 const AnnealingOptions& options = {}) {
  const FreeItems which = free_items(box, model.size(), "annealed importance sampling");
  require_inverse_temperature(options.beta, "annealed importance sampling");
  require(options.steps >= 1 && options.runs >= 2, "annealed importance sampling: there are ",
          options.steps, " steps and ", options.runs, " runs, which must be at least 1 and 2");
  std::vector<double> log_weights;
  for (Index run = 0; run < options.runs; ++run) {
    Random random(options.seed + 0x9e3779b97f4a7c15 * (run + 1));
    auto free = which.free;
    auto set = model.empty_set();
    for (const Index i : which.in) set.add(i);
    for (const Index i : free)
      if (random.chance(0.5)) set.add(i);
    const double step = options.beta / static_cast<double>(options.steps);
    CompensatedSum log_weight;
    log_weight.add(static_cast<double>(free.size()) * std::numbers::ln2);
    for (Index t = 1; t <= options.steps; ++t) {
      log_weight.add(step * set.value());
      gibbs_sweep(set, free, step * static_cast<double>(t), random);
    }
    log_weights.push_back(log_weight.value());
  }
  const auto runs = static_cast<double>(options.runs);
  const double log_mean = log_sum_exp(log_weights) - std::log(runs);
  CompensatedSum squares;
  for (const double w : log_weights) squares.add(std::pow(std::expm1(w - log_mean), 2));
  return {log_mean, std::sqrt(squares.value() / (runs * (runs - 1)))};
}

}  // namespace surefield
