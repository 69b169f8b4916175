// libDAI factor graphs (.fg): a block per factor, the FIRST variable varying fastest, only entries
// that are not zero listed.
//
//   1                 factors
//
//   2                 variables of the factor
//   0 3               which
//   2 2               states of each: all must be 2
//   3                 entries that follow
//   0 0.5             entry 0: x0 = 0, x3 = 0
//   1 2.5             entry 1: x0 = 1, x3 = 0
//   3 1               entry 3: x0 = 1, x3 = 1
//
// A line that starts with `#` is a comment. There are as many variables as the greatest one says.
#pragma once

#include <string>
#include <string_view>

#include "surefield/models/factor_graph.hpp"

namespace surefield {

FactorGraph parse_fg(std::string_view text, std::string_view name);
FactorGraph read_fg(const std::string& path);

/// A table whose numbers leave the range of a double is written as several factors that multiply to
/// it.
std::string fg_text(const FactorGraph& graph);

}  // namespace surefield
