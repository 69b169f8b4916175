// Independent sets with exactly the distribution P(S) = e^{beta F(S)} / Z, by rejection.
//
// The leaves of a LogZTree bound e^{beta F} from above by independent items. Draw a leaf by its
// share of the upper end, each open item j with probability sigmoid(up_j), and keep the set S + T
// with probability e^{F(S + T) - F(S) - sum_T up}; otherwise begin again. What is kept has the
// right distribution, to rounding, however coarse the tree. A draw is kept with probability Z /
// (upper end of Z), so refine the tree first: at a width of 0.1 nine of ten are.
//
// Cost: one leaf's gains when it is drawn from first, then a random number an open item and F of the set drawn. A pure
// function of the tree and the seed. Memory: 12 bytes a leaf, and up to 64 MB for the gains of leaves; beyond, they are found again.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/bounds/log_z/tree/log_z_tree.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

struct PerfectSample {
  std::vector<std::vector<std::uint8_t>> sets;  ///< one byte an item
  Index draws = 0;                              ///< kept or not
  double acceptance() const {
    return draws == 0 ? 1 : static_cast<double>(sets.size()) / static_cast<double>(draws);
  }
};

/// Fewer sets once the budget is spent. Throws Error if `count` sets have not been kept after
/// `max_draws` draws: refine the tree.
PerfectSample perfect_sample(const LogZTree& tree, Index count, std::uint64_t seed,
                             const Budget& budget = {}, Index max_draws = 100'000'000);

}  // namespace surefield
