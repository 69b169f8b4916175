#include "surefield/api/agreement.hpp"

#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {
namespace {

/// The terms of a model: its own if it is a sum, else itself.
void add_terms(const AnyModel& model, std::vector<WeightedSum::Term>& terms) {
  std::visit(
      [&](const auto& m) {
        if constexpr (std::is_same_v<std::decay_t<decltype(m)>, WeightedSum>)
          terms.insert(terms.end(), m.terms.begin(), m.terms.end());
        else
          terms.push_back({1, m});
      },
      model);
}

}  // namespace

Problem agreement_problem(const Problem& first, const Problem& second) {
  require(first.size() == second.size(), "agreement: one model has ", first.size(),
          " items, the other ", second.size());
  require(first.items.empty() || second.items.empty() || first.items == second.items,
          "agreement: the two models name their items differently");
  require(
      first.flips.empty() && second.flips.empty(),
      "agreement: a model that must be flipped to be log-submodular cannot be added to another");
  Box box = first.box;
  for (Index i = 0; i < box.size(); ++i) {
    box.low[i] = std::max(box.low[i], second.box.low[i]);
    box.high[i] = std::min(box.high[i], second.box.high[i]);
    require(box.low[i] <= box.high[i], "agreement: item ", i,
            " is left with no value by the two boxes");
  }
  const auto& items = first.items.empty() ? second.items : first.items;
  const ProblemOptions options{.no_guarantee = !first.is_submodular() || !second.is_submodular()};
  const auto* const a = std::get_if<Flid>(&first.model);
  const auto* const b = std::get_if<Flid>(&second.model);
  if (a && b) return make_problem(sum_of(1, *a, 1, *b), items, std::move(box), options);
  std::vector<WeightedSum::Term> terms;
  add_terms(first.model, terms);
  add_terms(second.model, terms);
  return make_problem(make_weighted_sum(first.size(), std::move(terms)), items, std::move(box),
                      options);
}

}  // namespace surefield
