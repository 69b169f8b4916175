// The ELBO of facility location, FLID or coverage as parts: one a customer, dimension or concept.
//
//   -cost . x + sum_r E max_{i in S, i counts} w_ri     all w_ri = w_c for a concept c
//
// (max_part.hpp). What has one member is linear and goes into the linear term. O(model).
#pragma once

#include <span>

#include "surefield/bounds/elbo/dual_decomposition.hpp"
#include "surefield/bounds/elbo/max_part.hpp"
#include "surefield/models/coverage/coverage.hpp"
#include "surefield/models/facility_location/facility_location.hpp"

namespace surefield {

/// inverse_temperature times the sum of the models, plus the entropy. Throws Error unless there is
/// at least one model, all are of the same size, every benefit is >= 0 and the inverse temperature
/// is finite and > 0.
DualDecomposition<MaxPart> facility_decomposition(std::span<const FacilityLocation* const> models,
                                                  double inverse_temperature = 1);
DualDecomposition<MaxPart> facility_decomposition(const FacilityLocation& model,
                                                  double inverse_temperature = 1);

/// The same for a coverage. Throws Error if a concept where two items meet has a negative weight.
DualDecomposition<MaxPart> coverage_decomposition(const Coverage& model,
                                                  double inverse_temperature = 1);

}  // namespace surefield
