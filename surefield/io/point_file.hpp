// A point of [0, 1]^n, one number an item: where to start, or what to follow.
//
//   0.25       or as JSON    [0.25, 1]    or a result of `infer`    {"surefield": "1", ..., "marginals": [0.25, 1], ...}
//   1
//
// As text one number a line in the order of the items, `#` starting a comment line; a file whose
// first character is [ or { is JSON. A file called `.npy` is an array of doubles (io/binary/npy.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// Throws Error by file and line (or place in the JSON) unless there are `items` numbers from 0 to
/// 1.
std::vector<double> parse_point(std::string_view text, std::string_view name, Index items);
std::vector<double> read_point(const std::string& path, Index items);

}  // namespace surefield
