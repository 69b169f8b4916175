// The numbers of a random square grid, in the order they are drawn: all biases, then row by row the couplings of
// each node to the east and to the south. A grid larger than memory is made of one row at a time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

/// Biases U(bias_low, bias_high), couplings U(-coupling, 0).
struct GridLaw {
  double bias_low, bias_high, coupling;
};

class GridRows {
 public:
  /// At least `items` nodes, rounded up to a square.
  GridRows(Index items, GridLaw law, std::uint64_t seed);

  Index side() const { return side_; }
  /// The biases of the next row; to be asked for `side` times, before any couplings.
  std::span<const double> next_biases();

  struct Couplings {
    std::span<const double> north;  ///< what the row before called south; empty for the first row
    std::span<const double> east;   ///< one fewer than nodes
    std::span<const double> south;  ///< empty for the last row
  };
  Couplings next_couplings();

 private:
  Index side_, row_ = 0;
  GridLaw law_;
  Random random_;
  std::vector<double> bias_, north_, east_, south_;
};

/// Writes the grid as a binary model (io/binary/binary_field.hpp), a row at a time. Cost: 64 bytes of disk a node, and
/// O(side) memory.
void write_grid(GridRows grid, const std::string& folder);

}  // namespace surefield
