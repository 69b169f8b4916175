// Fields as tables, and tables whose entries a file of plain numbers can hold.
#pragma once

#include <vector>

#include "surefield/models/factor_graph.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// One factor for the constant, if any, one per bias and coupling that is not 0.
FactorGraph factor_graph_of(const PairwiseField& field);
/// The same, and one table of 2^k entries per monomial of k variables. Throws Error if k is above
/// kLargestFactor.
FactorGraph factor_graph_of(const GibbsField& field);

/// The factors, those with logs beyond +-700 as equal parts that add up to them: exp of each entry
/// is then finite and not 0.
std::vector<Factor> writable_factors(const FactorGraph& graph);

}  // namespace surefield
