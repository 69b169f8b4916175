// A Result as CSV: a header, then one line per item with its marginal, 17 digits. Names are quoted
// where they must be.
#pragma once

#include <string>
#include <string_view>

#include "surefield/core/result.hpp"

namespace surefield {

std::string result_csv(const Result& result);

/// A field as CSV wants it: in quotes, quotes doubled, if it holds a comma, a quote or a line
/// break.
std::string csv_field(std::string_view text);

}  // namespace surefield
