#include "surefield/models/fldc/fldc.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/error.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

void require_matrix(Index items, std::size_t numbers, Index columns, std::string_view what,
                    std::string_view column) {
  const bool fits = items == 0 || columns == 0 ? numbers == 0
                                               : numbers % items == 0 && numbers / items == columns;
  require(fits, "fldc: there are ", numbers, " ", what, ", which must be one for each of ", items,
          " items in each of ", columns, " ", column);
}

/// One customer a column, every item listed.
std::vector<std::vector<Entry>> columns_of(std::span<const double> matrix, Index items,
                                           Index columns) {
  std::vector<std::vector<Entry>> customers(items == 0 ? 0 : columns);
  for (Index c = 0; c < customers.size(); ++c)
    for (std::uint32_t i = 0; i < items; ++i) customers[c].push_back({i, matrix[i * columns + c]});
  return customers;
}

}  // namespace

double Fldc::evaluate(Subset chosen) const {
  CompensatedSum sum;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) sum.add(utility[i]);
  const auto add = [&](const std::vector<double>& matrix, Index columns, double sign) {
    for (Index c = 0; c < columns; ++c) {
      double best = -kInfinity;
      for (Index i = 0; i < size(); ++i) {
        if (!chosen[i]) continue;
        best = std::max(best, matrix[i * columns + c]);
        sum.add(-sign * matrix[i * columns + c]);
      }
      if (best > -kInfinity) sum.add(sign * best);
    }
  };
  add(weights, dimensions, 1);
  add(coherence, concepts, -1);
  return sum.value();
}

Fldc::State Fldc::at(std::span<const double> x) const& { return {*this, x}; }
Fldc::Set Fldc::empty_set() const& { return Set(*this); }

void Fldc::State::gradient(std::span<double> out) const {
  std::vector<double> taken(size());
  added_.gradient(out);
  taken_.gradient(taken);
  for (Index i = 0; i < size(); ++i) out[i] -= taken[i];
}

void Fldc::show_terms(TermVisitor& visitor, double weight) const {
  best_weight.show_terms(visitor, weight);
  for (Index e = 0; e < best_coherence.forest.lists(); ++e)
    visitor.best(best_coherence.forest.of_list(e), -weight);
}

Fldc make_fldc(std::vector<double> utility, std::vector<double> weights, Index dimensions,
               std::vector<double> coherence, Index concepts) {
  const Index n = utility.size();
  require_matrix(n, weights.size(), dimensions, "weights", "dimensions");
  require_matrix(n, coherence.size(), concepts, "coherences", "concepts");
  double total = 0;
  std::vector<double> cost(n);
  for (Index i = 0; i < n; ++i) {
    require(std::isfinite(utility[i]), "fldc: item ", i, " has utility ", utility[i],
            ", which must be finite");
    total += std::abs(utility[i]);
    ExactSum sum;
    sum.add(-utility[i]);
    for (Index d = 0; d < dimensions; ++d) {
      const double weight = weights[i * dimensions + d];
      require(std::isfinite(weight), "fldc: item ", i, " has weight ", weight, " in dimension ", d,
              ", which must be finite");
      total += 2 * std::abs(weight);  // once as a benefit, once in the cost
      sum.add(weight);
    }
    for (Index e = 0; e < concepts; ++e) {
      const double together = coherence[i * concepts + e];
      require(std::isfinite(together), "fldc: item ", i, " has coherence ", together,
              " in concept ", e, ", which must be finite");
      total += 2 * std::abs(together);
      sum.add(-together);
    }
    require(std::isfinite(total),
            "fldc: the sizes of all utilities, weights and coherences add up to ", total,
            ", which must be finite");
    cost[i] = sum.value();
  }
  Fldc model{.dimensions = dimensions,
             .concepts = concepts,
             .utility = std::move(utility),
             .weights = std::move(weights),
             .coherence = std::move(coherence),
             .best_weight = {},
             .best_coherence = {}};
  model.best_weight =
      make_facility_location(std::move(cost), columns_of(model.weights, n, dimensions));
  model.best_coherence =
      make_facility_location(std::vector<double>(n, 0), columns_of(model.coherence, n, concepts));
  return model;
}

std::optional<std::string> submodularity_violation(const Fldc& model) {
  if (model.size() < 2) return std::nullopt;
  for (Index i = 0; i < model.size(); ++i) {
    for (Index d = 0; d < model.dimensions; ++d)
      if (model.weight(i, d) < 0)
        return message("item ", i, " has weight ", model.weight(i, d), " in dimension ", d,
                       ", which must be >= 0 (the best of no item is 0)");
    for (Index e = 0; e < model.concepts; ++e)
      if (model.together(i, e) < 0)
        return message("item ", i, " has coherence ", model.together(i, e), " in concept ", e,
                       ", which must be >= 0 (the best of no item is 0)");
  }
  for (Index e = 0; e < model.concepts; ++e) {
    Index first = model.size();
    for (Index i = 0; i < model.size(); ++i) {
      if (model.together(i, e) == 0) continue;
      if (first < model.size())
        return message("items ", first, " and ", i, " have coherence ", model.together(first, e),
                       " and ", model.together(i, e), " in concept ", e,
                       ": they may add more together than by themselves");
      first = i;
    }
  }
  return std::nullopt;
}

}  // namespace surefield
