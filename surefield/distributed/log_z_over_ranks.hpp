// An upper bound of log Z of a binary model, its tiles (bounds/log_z/hoelder/forest_tiles.hpp) shared by the ranks.
//
// A tile is read from the files by whoever bounds it, so it matters to nobody which rank holds which of its variables, and the
// bound has the bits of one process for any number of ranks and threads. Memory: a tile a thread. Messages: a sum.
#pragma once

#include <optional>

#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/io/binary/binary_field.hpp"

namespace surefield {

struct LogZOverRanks {
  double upper;
  bool is_of_box;  ///< false: some items are bounded to a part of [0, 1], and counted as free
};

/// Collective. Nothing where a quick bound is not by forests in one process, or not by tiles: few free items, too many edges
/// between tiles, too many forests, numbers out of range. `tile` and `few` are for tests.
std::optional<LogZOverRanks> log_z_over_ranks(const BinaryField& model, double beta,
                                              const Budget& budget, const Communicator& ranks,
                                              Index tile = 0, Index few = kForestsFrom);

}  // namespace surefield
