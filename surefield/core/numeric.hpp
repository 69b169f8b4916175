// The functions of one variable that inference is made of, accurate where the textbook form is not.
//
//   sigmoid(z)  = 1 / (1 + e^-z)            softplus(z) = log(1 + e^z)
//   logit(u)    = log(u / (1 - u))          entropy(u)  = -u log u - (1-u) log(1-u)
//   divergence  = KL(Bernoulli u || Bernoulli p)
//
// All are total on their closed domain: sigmoid and softplus take +-infinity, logit(0) = -infinity,
// entropy(0) = 0.
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace surefield {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline double sigmoid(double z) {
  if (z >= 0) return 1 / (1 + std::exp(-z));
  const double e = std::exp(z);  // for z < 0, so that a tiny result keeps its relative accuracy
  return e / (1 + e);
}

inline double softplus(double z) {
  return z > 0 ? z + std::log1p(std::exp(-z)) : std::log1p(std::exp(z));
}

inline double logit(double u) {
  // Around 1/2 the two logs cancel; 2u - 1 is exact there.
  if (u > 0.25 && u < 0.75) return std::log1p((2 * u - 1) / (1 - u));
  return std::log(u) - std::log1p(-u);
}

/// x log x with its limit 0 at 0.
inline double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0; }

inline double entropy(double u) {
  // (1-u) log(1-u) through log1p: exact to rounding near 0, where 1 - u is not.
  return (u > 0 ? -u * std::log(u) : 0) + (u < 1 ? -(1 - u) * std::log1p(-u) : 0);
}

/// phi(r) = (1 + r) log(1 + r) - r for r >= -1: non-negative, r^2/2 near 0, without cancellation.
double relative_entropy_excess(double r);

/// KL(u || p) for u and p in [0, 1], same accuracy; +infinity where p is 0 or 1 and u is not p.
double bernoulli_divergence_of(double u, double p);

/// KL(u || sigmoid(z)) for u in [0, 1]: non-negative, relative error of a few ulp near its zero,
/// +infinity only if z is infinite on the other side. Taken by its logit z so that both p and 1 - p
/// keep their relative accuracy.
double bernoulli_divergence(double u, double z);

/// log(e^a + e^b); -infinity is a legal argument.
inline double log_add(double a, double b) {
  const double high = a > b ? a : b;
  const double low = a > b ? b : a;
  if (low == -kInfinity || high == kInfinity) return high;
  return high + std::log1p(std::exp(low - high));
}

/// log sum_i e^{terms_i}; -infinity for none.
double log_sum_exp(std::span<const double> terms);

/// Kahan-Babuska-Neumaier compensated sum: error of one rounding, whatever the order.
class CompensatedSum {
 public:
  void add(double term) {
    const double next = sum_ + term;
    lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

}  // namespace surefield
