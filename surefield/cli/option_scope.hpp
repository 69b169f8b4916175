// Options that belong to some of the choices a command offers: a table of option and choices, and
// one check, so that none is taken and then ignored.
//
//   --rounds: the algorithm is best, but this option is for continuous
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace surefield::cli {

struct OptionScope {
  std::string option;                ///< "--rounds"
  std::vector<std::string> choices;  ///< it has an effect on these
  std::string also = {};             ///< in words, what else would make it one: "any with --polish"
};

/// Throws Error for an option given that has no effect on the choice made. `what` the choice is of:
/// "algorithm".
void refuse_outside_scope(const CLI::App& command, std::span<const OptionScope> scopes,
                          std::string_view what, const std::string& chosen);

/// Throws Error if `option` is given without `needed`.
void refuse_without(const CLI::App& command, const std::string& option, const std::string& needed);

}  // namespace surefield::cli
