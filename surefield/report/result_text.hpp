// A Result for a person to read: what is certain in the first line, then the numbers, then the
// items most likely chosen.
#pragma once

#include <cstddef>
#include <string>

#include "surefield/core/result.hpp"

namespace surefield {

/// At most `most_items` marginals are shown, largest first; 0 shows all, in order. Beside them those of p(S)
/// itself, exact or in certified intervals, where they were asked for; that there are none is said.
std::string result_text(const Result& result, std::size_t most_items = 20);

}  // namespace surefield
