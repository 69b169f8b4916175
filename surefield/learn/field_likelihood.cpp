#include "surefield/learn/field_likelihood.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/learn/pair_gains.hpp"

namespace surefield {

FieldLikelihood::FieldLikelihood(const DistinctSets& sets, const PairSupport& support,
                                 double smoothing, bool given_non_empty, Index limit)
    : smoothing_(smoothing),
      given_non_empty_(given_non_empty),
      count_(support.items(), 0.0),
      met_(times_met(sets, support)) {
  const Index n = support.items();
  for (Index k = 0; k < sets.sets.size(); ++k) {
    if (given_non_empty && sets.sets[k].empty()) continue;
    total_ += sets.times[k];
    for (const auto i : sets.sets[k]) count_[i] += sets.times[k];
  }
  graph_.variables = n;
  for (std::uint32_t i = 0; i < n; ++i) graph_.factors.push_back({{i}, {0, 0}});
  graph_.factors.resize(parameters());
  for (std::uint32_t i = 0; i < n; ++i)
    for (auto e = support.start[i]; e < support.start[i + 1]; ++e)
      if (support.neighbour[e] > i)
        graph_.factors[n + support.pair[e]] = {{i, support.neighbour[e]}, {0, 0, 0, 0}};
  order_ = elimination_order(graph_, nullptr, {.limit = limit});
  require(order_.complete && order_.width <= limit, "thin: the tables would be over ", order_.width,
          " items, more than the limit of ", limit);
}

double FieldLikelihood::operations() const {
  // 10^4 items with 16,920 couplings: 0.079 s an evaluation, a release build on a busy machine.
  constexpr double kTable = 2000, kEntry = 10;
  std::vector<double> tables(order_.order.size(), 1.0);  // that meet where an item is summed out
  std::vector<std::uint32_t> step(count_.size());
  for (std::uint32_t s = 0; s < order_.order.size(); ++s) {
    step[order_.order[s]] = s;
    if (!order_.later[s].empty()) ++tables[order_.later[s][0]];
  }
  for (Index k = count_.size(); k < graph_.factors.size(); ++k) {
    const auto& ends = graph_.factors[k].variables;
    ++tables[std::min(step[ends[0]], step[ends[1]])];
  }
  double sum = 0;
  for (Index s = 0; s < tables.size(); ++s)
    sum += tables[s] * (kTable + std::ldexp(kEntry, static_cast<int>(order_.later[s].size())));
  return sum;
}

double FieldLikelihood::operator()(std::span<const double> theta, std::span<double> gradient,
                                   double penalty, const Budget& budget) {
  const Index n = count_.size();
  if (budget.spent()) return std::nan("");
  for (Index k = 0; k < theta.size(); ++k) graph_.factors[k].log_table.back() = theta[k];
  const Elimination found =
      eliminate(graph_, nullptr, {.limit = order_.width, .order = &order_, .together = true});
  // Z - 1 over Z: the chance that a set is not empty.
  const double chance = given_non_empty_ ? -std::expm1(-found.log_z) : 1;
  double value = total_ * (found.log_z + std::log(chance));
  for (Index k = 0; k < theta.size(); ++k) {
    const double seen = k < n ? count_[k] : met_[k - n];
    value -= seen * theta[k];
    gradient[k] = total_ * found.together[k] / chance - seen;
    if (k < n) {
      value += smoothing_ * (2 * softplus(theta[k]) - theta[k]);
      gradient[k] += smoothing_ * (2 * sigmoid(theta[k]) - 1);
    } else {
      value += penalty / 2 * theta[k] * theta[k];
      gradient[k] += penalty * theta[k];
    }
  }
  return value;
}

}  // namespace surefield
