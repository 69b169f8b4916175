// UAI model files: a factor graph of tables, the last variable of a scope varying fastest.
//
//   MARKOV            or BAYES; the tables are read alike
//   3                 variables
//   2 2 2             states of each: all must be 2
//   2                 factors
//   1 0               scope of factor 0: one variable, 0
//   2 0 2             scope of factor 1
//   2 0.4 0.6         table of factor 0
//   4 1 2 2 1         table of factor 1: (0,0), (0,1), (1,0), (1,1)
//
// Blanks and line ends are free; a line whose first word is `c` is a comment. A zero is a hard
// constraint, kept as -infinity.
#pragma once

#include <string>
#include <string_view>

#include "surefield/models/factor_graph.hpp"

namespace surefield {

FactorGraph parse_uai(std::string_view text, std::string_view name);
FactorGraph read_uai(const std::string& path);

/// As MARKOV. A table whose numbers leave the range of a double is written as several factors that
/// multiply to it.
std::string uai_text(const FactorGraph& graph);

}  // namespace surefield
