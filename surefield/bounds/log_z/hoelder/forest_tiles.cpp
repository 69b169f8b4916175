#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr Index kSmallestTile = 65536;
constexpr Index kTileRows = 64;       // of a square grid
constexpr Index kManyFree = 100'000;  // a round over them takes a tenth of a second

Index tile_for(Index n) {
  const auto side = static_cast<Index>(std::sqrt(static_cast<double>(n)));
  return std::max(kSmallestTile, kTileRows * side);
}

/// What a coupling of two free variables of different tiles adds to the bias of one of them, and to the constant of the tile
/// of the first.
struct Linear {
  double own = 0, constant = 0;
};

Linear instead_of(double w, bool own_is_first, double own_field, double other_field) {
  if (w > 0) {
    const bool own_pays = own_is_first ? own_field <= other_field : own_field < other_field;
    return {own_pays ? w : 0, 0};
  }
  if (!(own_field + other_field > 0)) return {};
  return {w, own_is_first ? -w : 0};
}

}  // namespace

void RowsInMemory::ends_of(Index i, std::vector<End>& out) const {
  out.clear();
  for (std::size_t e = field_.start[i]; e < field_.start[i + 1]; ++e)
    out.push_back({field_.neighbour[e], field_.coupling[e]});
}

ForestTiles::ForestTiles(const FieldRows& rows, Index tile)
    : rows_(rows),
      tile_(tile > 0 ? tile : tile_for(rows.size())),
      count_((rows.size() + tile_ - 1) / tile_) {}

Index ForestTiles::last_of(Index tile) const { return std::min(rows_.size(), (tile + 1) * tile_); }

ForestTiles::Ends ForestTiles::ends(Index tile) const {
  Ends found;
  std::vector<FieldRows::End> ends;
  for (Index i = first_of(tile); i < last_of(tile); ++i) {
    rows_.ends_of(i, ends);
    found.all += ends.size();
    for (const auto& end : ends) found.across += end.other / tile_ != tile;
  }
  return found;
}

PairwiseField ForestTiles::field_of(Index tile, Box& box) const {
  const Index first = first_of(tile);
  const auto sets = [this](Index i) {
    const Interval in = rows_.interval(i);
    return is_of_sets(in) ? in : Interval{0, 1};
  };
  std::vector<FieldRows::End> ends, theirs;
  const auto guess = [&](Index i, std::vector<FieldRows::End>& of) {
    rows_.ends_of(i, of);
    double field = rows_.bias(i);
    for (const auto& end : of) field += end.coupling / 2;
    return field;
  };
  PairwiseField field;
  CompensatedSum constant;
  double sizes = 0, lost = 0;
  for (Index i = first; i < last_of(tile); ++i) {
    const Interval in = sets(i);
    box.low.push_back(in.low);
    box.high.push_back(in.high);
    const double own = guess(i, ends);
    double bias = rows_.bias(i), size = std::abs(bias), terms = 1;
    for (const auto& [j, w] : ends) {
      if (j / tile_ == tile) {
        field.neighbour.push_back(static_cast<std::uint32_t>(j - first));
        field.coupling.push_back(w);
        continue;
      }
      const Interval there = sets(j);
      Linear with;
      if (!there.is_point())
        with = in.is_point() ? Linear{} : instead_of(w, i < j, own, guess(j, theirs));
      else if (!in.is_point() || i < j)  // of two that are fixed the first has all of it
        with.own = w * there.low;
      bias += with.own, size += std::abs(with.own), terms += 1;
      constant.add(with.constant), sizes += std::abs(with.constant);
    }
    field.bias.push_back(bias);
    lost += gamma_of(terms) * size;
    field.start.push_back(field.neighbour.size());
  }
  field.constant = constant.value();
  // `lost` and `sizes` are themselves sums of so many terms.
  field.inherited_error =
      (lost + gamma_of(8) * sizes) *
      (1 + gamma_of(2 * static_cast<double>(field.size() + field.neighbour.size()) + 8));
  return field;
}

double ForestTiles::upper(Index tile, const ForestOptions& options) const {
  require(options.beta > 0, "forests: tiles need an inverse temperature > 0, not ", options.beta);
  Box box;
  const PairwiseField field = field_of(tile, box);
  return forest_bound(field, &box, options).log_z_upper;
}

double ForestTiles::total(const ExactSum& tiles, double constant, double inherited_error,
                          double beta) {
  const double sum = tiles.value();
  const double rest = beta * (constant + inherited_error);
  return sum + rest + gamma_of(8) * (std::abs(sum) + beta * (std::abs(constant) + inherited_error));
}

std::size_t forest_rounds(Index free) { return free >= kManyFree ? 2 : 20; }

double forest_bound_by_tiles(const PairwiseField& model, const Box& box,
                             const ForestOptions& options, Index tile) {
  const RowsInMemory rows(model, box);
  const ForestTiles tiles(rows, tile);
  ForestTiles::Ends ends;
  for (Index t = 0; t < tiles.count(); ++t) {
    const auto of_one = tiles.ends(t);
    ends.all += of_one.all, ends.across += of_one.across;
  }
  if (!ForestTiles::are_worth_it(ends)) return forest_bound(model, &box, options).log_z_upper;
  options.budget.require(
      {.operations = 100 * static_cast<double>(ends.all + model.size()), .bytes = 0}, "forests");
  std::vector<double> upper(tiles.count());
  for_each_index(tiles.count(), options.budget.threads(),
                 [&](std::size_t t) { upper[t] = tiles.upper(t, options); });
  ExactSum all;
  for (const double one : upper) all.add(one);
  return ForestTiles::total(all, model.constant, model.inherited_error, options.beta);
}

}  // namespace surefield
