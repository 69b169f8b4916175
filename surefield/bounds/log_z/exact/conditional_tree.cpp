#include "surefield/bounds/log_z/exact/conditional_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/exact/table_bits.hpp"
#include "surefield/bounds/log_z/exact/term_tables.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

/// Messages are 0 at most, and no lower than minus twice the factors below. A step adds up factors and messages, sums its variable out and
/// takes a sigmoid.
double error_of(const FactorGraph& graph, const AnyModel& model, double beta) {
  const auto n = static_cast<double>(graph.variables);
  const double roundings = 12 * n + static_cast<double>(graph.factors.size()) + 8;
  return 2 * gamma_of(roundings) * (1 + n + 2 * std::abs(beta) * magnitude_of(graph)) +
         2 * model.facts().times(std::abs(beta)).value_error;
}

}  // namespace

ConditionalTree::ConditionalTree(const AnyModel& model, const Box& box,
                                 const ConditionalTreeOptions& options)
    : tolerance_(options.tolerance) {
  const FactorGraph graph = term_tables(model);
  error_ = error_of(graph, model, options.beta);
  const Index n = graph.variables;
  fixed_.assign(n, kFree);
  for (Index i = 0; i < n; ++i)
    if (box[i].is_point()) fixed_[i] = static_cast<std::int8_t>(box.low[i]);
  order_ = elimination_order(graph, &box, {.limit = options.limit, .budget = options.budget});
  require(order_.complete && order_.width <= options.limit, "conditional tree: needs tables over ",
          order_.width, " variables, more than the limit of ", options.limit);
  const Index steps = order_.order.size();
  start_.assign(steps + 1, 0);
  for (Index s = 0; s < steps; ++s) start_[s + 1] = start_[s] + (std::size_t{1} << bits(s));
  options.budget.require({.operations = 40.0 * static_cast<double>(start_[steps]),
                          .bytes = 40.0 * static_cast<double>(start_[steps])},
                         "conditional tree");
  step_.assign(n, kNone);
  for (std::uint32_t s = 0; s < steps; ++s) step_[order_.order[s]] = s;
  parent_.assign(steps, kNone);
  inside_.assign(steps, 0);
  first_child_.assign(steps + 1, 0);
  for (std::uint32_t s = 0; s < steps; ++s) {
    const auto& later = order_.later[s];
    if (later.empty()) continue;
    const auto p = parent_[s] = later[0];
    ++first_child_[p + 1];
    inside_[s] = 1;
    for (Index k = 1; k < later.size(); ++k) {
      const auto at = std::ranges::lower_bound(order_.later[p], later[k]);
      inside_[s] |= 2U << (at - order_.later[p].begin());
    }
  }
  for (Index s = 0; s < steps; ++s) first_child_[s + 1] += first_child_[s];
  child_.resize(first_child_[steps]);
  auto next = first_child_;
  for (std::uint32_t s = static_cast<std::uint32_t>(steps); s-- > 0;)
    if (parent_[s] != kNone) child_[next[parent_[s]]++] = s;

  // Forward, in logs: the product of a clique, and what is left of it where its variable is summed out.
  std::vector<std::vector<double>> product(steps);
  for (Index s = 0; s < steps; ++s) product[s].assign(std::size_t{2} << bits(s), 0.0);
  const auto add = [&](std::uint32_t s, std::span<const double> logs, auto&& entry_of) {
    for (std::size_t z = 0; z < product[s].size(); ++z) product[s][z] += logs[entry_of(z)];
  };
  for (const Factor& factor : graph.factors) {
    const Factor free = restricted(factor, fixed_);
    if (free.variables.empty()) continue;
    std::uint32_t s = kNone;
    for (const auto i : free.variables) s = std::min(s, step_[i]);
    std::vector<Index> bit;  // of the clique, for every variable, the last one first
    for (auto i = free.variables.rbegin(); i != free.variables.rend(); ++i) {
      const auto t = step_[*i];
      bit.push_back(t == s ? 0
                           : 1 + static_cast<Index>(std::ranges::lower_bound(order_.later[s], t) -
                                                    order_.later[s].begin()));
    }
    std::vector<double> logs = free.log_table;
    for (double& entry : logs) entry *= options.beta;
    add(s, logs, [&](std::size_t z) {
      std::size_t entry = 0;
      for (Index k = 0; k < bit.size(); ++k) entry |= (z >> bit[k] & 1) << k;
      return entry;
    });
  }
  chance_.resize(start_[steps]);
  above_.resize(start_[steps]);
  for (std::uint32_t s = 0; s < steps; ++s) {
    require(!options.budget.spent(), "conditional tree: time ran out");
    const auto& whole = product[s];
    std::vector<double> message(whole.size() / 2);
    for (std::size_t y = 0; y < message.size(); ++y) {
      message[y] = log_add(whole[2 * y], whole[2 * y + 1]);
      const double off = whole[2 * y], on = whole[2 * y + 1];
      chance_[start_[s] + y] = on == -kInfinity ? 0 : sigmoid(on - off);
    }
    const double high = *std::ranges::max_element(message);
    require(high > -kInfinity, "conditional tree: no set is possible");
    if (const auto p = parent_[s]; p != kNone) {
      for (double& entry : message) entry -= high;
      add(p, message, [&](std::size_t z) {
        std::size_t y = 0;
        Index at = 0;
        for (auto mask = inside_[s]; mask != 0; mask &= mask - 1)
          y |= (z >> std::countr_zero(mask) & 1) << at++;
        return y;
      });
    }
    std::vector<double>().swap(product[s]);
  }
  // Backward: the distribution of every clique.
  marginal_.assign(n, 0);
  for (Index i = 0; i < n; ++i)
    if (fixed_[i] != kFree) marginal_[i] = fixed_[i];
  std::vector<double> table;
  for (std::uint32_t s = static_cast<std::uint32_t>(steps); s-- > 0;) {
    if (parent_[s] == kNone) above_[start_[s]] = 1;
    double in = 0;
    for (std::size_t y = 0; y < above(s).size(); ++y) in += above(s)[y] * chance(s)[y];
    marginal_[order_.order[s]] = std::min(in, 1.0);
    if (children(s).empty()) continue;
    std::vector<double> whole(2 * above(s).size());
    for (std::size_t y = 0; y < above(s).size(); ++y) {
      whole[2 * y + 1] = above(s)[y] * chance(s)[y];
      whole[2 * y] = above(s)[y] * (1 - chance(s)[y]);
    }
    for (const auto c : children(s)) {
      table = whole;
      sum_to(inside_[c], bits(s) + 1, table);
      std::ranges::copy(table, above_.begin() + static_cast<std::ptrdiff_t>(start_[c]));
    }
  }
}

void ConditionalTree::draw(Random& random, std::span<std::uint8_t> set) const {
  for (Index i = 0; i < fixed_.size(); ++i)
    if (fixed_[i] != kFree) set[i] = static_cast<std::uint8_t>(fixed_[i]);
  for (auto s = static_cast<std::uint32_t>(order_.order.size()); s-- > 0;) {
    std::size_t y = 0;
    for (Index k = 0; k < order_.later[s].size(); ++k)
      y |= std::size_t{set[order_.order[order_.later[s][k]]]} << k;
    set[order_.order[s]] = random.chance(chance(s)[y]) ? 1 : 0;
  }
}

}  // namespace surefield
