// What someone may have meant by a name that does not exist: a hint for an error message.
//
// A name is near if it is the same but for case, begins so, holds it or all its words in any order,
// or is a few typing errors (a letter too many, too few or wrong, or two swapped; at most a third
// of the letters) away; in that order, then by place. Cost: O(length^2) per name of about the same
// length.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace surefield {

/// How often to insert, delete or replace a letter or swap two neighbours, none of them touched
/// twice, to get from one to the other, the case of ASCII letters aside; limit + 1 if that is more
/// than the limit. F. Damerau, 1964.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// At most `most` of the names, the nearest first; empty if none is near.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> names,
                                       std::size_t most = 3);

/// "; did you mean 'cot', 'coat' or 'boat'?", or nothing.
std::string did_you_mean(std::string_view text, std::span<const std::string> names);

}  // namespace surefield
