// A Result as CSV: a header, then one line per item with its marginal, 17 digits.
#pragma once

#include <string>

#include "surefield/core/result.hpp"

namespace surefield {

std::string result_csv(const Result& result);

}  // namespace surefield
