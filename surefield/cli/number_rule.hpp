// A number on the command line, checked on the text as it was typed, before anything is converted, by the rules of
// core/number_rule.hpp.
//
//   --seconds: '1m' is not a number of seconds >= 0
//
// Hexadecimal and what does not fit a double or 64 bits are refused by every rule; a whole number is digits without
// leading zeros: -1 never becomes 2^64 - 1, nor 010 an octal 8.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "surefield/core/number_rule.hpp"

namespace surefield::cli {

/// Empty if the text is such a number, else why not, in one line.
std::string refusal_of(const std::string& text, const NumberRule& rule);
std::string refusal_of(const std::string& text, const WholeRule& rule);

/// For `->check(...)` of an option, of each element where it is a list.
CLI::Validator takes(const NumberRule& rule);
CLI::Validator takes(const WholeRule& rule);

}  // namespace surefield::cli
