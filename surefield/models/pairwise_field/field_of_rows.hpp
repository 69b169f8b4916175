// A pairwise field of rows that are there already, as sparse matrices have them: nothing is copied, sorted or added up.
//
// Cost: O(edges log(degree)) to check that every edge stands in both of its rows; no memory but what is given.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// The ends of node i are start[i] .. start[i+1]. Throws Error unless they ascend, join different nodes, and every edge
/// stands in both of its rows with the same finite coupling.
PairwiseField make_field_of_rows(std::vector<double> bias, std::vector<std::size_t> start,
                                 std::vector<std::uint32_t> neighbour, std::vector<double> coupling,
                                 double constant = 0);

}  // namespace surefield
