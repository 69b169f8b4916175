// A model whose terms are constants, single items and pairs alone, as a pairwise field.
#pragma once

#include <optional>

#include "surefield/models/any_model.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// The model itself where it is a field or a cut; nothing where another term than these occurs.
/// Cost: O(terms).
std::optional<PairwiseField> field_of_terms(const AnyModel& model);

}  // namespace surefield
