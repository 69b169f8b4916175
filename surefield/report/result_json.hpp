// A Result as JSON: one object, versioned, with everything needed to draw it. Numbers read back to
// the same bits.
#pragma once

#include <string>

#include "surefield/core/result.hpp"

namespace surefield {

std::string result_json(const Result& result);

}  // namespace surefield
