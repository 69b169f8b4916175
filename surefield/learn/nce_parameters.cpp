#include "surefield/learn/nce_parameters.hpp"

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

/// Columns [from, to) of every item's row.
std::vector<double> nce_columns(const NceParameters& parameters, Index from, Index to) {
  std::vector<double> matrix;
  matrix.reserve(parameters.items * (to - from));
  for (Index i = 0; i < parameters.items; ++i)
    for (Index c = from; c < to; ++c)
      matrix.push_back(parameters.theta[parameters.weight_at(i, c)]);
  return matrix;
}

std::vector<double> nce_utility(const NceParameters& parameters) {
  const auto& theta = parameters.theta;
  return {theta.begin(), theta.begin() + static_cast<std::ptrdiff_t>(parameters.items)};
}

}  // namespace

Flid flid_of(const NceParameters& parameters) {
  SUREFIELD_ASSERT(parameters.concepts == 0);
  return make_flid(nce_utility(parameters), nce_columns(parameters, 0, parameters.dimensions),
                   parameters.dimensions);
}

Fldc fldc_of(const NceParameters& parameters) {
  return make_fldc(nce_utility(parameters), nce_columns(parameters, 0, parameters.dimensions),
                   parameters.dimensions,
                   nce_columns(parameters, parameters.dimensions, parameters.columns()),
                   parameters.concepts);
}

}  // namespace surefield
