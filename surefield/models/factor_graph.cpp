#include "surefield/models/factor_graph.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"
#include "surefield/models/gibbs_field/monomial_sum.hpp"

namespace surefield {
namespace {

/// The entry of a table over k variables, bit p of the result being variable k - 1 - p.
Index entry_of(const Factor& factor, Subset chosen) {
  Index entry = 0;
  for (const auto i : factor.variables) entry = 2 * entry + (chosen[i] ? 1 : 0);
  return entry;
}

/// The entries of the table that agree with what is fixed, in order of the table over the free
/// variables.
std::vector<Index> entries_left(const Factor& factor, const Assignment& fixed) {
  std::vector<Index> entries{0};
  for (const auto i : factor.variables) {
    std::vector<Index> next;
    next.reserve(2 * entries.size());
    for (const Index entry : entries)
      for (const std::int8_t v : {std::int8_t{0}, std::int8_t{1}})
        if (fixed[i] == kFree || fixed[i] == v) next.push_back(2 * entry + static_cast<Index>(v));
    entries = std::move(next);
  }
  return entries;
}

/// Fixes what the zeros of the tables imply, until nothing changes.
class Propagation {
 public:
  Propagation(const FactorGraph& graph, const Box& box)
      : graph_(graph), fixed_(graph.variables, kFree) {
    for (Index i = 0; i < graph.variables; ++i)
      if (box[i].is_point() && (box.low[i] == 0 || box.low[i] == 1))
        fixed_[i] = static_cast<std::int8_t>(box.low[i]);
    factors_of_.resize(graph.variables);
    for (Index f = 0; f < graph.factors.size(); ++f) {
      const auto& table = graph.factors[f].log_table;
      if (std::find(table.begin(), table.end(), -kInfinity) == table.end()) continue;
      for (const auto i : graph.factors[f].variables) factors_of_[i].push_back(f);
      waiting_.push_back(f);
    }
    const auto zeros = waiting_;
    while (!waiting_.empty()) {
      const Index f = waiting_.back();
      waiting_.pop_back();
      look_at(f);
    }
    for (const Index f : zeros) require_positive(f);
  }

  const Assignment& fixed() const { return fixed_; }

 private:
  void look_at(Index f) {
    const Factor& factor = graph_.factors[f];
    Index ones = 0;  // bits that are 1 in some entry that is not zero
    Index zeros = 0;
    bool possible = false;
    for (const Index entry : entries_left(factor, fixed_)) {
      if (factor.log_table[entry] == -kInfinity) continue;
      possible = true;
      ones |= entry;
      zeros |= ~entry;
    }
    require(possible, "factor graph: no set is possible: factor ", f,
            " is zero wherever it agrees with the fixed variables");
    for (Index p = 0; p < factor.variables.size(); ++p) {
      const auto i = factor.variables[factor.variables.size() - 1 - p];
      if (fixed_[i] != kFree || ((ones >> p) & (zeros >> p) & 1) != 0) continue;
      fixed_[i] = static_cast<std::int8_t>((ones >> p) & 1);
      for (const Index other : factors_of_[i])
        if (other != f) waiting_.push_back(other);
    }
  }

  void require_positive(Index f) const {
    const Factor& factor = graph_.factors[f];
    for (const Index entry : entries_left(factor, fixed_))
      require(
          factor.log_table[entry] != -kInfinity, "factor graph: factor ", f, " is zero at entry ",
          entry,
          ", which no fixed variable rules out; only positive tables can be written as a field");
  }

  const FactorGraph& graph_;
  Assignment fixed_;
  std::vector<std::vector<Index>> factors_of_;  // those with a zero entry
  std::vector<Index> waiting_;
};

/// In place: the value of every entry becomes the coefficient of its set of variables.
void moebius_transform(std::vector<double>& table) {
  for (Index bit = 1; bit < table.size(); bit *= 2)
    for (Index entry = 0; entry < table.size(); ++entry)
      if (entry & bit) table[entry] -= table[entry ^ bit];
}

/// In place: every entry becomes the sum over its subsets.
void zeta_transform(std::vector<double>& table) {
  for (Index bit = 1; bit < table.size(); bit *= 2)
    for (Index entry = 0; entry < table.size(); ++entry)
      if (entry & bit) table[entry] += table[entry ^ bit];
}

/// How far a logarithm may be from that of the number meant: the number was read to half an ulp, u
/// relative and so u in its logarithm, which is itself good to an ulp, 2 u relative. Twice that.
double log_error(double log) { return 2 * kUnitRoundoff * (1 + 2 * std::abs(log)); }

}  // namespace

void require_valid(const FactorGraph& graph) {
  std::vector<Index> seen(graph.variables, 0);  // the last factor that held the variable, plus one
  for (Index f = 0; f < graph.factors.size(); ++f) {
    const auto& [variables, table] = graph.factors[f];
    for (const auto i : variables) {
      require(i < graph.variables, "factor graph: factor ", f, " holds variable ", i,
              ", but there are ", graph.variables);
      require(seen[i] != f + 1, "factor graph: factor ", f, " holds variable ", i, " twice");
      seen[i] = f + 1;
    }
    require(variables.size() <= kLargestFactor, "factor graph: factor ", f, " has ",
            variables.size(), " variables, more than the limit of ", kLargestFactor);
    require(table.size() == Index{1} << variables.size(), "factor graph: factor ", f,
            " has a table of ", table.size(), " entries, which must be ",
            Index{1} << variables.size());
    for (Index entry = 0; entry < table.size(); ++entry)
      require(table[entry] < kInfinity, "factor graph: factor ", f, " has log ", table[entry],
              " at entry ", entry, ", which must be finite or -inf");
  }
}

double evaluate(const FactorGraph& graph, Subset chosen) {
  CompensatedSum sum;
  for (const Factor& factor : graph.factors) {
    const double value = factor.log_table[entry_of(factor, chosen)];
    if (value == -kInfinity) return value;
    sum.add(value);
  }
  return sum.value();
}

Factor restricted(const Factor& factor, const Assignment& fixed) {
  Factor result;
  for (const auto i : factor.variables)
    if (fixed[i] == kFree) result.variables.push_back(i);
  if (result.variables.size() == factor.variables.size()) return factor;
  for (const Index entry : entries_left(factor, fixed))
    result.log_table.push_back(factor.log_table[entry]);
  return result;
}

Field field_of(const FactorGraph& graph, const Box* evidence) {
  require_valid(graph);
  const Index n = graph.variables;
  Box box = evidence != nullptr ? *evidence : unit_box(n);
  require_inside_unit(box, n);
  const Propagation propagation(graph, box);
  const Assignment& fixed = propagation.fixed();
  for (Index i = 0; i < n; ++i) {
    if (fixed[i] == kFree) continue;
    require(box[i].contains(fixed[i]), "factor graph: variable ", i, " must be ", fixed[i],
            " by the zeros of the factors, but the evidence has it in [", box.low[i], ", ",
            box.high[i], "]");
    box.fix(i, fixed[i]);
  }

  // A coefficient of k variables is a sum of 2^k logarithms, each subtracted k times at most: off
  // by gamma_k of their sizes, and by their own errors. The latter do not add up again where F is
  // put together from its coefficients: at any set it has the error of one entry a table.
  MonomialSum sum;
  double of_logs = 0;
  std::vector<std::uint32_t> variables;
  std::vector<double> sizes;
  std::vector<double> errors;
  for (const Factor& whole : graph.factors) {
    Factor factor = restricted(whole, fixed);
    sizes.resize(factor.log_table.size());
    errors.resize(sizes.size());
    for (Index entry = 0; entry < sizes.size(); ++entry) {
      sizes[entry] = std::abs(factor.log_table[entry]);
      errors[entry] = log_error(sizes[entry]);
    }
    of_logs += *std::ranges::max_element(errors);
    zeta_transform(sizes);
    zeta_transform(errors);
    moebius_transform(factor.log_table);
    const Index k = factor.variables.size();
    for (Index entry = 0; entry < factor.log_table.size(); ++entry) {
      variables.clear();
      for (Index p = 0; p < k; ++p)
        if ((entry >> (k - 1 - p)) & 1) variables.push_back(factor.variables[p]);
      std::sort(variables.begin(), variables.end());
      const double roundings = static_cast<double>(variables.size());
      sum.add(variables, factor.log_table[entry], gamma_of(roundings) * sizes[entry],
              variables.size() < 2 ? 0 : errors[entry]);
    }
  }
  auto polynomial = sum.polynomial(n);
  const double inherited = (polynomial.inherited + of_logs) * (1 + 0x1p-20);
  if (polynomial.is_pairwise()) {
    auto model =
        make_pairwise_field(std::move(polynomial.bias), polynomial.edges(), polynomial.constant);
    model.inherited_error = inherited;
    return {std::move(model), std::move(box)};
  }
  auto model = make_gibbs_field(std::move(polynomial.bias), polynomial.terms, polynomial.constant);
  model.inherited_error = inherited;
  remove_attraction_within(model, polynomial.noise);
  return {std::move(model), std::move(box)};
}

double magnitude_of(const FactorGraph& graph) {
  double magnitude = 0;
  for (const Factor& factor : graph.factors) {
    double largest = 0;
    for (const double entry : factor.log_table)
      if (std::isfinite(entry)) largest = std::max(largest, std::abs(entry));
    magnitude += largest;
  }
  return magnitude;
}

}  // namespace surefield
