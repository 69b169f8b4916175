// What rounding does to a hypergraph cut.
//
// The factors of T_e are 1 - x_i, rounded once, those of H_e are x_i: with t nodes in the tail and
// h in the head T_e is off by gamma_{4t}, H_e by gamma_{3h} (rounding_count.hpp), both by one
// division more without a factor. They and what is made of them, 1 - T, 1 - H, (1 - T)(1 - H), 1 -
// T - H, lie in [-1, 1], so errors add up: gamma_{4t + 3h + 4} |w_e| in a value, and with D entries
// of an item the same with D + 1 more in its gain, where every entry is one addition. Sets add
// weights alone.
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {

Facts facts_of(const HypergraphCut& model) {
  SizeSum magnitude;
  SizeSum value_error;
  const auto of_products = [&](Index e) {
    const Hyperedge& edge = model.hyperedges[e];
    return 4 * static_cast<double>(edge.tail.size()) + 3 * static_cast<double>(edge.head.size()) +
           4;
  };
  for (Index e = 0; e < model.hyperedges.size(); ++e) {
    magnitude.add(model.hyperedges[e].weight);
    value_error.add(roundings(of_products(e)) * model.hyperedges[e].weight);
  }
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    magnitude.add(model.bias[i]);
    value_error.add(roundings(1) * model.bias[i]);
    const auto tails = model.tails.of_item(i);
    const auto heads = model.heads.of_item(i);
    const auto count = static_cast<double>(tails.size() + heads.size());
    SizeSum error;
    error.add(roundings(count) * model.bias[i]);
    for (const auto& entries : {tails, heads})
      for (const Entry& entry : entries)
        error.add(roundings(of_products(entry.index) + count + 1) *
                  model.hyperedges[entry.index].weight);
    error.add((2 * count + 1) * kTiniest);
    gains.add(error.value());
  }
  const auto terms = static_cast<double>(model.size() + model.hyperedges.size());
  return facts_of_sum(terms, 2 * terms, magnitude, value_error, gains,
                      submodularity_violation(model));
}

}  // namespace surefield
