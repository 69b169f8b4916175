#include "surefield/bounds/log_z/exact/elimination.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/log_z/exact/clique_table.hpp"
#include "surefield/bounds/log_z/exact/term_tables.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr Index kLargestLimit = 40;

Assignment fixed_by(const Box* box, Index n) {
  Assignment fixed(n, kFree);
  if (box == nullptr) return fixed;
  require_inside_unit(*box, n);
  for (Index i = 0; i < n; ++i) {
    const Interval in = (*box)[i];
    require(is_of_sets(in), "elimination: variable ", i, " has the interval [", in.low, ", ",
            in.high, "], which must be [0, 1], 0 or 1");
    if (in.is_point()) fixed[i] = static_cast<std::int8_t>(in.low);
  }
  return fixed;
}

std::vector<std::uint8_t> skipped(const Assignment& fixed) {
  std::vector<std::uint8_t> skip(fixed.size());
  for (Index i = 0; i < skip.size(); ++i) skip[i] = fixed[i] != kFree;
  return skip;
}

EliminationOrder order_within(Index n, const Scopes& scopes, const Assignment& fixed,
                              const EliminationOptions& options) {
  require(options.limit <= kLargestLimit, "elimination: the limit is ", options.limit,
          ", which must be at most ", kLargestLimit);
  auto order = elimination_order(n, scopes, skipped(fixed), options.limit, options.budget);
  require(order.complete || order.width > options.limit,
          "elimination: found no order with tables over ", options.limit, " variables or fewer");
  require(order.complete, "elimination: needs tables over at least ", order.width,
          " variables, more than the limit of ", options.limit);
  require(order.width <= options.limit, "elimination: needs tables over ", order.width,
          " variables, more than the limit of ", options.limit);
  return order;
}

/// The run itself: the tables of a field, each given to the first of its variables to go.
class Run {
 public:
  Run(const EliminationOrder& order, const Assignment& fixed, const Budget& budget)
      : fixed_(fixed),
        budget_(budget),
        order_(order),
        step_(fixed.size(), 0),
        terms_(order_.order.size()),
        factor_of_(order_.order.size()),
        children_(order_.order.size()),
        messages_(order_.order.size()) {
    for (std::uint32_t s = 0; s < order_.order.size(); ++s) {
      step_[order_.order[s]] = s;
      if (!order_.later[s].empty()) children_[order_.later[s][0]].push_back(s);
    }
  }

  void add_constant(double value) { log_z_.add(value); }
  /// A table of logs over free variables, the last of them varying fastest.
  void add(const Factor& factor) {
    const Index number = factors_++;
    if (factor.variables.empty()) return add_constant(factor.log_table[0]);
    std::vector<std::uint32_t> steps;  // the lowest bit first
    for (auto v = factor.variables.rbegin(); v != factor.variables.rend(); ++v)
      steps.push_back(step_[*v]);
    auto table = clique_table(std::move(steps), factor.log_table);
    const Index first = table.steps[0];
    terms_[first].push_back(std::move(table));
    factor_of_[first].push_back(number);
  }

  Elimination finish(const EliminationOptions& options) {
    Elimination result;
    result.width = order_.width;
    split_into_segments(options);
    const Index last = segment_.empty() ? 0 : segment_.back();
    for (Index s = 0; s < terms_.size(); ++s) {
      forward(s, options.marginals && segment_[s] == last, options.marginals);
      if (order_.later[s].empty()) {  // a table without variables: one number
        log_z_.add(messages_[s].log_scale);
        log_z_.add(messages_[s].log_high);
      }
    }
    result.log_z = log_z_.value();
    if (!options.marginals) return result;
    require(result.log_z > -kInfinity,
            "elimination: no set is possible, so there are no marginals");
    result.marginals.resize(fixed_.size());
    for (Index i = 0; i < fixed_.size(); ++i)
      if (fixed_[i] != kFree) result.marginals[i] = fixed_[i];
    if (options.together) result.together.assign(factors_, 1.0);  // of none: for certain
    joint_.resize(terms_.size());
    for (Index end = terms_.size(); end > 0;) {
      Index begin = end;
      while (begin > 0 && segment_[begin - 1] == segment_[end - 1]) --begin;
      if (segment_[end - 1] != last)
        for (Index s = begin; s < end; ++s) forward(s, true, true);
      for (Index s = end; s-- > begin;) backward(s, result);
      end = begin;
    }
    return result;
  }

 private:
  Index size_of(Index s) const { return Index{1} << order_.later[s].size(); }

  // Marginals need every conditional again, last step first. Where keeping them all would take much
  // memory, the steps are cut into segments: only the messages from one to a later segment are
  // kept, the rest of a segment is computed a second time.
  void split_into_segments(const EliminationOptions& options) {
    segment_.assign(terms_.size(), 0);
    double total = 0;
    double largest = 0;
    for (Index s = 0; s < terms_.size(); ++s) {
      total += static_cast<double>(size_of(s));
      largest = std::max(largest, static_cast<double>(size_of(s)));
    }
    if (!options.marginals || total <= static_cast<double>(options.keep)) return;
    const double share = std::sqrt(total * largest);
    double in_segment = 0;
    for (Index s = 1; s < terms_.size(); ++s) {
      in_segment += static_cast<double>(size_of(s - 1));
      segment_[s] = segment_[s - 1];
      if (in_segment < share) continue;
      ++segment_[s];
      in_segment = 0;
    }
  }

  void forward(Index s, bool with_conditional, bool marginals) {
    require(!budget_.spent(), "elimination: time ran out");
    layouts_.keep_few();
    std::vector<const CliqueTable*> tables;
    for (const auto& table : terms_[s]) tables.push_back(&table);
    for (const Index c : children_[s]) tables.push_back(&messages_[c]);
    auto [message, conditional] = sum_out(order_.later[s], tables, with_conditional, layouts_);
    messages_[s] = std::move(message);
    if (with_conditional) {
      conditional_.resize(terms_.size());
      conditional_[s] = std::move(conditional);
    }
    for (const Index c : children_[s])  // used up, unless a second pass will ask for it
      if (!marginals || segment_[c] == segment_[s]) messages_[c] = {};
  }

  void backward(Index s, Elimination& result) {
    layouts_.keep_few();
    if (order_.later[s].empty()) joint_[s] = {1.0};
    std::vector<Marginal> parts;
    for (const Index c : children_[s]) {
      joint_[c].assign(size_of(c), 0.0);
      parts.push_back({order_.later[c], joint_[c]});
    }
    std::vector<std::vector<double>> of_terms;
    if (!result.together.empty())
      for (const CliqueTable& term : terms_[s])
        of_terms.emplace_back(Index{1} << term.steps.size(), 0.0);
    for (Index t = 0; t < of_terms.size(); ++t) parts.push_back({terms_[s][t].steps, of_terms[t]});
    const double p = spread(order_.later[s], joint_[s], conditional_[s], parts, layouts_);
    result.marginals[order_.order[s]] = std::clamp(p, 0.0, 1.0);
    for (Index t = 0; t < of_terms.size(); ++t)
      result.together[factor_of_[s][t]] = std::clamp(of_terms[t].back(), 0.0, 1.0);
    std::vector<double>().swap(joint_[s]);  // gives the memory back
    std::vector<double>().swap(conditional_[s]);
  }

  const Assignment& fixed_;
  const Budget& budget_;
  const EliminationOrder& order_;
  std::vector<std::uint32_t> step_;              // of every free variable
  std::vector<std::vector<CliqueTable>> terms_;  // per step: the terms of the field that go there
  std::vector<std::vector<Index>> factor_of_;    // their numbers
  Index factors_ = 0;                            // added
  std::vector<std::vector<Index>>
      children_;  // per step: the earlier steps whose message goes there
  std::vector<CliqueTable> messages_;
  std::vector<std::vector<double>> conditional_;  // P(variable = 1 | later)
  std::vector<std::vector<double>> joint_;        // P(later), from the clique it was sent to
  std::vector<Index> segment_;
  CliqueLayouts layouts_;
  CompensatedSum log_z_;
};

Scopes scopes_of(const FactorGraph& graph) {
  Scopes scopes;
  for (const auto& factor : graph.factors) scopes.push_back(factor.variables);
  return scopes;
}

/// A number of a table is a sum of factors and of messages from below, so on its way to the last one
/// it is added to at most once a factor and a variable; summing a variable out subtracts the largest,
/// takes exponentials and a logarithm: five roundings relative to all numbers together.
double error_of_messages(const FactorGraph& graph, double log_z) {
  const auto n = static_cast<double>(graph.variables);
  const double roundings = 6 * n + static_cast<double>(graph.factors.size()) + 8;
  return gamma_of(roundings) * (1 + n + magnitude_of(graph) + std::abs(log_z));
}

}  // namespace

Elimination eliminate(const FactorGraph& given, const Box* box, const EliminationOptions& options) {
  require_valid(given);
  require(std::isfinite(options.beta), "elimination: the inverse temperature is ", options.beta,
          ", which must be finite");
  FactorGraph scaled;
  if (options.beta != 1) {
    scaled = given;
    for (Factor& factor : scaled.factors)
      for (double& entry : factor.log_table) entry *= options.beta;
  }
  const FactorGraph& graph = options.beta != 1 ? scaled : given;
  const Assignment fixed = fixed_by(box, graph.variables);
  require(!options.together || (options.marginals && box == nullptr),
          "elimination: what the items of a factor do together goes with marginals and no box");
  EliminationOrder found;
  if (options.order == nullptr)
    found = order_within(graph.variables, scopes_of(graph), fixed, options);
  const EliminationOrder& order = options.order != nullptr ? *options.order : found;
  double numbers = 0;  // of all tables; those alive together are fewer
  for (const auto& later : order.later)
    numbers += std::ldexp(1.0, static_cast<int>(later.size()) + 1);
  const double alive = std::min(numbers, 6 * std::ldexp(1.0, static_cast<int>(order.width)) +
                                             static_cast<double>(options.keep));
  options.budget.require({.operations = 4 * numbers, .bytes = 8 * alive}, "elimination");
  Run run(order, fixed, options.budget);
  for (const auto& factor : graph.factors)
    box == nullptr ? run.add(factor) : run.add(restricted(factor, fixed));
  Elimination result = run.finish(options);
  result.error = error_of_messages(graph, result.log_z);
  return result;
}

Elimination eliminate(const AnyModel& model, const Box* box, const EliminationOptions& options) {
  Elimination result = eliminate(term_tables(model), box, options);
  result.error += model.facts().times(std::abs(options.beta)).value_error;
  return result;
}

EliminationOrder elimination_order(const FactorGraph& graph, const Box* box,
                                   const EliminationOptions& options) {
  require_valid(graph);
  return elimination_order(graph.variables, scopes_of(graph),
                           skipped(fixed_by(box, graph.variables)), options.limit, options.budget);
}

}  // namespace surefield
