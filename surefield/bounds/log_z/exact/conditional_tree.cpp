#include "surefield/bounds/log_z/exact/conditional_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/exact/term_tables.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kNoMass = 1e-250;

/// Adds up the bits of a table that are not in the mask: what is left is over those that are.
void sum_to(std::uint32_t mask, Index bits, std::vector<double>& table) {
  for (Index b = bits; b-- > 0;) {
    if ((mask >> b & 1) != 0) continue;
    const std::size_t half = std::size_t{1} << b, size = table.size();
    std::size_t to = 0;
    for (std::size_t from = 0; from < size; from += 2 * half, to += half)
      for (std::size_t k = 0; k < half; ++k)
        table[to + k] = table[from + k] + table[from + half + k];
    table.resize(to);
  }
}

/// Multiplies a table by one over the bits of the mask.
void multiply_by(std::span<const double> factor, std::uint32_t mask, Index bits,
                 std::vector<double>& table) {
  // The bits below the lowest one that is not in the mask go along.
  const auto run = static_cast<Index>(std::countr_one(mask));
  if (run >= bits) {
    for (std::size_t z = 0; z < table.size(); ++z) table[z] *= factor[z];
    return;
  }
  const std::size_t length = std::size_t{1} << run;
  for (std::size_t z = 0; z < table.size(); z += length) {
    std::size_t y = 0, at = 0;
    for (Index b = 0; b < bits; ++b)
      if ((mask >> b & 1) != 0) y |= (z >> b & 1) << at++;
    for (std::size_t k = 0; k < length; ++k) table[z + k] *= factor[y + k];
  }
}

}  // namespace

double ConditionalTree::error_of(const FactorGraph& graph, const AnyModel& model, double beta) {
  // Messages are 0 at most, and no lower than minus twice the factors below. A step adds up factors and messages, sums its variable out and
  // takes a sigmoid.
  double magnitude = 0;
  for (const Factor& factor : graph.factors) {
    double largest = 0;
    for (const double entry : factor.log_table) largest = std::max(largest, std::abs(entry));
    magnitude += std::abs(beta) * largest;
  }
  const auto n = static_cast<double>(graph.variables);
  const double roundings = 12 * n + static_cast<double>(graph.factors.size()) + 8;
  return 2 * gamma_of(roundings) * (1 + n + 2 * magnitude) +
         2 * model.facts().times(std::abs(beta)).value_error;
}

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

ConditionalTree::Asker::Asker(const ConditionalTree& tree)
    : tree_(&tree),
      value_(tree.order_.order.size(), kFree),
      change_at_(tree.order_.order.size(), kNone) {}

auto ConditionalTree::Asker::fresh_change(std::uint32_t step) -> Change& {
  if (used_ == changes_.size()) changes_.push_back(std::make_unique<Change>());
  change_at_[step] = static_cast<std::uint32_t>(used_++);
  Change& fresh = *changes_[change_at_[step]];
  fresh.step = step;
  fresh.below = fresh.moved = false;
  waiting_.push_back(step);
  return fresh;
}

/// The product of a step begins as its conditional, without what contradicts the condition.
void ConditionalTree::Asker::enter(std::uint32_t step) {
  if (change_at_[step] != kNone) return;
  Change& now = fresh_change(step);
  std::ranges::push_heap(waiting_, std::greater{});
  now.below = true;
  const auto chance = tree_->chance(step);
  now.product.resize(2 * chance.size());
  for (std::size_t y = 0; y < chance.size(); ++y) {
    now.product[2 * y] = value_[step] == 1 ? 0 : 1 - chance[y];
    now.product[2 * y + 1] = value_[step] == 0 ? 0 : chance[y];
  }
}

bool ConditionalTree::Asker::up(std::span<const Condition> condition) {
  for (const auto& [item, in] : condition) {
    if (tree_->fixed_[item] != kFree) {
      if (tree_->fixed_[item] != (in ? 1 : 0)) return false;
      continue;
    }
    value_[tree_->step_[item]] = in ? 1 : 0;
  }
  for (const auto& [item, in] : condition)
    if (tree_->fixed_[item] == kFree) enter(tree_->step_[item]);
  while (!waiting_.empty()) {  // children before parents
    std::ranges::pop_heap(waiting_, std::greater{});
    const auto s = waiting_.back();
    waiting_.pop_back();
    Change& now = *changes_[change_at_[s]];
    now.likely.resize(now.product.size() / 2);
    double low = kInfinity, high = 0;
    for (std::size_t y = 0; y < now.likely.size(); ++y) {
      now.likely[y] = now.product[2 * y] + now.product[2 * y + 1];
      low = std::min(low, now.likely[y]);
      high = std::max(high, now.likely[y]);
    }
    if (!(high > kNoMass)) return false;
    for (double& entry : now.product)
      entry /= high;  // so that baskets of many items do not underflow
    for (double& entry : now.likely) entry /= high;
    const auto p = tree_->parent_[s];
    if (p == kNone || high - low <= tree_->tolerance_ * high) continue;
    enter(p);
    multiply_by(now.likely, tree_->inside_[s], tree_->bits(p) + 1,
                changes_[change_at_[p]]->product);
  }
  return true;
}

void ConditionalTree::Asker::down(std::span<double> marginals) {
  for (Index k = 0; k < used_; ++k) waiting_.push_back(changes_[k]->step);
  std::ranges::make_heap(waiting_);
  while (!waiting_.empty()) {  // parents before children
    std::ranges::pop_heap(waiting_);
    const auto s = waiting_.back();
    waiting_.pop_back();
    ++visited_;
    Change& now = *changes_[change_at_[s]];
    const auto chance = tree_->chance(s);
    if (!now.moved) {  // nothing above moves but by what is below: all of it by a constant factor
      now.above.assign(tree_->above(s).begin(), tree_->above(s).end());
      double total = 0;
      for (std::size_t y = 0; y < now.above.size(); ++y) total += now.above[y] *= now.likely[y];
      for (double& entry : now.above) entry /= total;
    }
    table_.resize(2 * now.above.size());
    double in = 0;
    for (std::size_t y = 0; y < now.above.size(); ++y) {
      const double on =
          now.below ? (now.likely[y] > 0 ? now.product[2 * y + 1] / now.likely[y] : 0) : chance[y];
      table_[2 * y + 1] = now.above[y] * on;
      table_[2 * y] = now.above[y] - table_[2 * y + 1];
      in += table_[2 * y + 1];
    }
    marginals[tree_->order_.order[s]] = std::min(in, 1.0);
    std::uint32_t last = 0;
    for (const auto c : tree_->children(s)) {
      if (last != tree_->inside_[c]) {  // children of the same neighbours share their distribution
        other_ = table_;
        sum_to(tree_->inside_[c], tree_->bits(s) + 1, other_);
        last = tree_->inside_[c];
      }
      if (change_at_[c] == kNone) {
        const auto before = tree_->above(c);
        double apart = 0;
        for (std::size_t y = 0; y < other_.size(); ++y) apart += std::abs(other_[y] - before[y]);
        if (apart <= 2 * tree_->tolerance_) continue;
        if (tree_->children(c).empty()) {  // a leaf needs no table
          ++visited_;
          const auto of = tree_->chance(c);
          double sum = 0;
          for (std::size_t y = 0; y < other_.size(); ++y) sum += other_[y] * of[y];
          marginals[tree_->order_.order[c]] = std::min(sum, 1.0);
          continue;
        }
        fresh_change(c);
        std::ranges::push_heap(waiting_);
      }
      Change& child = *changes_[change_at_[c]];
      child.moved = true;
      child.above = other_;
    }
  }
}

bool ConditionalTree::Asker::operator()(std::span<const Condition> condition,
                                        std::span<double> marginals) {
  std::ranges::copy(tree_->marginal_, marginals.begin());
  visited_ = 0;
  const bool possible = up(condition);
  if (possible) down(marginals);
  waiting_.clear();
  for (Index k = 0; k < used_; ++k) change_at_[changes_[k]->step] = kNone;
  used_ = 0;
  for (const auto& [item, in] : condition)
    if (tree_->step_[item] != kNone) value_[tree_->step_[item]] = kFree;
  return possible;
}

}  // namespace surefield
