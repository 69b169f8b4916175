// What rounding does to a Gibbs field.
//
// The product of a monomial A of k variables is off by gamma_{3k} (rounding_count.hpp; coordinates
// are factors as they are), by one division more without one of them. With D monomials at item i:
//   Set::gain       D additions of coefficients
//   State::partial  a product and D additions: gamma_{3k + 2 + D} |coefficient_A| each
//   State::value    gamma_{3k + 1} |coefficient_A|, then one compensated sum
//   evaluate        one compensated sum
// Every number may be a rounded one itself, up to three times: a sum of terms over the same
// variables, a flip, times an inverse temperature. All three are exact but for one rounding.
#include <algorithm>

#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {
namespace {

constexpr double kProductRoundings = 3;

}  // namespace

Facts facts_of(const GibbsField& model) {
  SizeSum magnitude;
  SizeSum value_error;
  magnitude.add(model.constant);
  value_error.add(roundings(kProductRoundings) * model.constant);
  std::size_t most = 1;
  for (Index a = 0; a < model.coefficient.size(); ++a) {
    const std::size_t k = model.monomials.of_group(a).size();
    most = std::max(most, k);
    magnitude.add(model.coefficient[a]);
    value_error.add(roundings(3 * static_cast<double>(k) + 1 + kProductRoundings) *
                    model.coefficient[a]);
  }
  GainErrors gains;
  for (Index i = 0; i < model.size(); ++i) {
    magnitude.add(model.bias[i]);
    value_error.add(roundings(1 + kProductRoundings) * model.bias[i]);
    const auto monomials = model.monomials.of_item(i);
    const auto count = static_cast<double>(monomials.size());
    SizeSum error;
    error.add(roundings(count + kProductRoundings) * model.bias[i]);
    for (const Entry& entry : monomials) {
      const auto k = static_cast<double>(model.monomials.of_group(entry.index).size());
      error.add(roundings(3 * k + 2 + count + kProductRoundings) * model.coefficient[entry.index]);
    }
    error.add((2 * count + 1) * kTiniest);
    gains.add(error.value());
  }
  const auto terms = static_cast<double>(1 + model.size() + model.coefficient.size());
  Facts facts =
      facts_of_sum(terms, 2 * terms, magnitude, value_error, gains, submodularity_violation(model));
  inherit(facts, model.inherited_error, model.size(), most);
  return facts;
}

}  // namespace surefield
