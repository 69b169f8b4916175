// A set of large F of a pairwise field, by simulated annealing from a set: where couplings are strong coordinate ascent ends next to
// where it began. Every sweep offers each item once to change sides, by Metropolis' rule, at temperatures that fall from a third
// to a fiftieth of the mean over the items of (sum of squared couplings)^(1/2). A few sweeps uphill end it. Gains are kept up to date. Cost: a random number an
// offer, O(degree) a change. No guarantee: it finds candidates.
//
// S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi. Optimization by simulated annealing. Science 220, 1983.
#pragma once

#include <cstddef>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

/// From x, in the box: a corner of the box.
std::vector<double> annealed_set(const PairwiseField& field, const Box& box, std::vector<double> x,
                                 std::size_t sweeps, Random& random, const Budget& budget = {});

}  // namespace surefield
