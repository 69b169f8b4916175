// What rounding does to a pairwise field.
//
// Node i of degree d with s_i = |bias_i| + sum_j |coupling_ij|:
//   Set::gain       d additions: gamma_d s_i
//   State::partial  d products and additions: gamma_{d+1} s_i
//   State::value    x_i (bias_i + (partial - bias_i) / 2): three roundings more, gamma_{d+5} s_i,
//                   then a compensated sum of every block of nodes and one exact sum:
//                   at most one rounding of all sizes, and one more
//   evaluate        one compensated sum of all numbers
// A number of the field may be a rounded one itself: of parallel edges, of a flip, times an inverse
// temperature. Each is one rounding: three more for every number.
#include "surefield/models/pairwise_field/field_sizes.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

constexpr double kFieldRoundings = 3;

/// Never below the exact sum of sizes: a block is off by one rounding and the square of its terms, the whole by one.
double rounded_up(const BlockSum& sizes) { return sizes.value() * (1 + roundings(4)); }

}  // namespace

void FieldSizes::add(Index i, double bias, std::span<const double> couplings, Index behind) {
  SizeSum size;
  size.add(bias);
  magnitude.add(i, std::abs(bias));
  for (const double coupling : couplings) size.add(coupling);
  for (const double coupling : couplings.last(behind)) magnitude.add(i, std::abs(coupling));
  const auto degree = static_cast<double>(couplings.size());
  const double underflow = (degree + 2) * kTiniest;
  value_error.add(i, roundings(degree + 5 + kFieldRoundings) * size.value() + underflow);
  const double gain = roundings(degree + 1 + kFieldRoundings) * size.value() + underflow;
  gain_error = std::max(gain_error, gain);
  gain_error_sum.add(i, gain);
}

Facts FieldSizes::facts(double constant, Index nodes, Index edges, double inherited_error,
                        std::optional<std::string> violation) const {
  Facts facts;
  SizeSum all;
  all.add(constant);
  all.add(rounded_up(magnitude));
  facts.magnitude = all.value();
  SizeSum errors;
  errors.add(rounded_up(value_error));
  errors.add(
      compensated_error(static_cast<double>(1 + nodes + edges), facts.magnitude, facts.magnitude));
  errors.add(roundings(kFieldRoundings) * constant);
  facts.value_error = errors.value();
  facts.gain_error = gain_error;
  facts.gain_error_sum = rounded_up(gain_error_sum);
  inherit(facts, inherited_error, nodes, 2);
  settle(facts, std::move(violation));
  return facts;
}

Facts facts_of(const PairwiseField& model) {
  FieldSizes sizes;
  for (Index i = 0; i < model.size(); ++i) {
    const std::size_t first = model.start[i];
    const std::size_t last = model.start[i + 1];
    std::size_t behind = first;
    while (behind < last && model.neighbour[behind] < i) ++behind;
    sizes.add(i, model.bias[i], std::span(model.coupling).subspan(first, last - first),
              last - behind);
  }
  return sizes.facts(model.constant, model.size(), model.coupling.size() / 2, model.inherited_error,
                     submodularity_violation(model));
}

}  // namespace surefield
