#include "surefield/learn/held_out.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {
namespace {

constexpr Index kBlock = 256;  // sets a task

double empty_value(const AnyModel& model) {
  return evaluate(model, std::vector<std::uint8_t>(size_of(model), 0));
}

/// log(e^a - e^b); -infinity where a <= b.
double log_difference(double a, double b) {
  return a > b ? a + std::log(-std::expm1(b - a)) : -kInfinity;
}

}  // namespace

std::vector<double> values_of(const AnyModel& model, const SetCollection& data, unsigned threads) {
  const Index n = size_of(model);
  require(data.items == n, "held-out sets: they are of ", data.items, " items, the model of ", n,
          ", which must be the same");
  std::vector<double> values(data.sets.size());
  for_each_index((values.size() + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    std::vector<std::uint8_t> chosen(n, 0);
    const Index end = std::min(values.size(), (block + 1) * kBlock);
    for (Index k = block * kBlock; k < end; ++k) {
      for (const std::uint32_t i : data.sets[k]) {
        require(i < n, "held-out sets: set ", k, " holds item ", i, ", which must be below ", n);
        chosen[i] = 1;
      }
      values[k] = evaluate(model, chosen);
      require(std::isfinite(values[k]), "held-out sets: set ", k, " has F = ", values[k],
              ", which must be finite");
      for (const std::uint32_t i : data.sets[k]) chosen[i] = 0;
    }
  });
  return values;
}

Interval log_z_of_non_empty_sets(const AnyModel& model, Interval log_z) {
  const Index n = size_of(model);
  require(n > 0,
          "held-out likelihood: the model has no items, so there is no set but the empty one");
  std::vector<double> single(n);
  std::vector<std::uint8_t> chosen(n, 0);
  for (Index i = 0; i < n; ++i) {
    chosen[i] = 1;
    single[i] = evaluate(model, chosen);
    chosen[i] = 0;
  }
  const double empty = empty_value(model);
  const double singles = log_sum_exp(single);
  const double low = std::max(log_difference(log_z.low, empty), singles);
  return {low, std::max(low, log_difference(log_z.high, empty))};
}

std::vector<double> marginals_given_non_empty(const AnyModel& model,
                                              std::span<const double> marginals, Interval log_z) {
  const Interval rest = log_z_of_non_empty_sets(model, log_z);
  const double factor = std::exp((log_z.low + log_z.high) / 2 - (rest.low + rest.high) / 2);
  std::vector<double> given(marginals.begin(), marginals.end());
  for (double& p : given) p = std::min(1.0, p * factor);
  return given;
}

HeldOutLikelihood held_out_likelihood(const AnyModel& model, const SetCollection& data,
                                      Interval log_z, Support support, unsigned threads) {
  require(std::isfinite(log_z.low) && std::isfinite(log_z.high) && log_z.low <= log_z.high,
          "held-out likelihood: log Z is given as [", log_z.low, ", ", log_z.high,
          "], which must be a bounded interval");
  std::vector<double> values = values_of(model, data, threads);
  HeldOutLikelihood result{
      .support = support, .value = {}, .log_normaliser = log_z, .empty_sets_left_out = 0};
  if (support == Support::kNonEmptySets) {
    result.log_normaliser = log_z_of_non_empty_sets(model, log_z);
    Index kept = 0;
    for (Index k = 0; k < values.size(); ++k)
      if (!data.sets[k].empty()) values[kept++] = values[k];
    result.empty_sets_left_out = values.size() - kept;
    values.resize(kept);
  }
  require(!values.empty(), "held-out likelihood: there is no ",
          support == Support::kNonEmptySets ? "non-empty " : "", "set to judge by");
  result.value = mean_of(values);
  return result;
}

}  // namespace surefield
