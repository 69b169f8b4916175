// Whether F takes whole numbers alone, as cuts of whole weights and set covers of whole costs do: then an upper bound of max F may be
// rounded down.
#pragma once

#include "surefield/models/any_model.hpp"

namespace surefield {

/// True only where every number of every term is whole and all together are below 2^52, so that none was rounded.
/// Cost: O(terms).
bool has_whole_values(const AnyModel& model);

}  // namespace surefield
