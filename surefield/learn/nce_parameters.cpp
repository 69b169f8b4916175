#include "surefield/learn/nce_parameters.hpp"

namespace surefield {

Flid flid_of(const NceParameters& parameters) {
  const auto weights = parameters.theta.begin() + static_cast<std::ptrdiff_t>(parameters.items);
  return make_flid(std::vector(parameters.theta.begin(), weights),
                   std::vector(weights, parameters.theta.end() - 1), parameters.dimensions);
}

}  // namespace surefield
