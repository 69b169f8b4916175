// What the content of a file looks like, for files whose names do not say their format. A look is
// cheap and may err: the parser has the last word.
#pragma once

#include <string_view>

namespace surefield {

bool looks_like_json(std::string_view text);  ///< starts with '{' and a key
bool looks_like_uai(std::string_view text);   ///< starts with MARKOV or BAYES
bool looks_like_flid(
    std::string_view text);  ///< four numbers, then as many on the second line as the first says
bool looks_like_fg(
    std::string_view text);  ///< one number, then the number, names and states of some variables
bool looks_like_edges(
    std::string_view text);  ///< two numbers, then as many lines of two or three as the second says
bool looks_like_set_cover(
    std::string_view text);  ///< two numbers, costs, and rows of their stated lengths to the end
bool looks_like_hyperedges(
    std::string_view text);  ///< starts with `nodes`, or has nothing but whole numbers

}  // namespace surefield
