// Posterior agreement: the evidence lower bound of the product of two posteriors over equal items.
//
//   p(S) ~ exp(beta (F'(S) + F''(S)))                                           PA distribution
//   f(x) = beta (m'(x) + m''(x)) + sum_i H(x_i)                                 PA-ELBO
//        <= log sum_S exp(beta (F'(S) + F''(S)))
//
// DR-submodular where F' and F'' are submodular. A lower bound of the PA objective, which is
// log sum_S p'(S) p''(S), is f minus upper bounds of log Z' and log Z''.
//
// Cost: both states together, plus O(n) for the entropies in value() and gradient().
//
// Y. Bian, J. Buhmann, A. Krause. Optimal Continuous DR-Submodular Maximization and Applications to
// Provable Mean Field Inference. ICML 2019, section on posterior agreement.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

template <MultilinearState S1, MultilinearState S2>
class Agreement {
 public:
  /// Throws Error unless both states stand at the same point and the inverse temperature is finite
  /// and > 0.
  Agreement(S1 first, S2 second, double inverse_temperature = 1)
      : first_(std::move(first)), second_(std::move(second)), beta_(inverse_temperature) {
    require(first_.size() == second_.size(), "agreement: the models have ", first_.size(), " and ",
            second_.size(), " elements, which must be the same");
    require(std::isfinite(beta_) && beta_ > 0, "agreement: the inverse temperature is ", beta_,
            ", which must be finite and > 0");
    for (Index i = 0; i < size(); ++i)
      require(first_.coordinate(i) == second_.coordinate(i), "agreement: coordinate ", i, " is ",
              first_.coordinate(i), " in the first state and ", second_.coordinate(i),
              " in the second, which must be the same");
  }

  Index size() const { return first_.size(); }
  double coordinate(Index i) const { return first_.coordinate(i); }
  EntropyLine line(Index i) const {
    return EntropyLine(beta_ * (first_.partial(i) + second_.partial(i)));
  }
  void set(Index i, double v) {
    first_.set(i, v);
    second_.set(i, v);
  }

  double value() const {
    CompensatedSum sum;
    sum.add(beta_ * first_.value());
    sum.add(beta_ * second_.value());
    for (Index i = 0; i < size(); ++i) sum.add(entropy(coordinate(i)));
    return sum.value();
  }

  void gradient(std::span<double> out) const {
    std::vector<double> other(size());
    first_.gradient(out);
    second_.gradient(other);
    for (Index i = 0; i < size(); ++i)
      out[i] = EntropyLine(beta_ * (out[i] + other[i])).slope(coordinate(i));
  }

  const S1& first() const { return first_; }
  const S2& second() const { return second_; }

 private:
  S1 first_;
  S2 second_;
  double beta_;
};

}  // namespace surefield
