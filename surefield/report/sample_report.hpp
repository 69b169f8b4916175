// Sets that were drawn, as lines and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "surefield/api/sample.hpp"

namespace surefield {

/// One set a line, comma separated: names where there are names, else ids from 0. The empty set is
/// an empty line.
std::string sample_lines(const SampleResult& result, const Problem& problem);
std::string sample_json(const SampleResult& result, const Problem& problem, std::uint64_t seed);

}  // namespace surefield
