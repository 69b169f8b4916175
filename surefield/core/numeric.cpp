#include "surefield/core/numeric.hpp"

#include <algorithm>

namespace surefield {

double relative_entropy_excess(double r) {
  if (r <= -1) return 1;
  if (r == kInfinity) return kInfinity;
  if (std::abs(r) >= 0.1) return (1 + r) * std::log1p(r) - r;
  // sum_{k>=2} (-r)^k / (k (k-1)): twelve terms reach 1e-16 relative for |r| < 0.1.
  double sum = 0;
  for (int k = 16; k >= 2; --k) sum = sum * -r + 1.0 / (k * (k - 1));
  return sum * r * r;
}

namespace {

// a log(a/b) - a + b >= 0, given step = a - b without rounding of its own.
double excess(double a, double b, double step) {
  if (a == 0) return b;
  if (b == 0) return kInfinity;
  if (std::abs(step) < 0.5 * b) return b * relative_entropy_excess(step / b);
  const double ratio = a / b;  // overflows for subnormal b
  return a * (ratio < kInfinity ? std::log(ratio) : std::log(a) - std::log(b)) - step;
}

// KL from the pair (u, 1 - u) to the pair (p, q) with p <= q: u - p is then accurate relative to p,
// and so are both excesses.
double divergence(double u, double not_u, double p, double q) {
  return excess(u, p, u - p) + excess(not_u, q, p - u);
}

}  // namespace

double bernoulli_divergence(double u, double z) {
  if (z <= 0) return divergence(u, 1 - u, sigmoid(z), sigmoid(-z));
  return divergence(1 - u, u, sigmoid(-z), sigmoid(z));
}

double bernoulli_divergence_of(double u, double p) {
  if (p <= 0.5) return divergence(u, 1 - u, p, 1 - p);
  return divergence(1 - u, u, 1 - p, p);
}

double log_sum_exp(std::span<const double> terms) {
  double high = -kInfinity;
  for (const double term : terms) high = std::max(high, term);
  if (!std::isfinite(high)) return high;
  CompensatedSum sum;
  for (const double term : terms) sum.add(std::exp(term - high));
  return high + std::log(sum.value());
}

}  // namespace surefield
