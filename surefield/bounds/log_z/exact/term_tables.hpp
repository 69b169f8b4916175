// A model as tables of logs, one a term: what elimination works on.
//
// Any term over at most kLargestTable items becomes a table; a model with a larger one, or without
// terms, has no such form. Cost: 2^k numbers for a term over k items.
#pragma once

#include "surefield/models/any_model.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

inline constexpr Index kLargestTable = 16;

/// Throws Error, naming the term, where it has too many items.
FactorGraph term_tables(const AnyModel& model);

}  // namespace surefield
