// What one rank holds of a pairwise field: the variables of its blocks, and behind them the copies of the variables of
// others that touch them, its halo.
//
// Own variables keep the order of the model, and the edge ends of each too, so that every sum over them has the bits it
// has in one process. Copies have no edge ends. Memory: that of the field, and 8 bytes a copy.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/colouring.hpp"
#include "surefield/distributed/partition.hpp"
#include "surefield/io/binary/binary_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct FieldSlice {
  PairwiseField field;  ///< own variables, then copies
  Box box;              ///< of both
  Index own = 0;
  Index block = 1;                    ///< variables a block
  std::vector<std::uint64_t> blocks;  ///< own ones, ascending, as the model counts them
  std::vector<std::uint64_t> halo;    ///< the variables that are copied, ascending
  Colouring order;                    ///< of the own variables; waves are those of the whole model

  Index size() const { return field.size(); }
  /// Of an own variable or a copy, its place in the model.
  std::uint64_t in_model(Index i) const {
    return i < own ? blocks[i / block] * block + i % block : halo[i - own];
  }
};

/// The slice of this rank; every rank calls it. Throws Error if it has too many variables for one process.
FieldSlice read_slice(const BinaryField& model, const Partition& partition,
                      const Communicator& ranks);

}  // namespace surefield
