// The ELBO of facility location, FLID or the agreement of several as parts, one a customer or
// dimension.
#pragma once

#include <span>

#include "surefield/certify/dual_decomposition.hpp"
#include "surefield/certify/max_part.hpp"
#include "surefield/models/facility_location.hpp"

namespace surefield {

/// inverse_temperature times the sum of the models, plus the entropy. Throws Error unless there is
/// at least one model, all are of the same size, every benefit is >= 0 and the inverse temperature
/// is finite and > 0.
DualDecomposition<MaxPart> facility_decomposition(std::span<const FacilityLocation* const> models,
                                                  double inverse_temperature = 1);
DualDecomposition<MaxPart> facility_decomposition(const FacilityLocation& model,
                                                  double inverse_temperature = 1);

}  // namespace surefield
