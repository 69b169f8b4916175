// What rounding does to a pairwise field.
//
// Node i of degree d with s_i = |bias_i| + sum_j |coupling_ij|:
//   Set::gain       d additions: gamma_d s_i
//   State::partial  d products and additions: gamma_{d+1} s_i
//   State::value    x_i (bias_i + (partial - bias_i) / 2): three roundings more, gamma_{d+5} s_i,
//                   then one compensated sum over the nodes
//   evaluate        one compensated sum of all numbers
// A number of the field may be a rounded one itself: of parallel edges, of a flip, times an inverse
// temperature. Each is one rounding: three more for every number.
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

constexpr double kFieldRoundings = 3;

}  // namespace

Facts facts_of(const PairwiseField& model) {
  SizeSum magnitude;
  SizeSum value_error;
  GainErrors gains;
  magnitude.add(model.constant);
  for (Index i = 0; i < model.size(); ++i) {
    SizeSum size;
    size.add(model.bias[i]);
    magnitude.add(model.bias[i]);
    for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e) {
      size.add(model.coupling[e]);
      if (model.neighbour[e] > i) magnitude.add(model.coupling[e]);
    }
    const auto degree = static_cast<double>(model.start[i + 1] - model.start[i]);
    const double underflow = (degree + 2) * kTiniest;
    value_error.add(roundings(degree + 5 + kFieldRoundings) * size.value() + underflow);
    gains.add(roundings(degree + 1 + kFieldRoundings) * size.value() + underflow);
  }
  Facts facts;
  facts.magnitude = magnitude.value();
  const auto terms = static_cast<double>(1 + model.size() + model.coupling.size() / 2);
  value_error.add(compensated_error(terms, facts.magnitude, facts.magnitude));
  value_error.add(roundings(kFieldRoundings) * model.constant);
  facts.value_error = value_error.value();
  gains.write_to(facts);
  inherit(facts, model.inherited_error, model.size(), 2);
  settle(facts, submodularity_violation(model));
  return facts;
}

}  // namespace surefield
