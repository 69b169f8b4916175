// Flipping variables, x_i -> 1 - x_i, so that a field becomes submodular where that is possible.
//
// Flipping one end of a pair changes the sign of its interaction, flipping both leaves it. So a
// pairwise field can be made submodular if and only if its signed graph is balanced: no cycle has
// an odd number of positive couplings. The flips are then a two-colouring: across a positive
// coupling exactly one end flips, across a negative one both or none; zero couplings do not count.
// F. Harary. On the notion of balance of a signed graph. Michigan Math. J. 2, 1953.
//
// In a Gibbs field the interaction of a pair depends on the others. Its mean over all sets,
//
//   sum over A holding i and j of coefficient_A 2^{2 - |A|},
//
// changes sign under flips as a coupling does, and in a submodular field it is 0 only where the
// pair never interacts. So the signs of the means leave no choice: their flips work, or none do.
//
// Cost: O(n + edges); for Gibbs fields also the flipped field and submodularity_violation on it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

inline constexpr Index kLargestFlip = 20;  ///< flipped variables of one monomial: it falls into 2^k

/// One byte per variable, 1 = flip, that makes every coupling <= 0; nothing if no flips do. All 0
/// if none are needed.
std::optional<std::vector<std::uint8_t>> balancing_flips(const PairwiseField& model);

/// As above; nothing too where no flips were found within the limits of `flipped` and
/// submodularity_violation.
std::optional<std::vector<std::uint8_t>> balancing_flips(const GibbsField& model);

/// G(S) = F(S xor flips): the same function in flipped variables. Every number is summed exactly
/// and rounded once.
PairwiseField flipped(const PairwiseField& model, Subset flips);

/// As above; coefficients that cancel are left out, and where rounding a coefficient made a pair
/// attract, that is taken back (remove_attraction_within). Throws Error where a monomial has
/// more than 20 flipped variables.
GibbsField flipped(const GibbsField& model, Subset flips);

/// A cycle with an odd number of positive couplings, in order around it: why no flips help. Empty
/// if there are flips that do.
std::vector<Index> frustrated_cycle(const PairwiseField& model);

/// As above, by the mean interaction of each pair. May be empty though no flips help, where the
/// violation is of higher order.
std::vector<Index> frustrated_cycle(const GibbsField& model);

}  // namespace surefield
