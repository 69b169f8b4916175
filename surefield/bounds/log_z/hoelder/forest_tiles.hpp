// The forest bound of a large field, tile by tile: an upper bound of log Z whose memory is that of a tile, and which
// threads and processes share with the same bits.
//
// A tile is a run of variables as the model counts them. Couplings between tiles are bounded by what is linear, right for
// every set, so that nothing but biases and a constant is left of them and log Z falls apart into tiles:
//
//   w x y <= |w| lambda (1 - x - y)   w < 0: lambda is 0, which drops the edge, or 1, where both ends are likely to be in
//   w x y <= w x,  or  w y            w > 0: of the end that is less likely to be in
//   log Z <= constant + sum over tiles of forest_bound(tile)
//
// How likely is guessed by the field of an end with its neighbours at 1/2; the bound holds whatever is guessed. An end that the
// box fixes is put in exactly. A tile of a square grid has 64 rows or more, so that one edge in 128 lies between tiles: on grids
// of 10^6 variables the bound is 0.1 (soft) to 0.3 % (hard) above that of the whole, a fiftieth of its gap. A model of which more than an
// eighth of the edges do has no such tiles. Rounding: that of the biases and of the constants is counted (inherited_error); bounds of
// tiles are added exactly. Cost: that of the forests.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "surefield/bounds/log_z/hoelder/forest_bound.hpp"
#include "surefield/core/exact_sum.hpp"

namespace surefield {

/// Free items beyond which a quick bound of log Z is this one.
inline constexpr Index kForestsFrom = 2000;

/// A field wherever it lies, variable by variable.
class FieldRows {
 public:
  struct End {
    Index other;
    double coupling;
  };
  virtual ~FieldRows() = default;
  virtual Index size() const = 0;
  virtual double bias(Index i) const = 0;
  virtual Interval interval(Index i) const = 0;
  /// Ascending, every edge from both ends.
  virtual void ends_of(Index i, std::vector<End>& out) const = 0;
};

/// Of a field in memory; both must outlive this.
class RowsInMemory final : public FieldRows {
 public:
  RowsInMemory(const PairwiseField& field, const Box& box) : field_(field), box_(box) {}
  Index size() const override { return field_.size(); }
  double bias(Index i) const override { return field_.bias[i]; }
  Interval interval(Index i) const override { return box_[i]; }
  void ends_of(Index i, std::vector<End>& out) const override;

 private:
  const PairwiseField& field_;
  const Box& box_;
};

class ForestTiles {
 public:
  /// Tiles of so many variables; 0: 64 times the root of them, at least 65536. The rows must outlive this.
  explicit ForestTiles(const FieldRows& rows, Index tile = 0);

  Index count() const { return count_; }
  Index first_of(Index tile) const { return tile * tile_; }
  Index last_of(Index tile) const;

  /// Ends of edges of a tile, and how many of them lead to another.
  struct Ends {
    std::uint64_t all = 0, across = 0;
  };
  Ends ends(Index tile) const;
  static bool are_worth_it(const Ends& of_all) { return 8 * of_all.across <= of_all.all; }

  /// Of the terms of a tile; those of the whole, its constant and what it inherited are not in it. An interval that is not of sets counts as
  /// free. Throws Error as forest_bound does, and unless beta > 0.
  double upper(Index tile, const ForestOptions& options) const;
  /// Of the whole, the tiles added up.
  static double total(const ExactSum& tiles, double constant, double inherited_error, double beta);

 private:
  PairwiseField field_of(Index tile, Box& box) const;

  const FieldRows& rows_;
  Index tile_, count_;
};

/// How many rounds of moving multipliers a field is worth: 20, or 2 where each takes a tenth of a second.
std::size_t forest_rounds(Index free);

/// By tiles on the threads of the budget where there are any worth it, of the whole at once where not.
double forest_bound_by_tiles(const PairwiseField& model, const Box& box,
                             const ForestOptions& options = {}, Index tile = 0);

}  // namespace surefield
