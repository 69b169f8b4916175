// The steps of noise contrastive estimation: one set after the other, in random order (learn/noise_contrastive.hpp says which step).
//
// Cost: a root, a division and two places in memory for every entry that a set touches, rows of weights at once.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/nce_sample.hpp"
#include "surefield/learn/noise_contrastive.hpp"

namespace surefield {

inline constexpr double kFreshWeight = 1e-3;  ///< weights start, and start again, below this

inline double step_of(const NceOptions& options) {
  if (options.step > 0) return options.step;
  return options.optimiser == NceOptions::Optimiser::kAdaGrad ? 0.1 : 0.01;
}

/// One pass at a time over a sample, in random order.
template <class Parameters>
class NceAscent {
 public:
  NceAscent(Parameters& parameters, const NceSample& sample, const NceOptions& options,
            Random& random)
      : parameters_(parameters),
        sample_(sample),
        step_(step_of(options)),
        random_(random),
        budget_(options.budget),
        ticks_(budget_, 256),
        order_(sample.sets.size()),
        scored_(parameters) {
    constexpr double kFirstSquare = 0.01;  // bounds the first rates
    for (std::uint32_t k = 0; k < order_.size(); ++k) order_[k] = k;
    if (options.optimiser == NceOptions::Optimiser::kAdaGrad)
      squares_.assign(parameters.theta.size(), kFirstSquare);
  }

  /// Returns J as met on the way, each set scored before its own step; nothing if the budget was
  /// spent before the end.
  std::optional<double> pass() {
    if (budget_.spent()) return std::nullopt;
    random_.shuffle(std::span(order_));
    const bool adaptive = !squares_.empty();
    double sum = 0;
    const double step = step_;
    for (const auto k : order_) {
      if (ticks_.spent()) return std::nullopt;
      const auto set = sample_.sets[k];
      const double log_odds = score(parameters_, set, scored_) - sample_.log_weight[k];
      const bool observed = sample_.is_observed(k);
      sum -= softplus(observed ? -log_odds : log_odds);
      const double excess = (observed ? 1 : 0) - sigmoid(log_odds);
      if (adaptive) {
        const double square = excess * excess;
        for_each_partial(parameters_, set, scored_,
                         [&](Index first, std::span<const double> partials) {
                           double* const squares = squares_.data() + first;
                           double* const entries = parameters_.theta.data() + first;
                           bool low = false;
                           for (Index c = 0; c < partials.size(); ++c) {
                             squares[c] += square * std::abs(partials[c]);
                             entries[c] += step / std::sqrt(squares[c]) * excess * partials[c];
                             low |= entries[c] <= 0;
                           }
                           if (low) keep_weights(first, partials);
                         });
      } else {
        const double rate = step * std::pow(static_cast<double>(++steps_), -kDecay);
        for_each_partial(parameters_, set, scored_,
                         [&](Index first, std::span<const double> partials) {
                           double* const entries = parameters_.theta.data() + first;
                           for (Index c = 0; c < partials.size(); ++c)
                             entries[c] += rate * excess * partials[c];
                           keep_weights(first, partials);
                         });
      }
    }
    return sum / static_cast<double>(sample_.observed);
  }

  Index restarts() const { return restarts_; }

 private:
  static constexpr double kDecay = 0.1;  // of plain ascent

  /// Draws those of the entries that moved to 0 or below again.
  void keep_weights(Index first, std::span<const double> partials) {
    if (!parameters_.is_weight(first)) return;
    for (Index c = 0; c < partials.size(); ++c)
      if (double& entry = parameters_.theta[first + c]; entry <= 0 && partials[c] != 0) {
        entry = random_.uniform(0, kFreshWeight);
        ++restarts_;
      }
  }

  Parameters& parameters_;
  const NceSample& sample_;
  double step_;
  Random& random_;
  const Budget& budget_;
  Ticks ticks_;
  std::vector<std::uint32_t> order_;
  std::vector<double> squares_;  // of AdaGrad, by entry; none: plain ascent
  typename Parameters::Scored scored_;
  Index steps_ = 0;
  Index restarts_ = 0;
};

}  // namespace surefield
