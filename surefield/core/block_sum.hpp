// A sum over many coordinates that has the same bits whoever adds up which part of it.
//
// Coordinates are taken in blocks of 64 neighbours in memory: within a block a compensated sum, over blocks an exact one,
// rounded once. So the sum does not depend on the order of the blocks, nor on which of them were added up by
// another thread or process before the parts came together (distributed/). Up to 64 coordinates it is the compensated
// sum. Error: one rounding of every block and one of the whole. Cost: that of the compensated sum, and some 20 ns a
// block.
#pragma once

#include "surefield/core/concepts.hpp"
#include "surefield/core/exact_sum.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

class BlockSum {
 public:
  static constexpr Index kBlock = 64;

  /// The terms of a block one after another; a block that is left and met again counts as two.
  void add(Index i, double term) {
    if (i / kBlock != block_) leave(i / kBlock);
    run_.add(term);
    empty_ = false;
  }
  /// What others have added up.
  void add(const ExactSum& others) { before_.add(others); }

  /// All so far, unrounded but for the blocks.
  ExactSum exact() const {
    ExactSum all = before_;
    if (!empty_) all.add(run_.value());
    return all;
  }
  double value() const { return exact().value(); }

 private:
  void leave(Index block) {
    if (!empty_) before_.add(run_.value());
    run_ = {};
    empty_ = true;
    block_ = block;
  }

  ExactSum before_;
  CompensatedSum run_;
  Index block_ = 0;
  bool empty_ = true;
};

}  // namespace surefield
