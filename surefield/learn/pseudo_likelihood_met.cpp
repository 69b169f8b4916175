// Rows of a pseudo-likelihood by the sets that hold a neighbour, or by all sets where that is less.
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/sigmoid_batch.hpp"
#include "surefield/learn/pseudo_likelihood_row.hpp"

namespace surefield {
namespace {

/// Sum of -times * log q for q in (0, 1]; single times are multiplied up, a logarithm for many.
class LogLosses {
 public:
  void add(double q, double times) {
    if (times != 1) {
      sum_ -= times * std::log(q);
      return;
    }
    product_ *= q;
    if (product_ < 1e-150) flush();
  }
  double value() {
    flush();
    return sum_;
  }

 private:
  void flush() {
    sum_ -= std::log(product_);
    product_ = 1;
  }
  double sum_ = 0, product_ = 1;
};

}  // namespace

double PseudoLikelihood::row(Index i, std::span<const double> theta, double smoothing, Row& now,
                             double& by_bias, double* by_end) const {
  const double bias = theta[i];
  const bool all = all_sets_[i] != 0;
  const std::uint32_t mark = now.next_mark();
  const double* const times = times_.data();
  const std::size_t first = support_->start[i];
  const std::size_t last = support_->start[i + 1];

  // 1. The fields of the sets that are met.
  if (all) {
    now.field.assign(times_.size(), bias);
    double* const field = now.field.data();
    for (std::size_t e = first; e < last; ++e) {
      const double w = theta[items() + support_->pair[e]];
      for (const auto s : holders(support_->neighbour[e])) field[s] += w;
    }
  } else {
    now.field.clear();
    now.met.clear();
    for (std::size_t e = first; e < last; ++e) {
      const double w = theta[items() + support_->pair[e]];
      for (const auto s : holders(support_->neighbour[e])) {
        if (now.stamp[s] != mark) {
          now.stamp[s] = mark;
          now.slot[s] = static_cast<std::uint32_t>(now.field.size());
          now.met.push_back(s);
          now.field.push_back(bias);
        }
        now.field[now.slot[s]] += w;
      }
    }
  }

  // 2. Losses; what is left in `field` are the residuals, times (sigmoid(h) - x_i).
  const Index size = now.field.size();
  now.chance.resize(size);
  double* const field = now.field.data();
  double* const chance = now.chance.data();
  const std::uint32_t* const met = now.met.data();
  for (Index k = 0; k < size; ++k) chance[k] = -field[k];
  sigmoid_batch(now.chance);
  LogLosses losses;
  double far = 0;     // losses whose chance is below what a double can say
  double weight = 0;  // of the sets that are met, and of those among them that hold i
  double slope = 0;
  double agreed = 0;  // sum of times * h_i over sets that hold i
  double holding = 0;
  for (const auto s : holders(i)) {
    if (!all && now.stamp[s] != mark) continue;
    agreed += times[s] * field[all ? s : now.slot[s]];
    holding += times[s];
  }
  for (Index k = 0; k < size; ++k) {
    const double t = times[all ? k : met[k]];
    if (chance[k] > 1e-140)
      losses.add(chance[k], t);
    else
      far += t * softplus(field[k]);
    field[k] = t * (1 - chance[k]);
    slope += field[k];
    weight += t;
  }
  for (const auto s : holders(i))
    if (all || now.stamp[s] == mark) field[all ? s : now.slot[s]] -= times[s];

  // 3. All sets that are not met have h_i = b_i. {i} is met by nothing, unless all sets are taken.
  const double base = sigmoid(bias);
  const double rest = total_ - weight - alone_[i];
  const double rest_holding = count_[i] - holding - alone_[i];
  by_bias = slope - holding + rest * base - rest_holding + smoothing * (2 * base - 1);

  // 4. A coupling moves the fields of the sets that hold its other end.
  for (std::size_t e = first; e < last && by_end != nullptr; ++e) {
    double sum = 0;
    if (all)
      for (const auto s : holders(support_->neighbour[e])) sum += field[s];
    else
      for (const auto s : holders(support_->neighbour[e])) sum += field[now.slot[s]];
    by_end[e - first] = sum;
  }
  return losses.value() + far - agreed + rest * softplus(bias) - rest_holding * bias +
         smoothing * (2 * softplus(bias) - bias);
}

}  // namespace surefield
