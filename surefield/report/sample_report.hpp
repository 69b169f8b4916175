// Sets that were drawn, as lines and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "surefield/api/sample.hpp"

namespace surefield {

/// As core/sets_text.hpp says: a line that declares the rest, then one set a line, by name where
/// there are names, else by number from 0, the empty set as "".
std::string sample_lines(const SampleResult& result, const Problem& problem);
std::string sample_json(const SampleResult& result, const Problem& problem, std::uint64_t seed);

}  // namespace surefield
