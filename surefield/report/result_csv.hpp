// A Result as CSV: a header, then one line per item with its marginal, 17 digits; where they
// were asked for also the ends of P(i in S) under p(S) itself, empty where they are not known.
#pragma once

#include <string>

#include "surefield/core/result.hpp"

namespace surefield {

std::string result_csv(const Result& result);

}  // namespace surefield
