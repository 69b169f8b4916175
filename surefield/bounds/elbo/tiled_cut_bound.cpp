#include "surefield/bounds/elbo/tiled_cut_bound.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "surefield/bounds/elbo/corner_cut.hpp"
#include "surefield/bounds/elbo/field_ascent.hpp"
#include "surefield/bounds/elbo/field_tiles.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr double kRoughPoint = 1e-3, kFullPoint = 1e-9;  // tolerances of ascents
constexpr double kTangentAbove = 0.3;                    // of the mean excess

/// What comes of one tile in one round.
struct TileCut {
  bool done = false;
  double bound = 0, excess = 0;
  std::vector<double> corner = {};
  std::string refusal = {};  // why the tile is too much
};

auto fields_of(TileCut& cut) {
  auto& [done, bound, excess, corner, refusal] = cut;
  return std::tie(done, bound, excess, corner, refusal);
}

/// What one process says after a round.
struct Betterment {
  double value = 0;
  std::vector<double> point = {};  // none: it is the one before
  bool go_on = true;
};

auto fields_of(Betterment& better) {
  auto& [value, point, go_on] = better;
  return std::tie(value, point, go_on);
}

/// The rounds of all tiles. Vectors are by tile, so that tiles are worked on in any order.
class TileRounds {
 public:
  TileRounds(const PairwiseField& model, const Box& box, std::span<const double> point,
             const std::vector<std::uint8_t>& flipped, const TiledCutOptions& options)
      : options_(options),
        field_(model, graph_tiles(model.neighbours(), options.tile), point),
        polygons_(field_.tiles().size()),
        flipped_(field_.tiles().size()),
        corners_(field_.tiles().size()),
        bounds_(field_.tiles().size()),
        excess_(field_.tiles().size()) {
    for (std::size_t t = 0; t < polygons_.size(); ++t)
      for (const std::uint32_t i : field_.tiles()[t].node) {
        polygons_[t].emplace_back(box[i], options.spacing);
        flipped_[t].push_back(flipped[i]);
      }
  }

  /// One cut a tile, after tangents where the last one had an excess of more than `enough`. Whether there is a bound.
  bool cut(double enough) {
    for_each_index(polygons_.size(), options_.budget.threads(), [&](std::size_t t) {
      for (std::size_t k = 0; k < corners_[t].size(); ++k)
        if (excess(t, k, corners_[t][k]) > enough) polygons_[t][k].touch(corners_[t][k]);
    });
    auto cuts = in_order(polygons_.size(), options_.budget, options_.crew, [&](std::size_t t) {
                  return cut_of(t);
                }).results;
    for (const TileCut& cut : cuts)
      if (!cut.refusal.empty()) throw TooMuch(cut.refusal);
    for (const TileCut& cut : cuts)
      if (!cut.done) return false;
    for (std::size_t t = 0; t < cuts.size(); ++t) {
      bounds_[t] = cuts[t].bound;
      excess_[t] = cuts[t].excess;
      corners_[t] = std::move(cuts[t].corner);
    }
    return true;
  }

  /// Of the last round, with the model's constant: no less than the ELBO anywhere in the box.
  double bound(double constant) const {
    CompensatedSum sum;
    double size = 0;
    const auto add = [&](double term) { sum.add(term), size += std::abs(term); };
    add(constant);
    add(field_.missing());
    for (const double b : bounds_) add(b);
    return sum.value() + gamma_of(4) * size;
  }
  double excess() const {
    double sum = 0;
    for (const double e : excess_) sum += e;
    return sum;
  }
  std::vector<double> point() const { return field_.mean(corners_); }
  void share(double step) { field_.agree(corners_, step); }

 private:
  double excess(std::size_t t, std::size_t k, double corner) const {
    return field_.tiles()[t].share[k] * polygons_[t][k].excess(corner);
  }

  /// By whichever process; not done once the budget is spent.
  TileCut cut_of(std::size_t t) const {
    TileCut found;
    if (options_.budget.spent()) return found;
    const FieldTile& tile = field_.tiles()[t];
    try {
      CornerCut cut = best_corners({.constant = 0,
                                    .bias = tile.bias,
                                    .edges = tile.edges,
                                    .share = tile.share,
                                    .flipped = flipped_[t]},
                                   polygons_[t], options_.budget);
      found.bound = cut.bound;
      found.corner = std::move(cut.corner);
    } catch (const TooMuch& refusal) {
      found.refusal = refusal.what();
      return found;
    }
    for (std::size_t k = 0; k < found.corner.size(); ++k) {
      found.corner[k] = polygons_[t][k].domain().clamp(found.corner[k]);
      found.excess += excess(t, k, found.corner[k]);
    }
    found.done = true;
    return found;
  }

  const TiledCutOptions& options_;
  FieldTiles field_;
  std::vector<std::vector<EntropyPolygon>> polygons_;
  std::vector<std::vector<std::uint8_t>> flipped_;
  std::vector<std::vector<double>> corners_;
  std::vector<double> bounds_, excess_;
};

}  // namespace

CutBoundReport tiled_cut_bound(const PairwiseField& model, const Box& box,
                               std::span<const double> point, const TiledCutOptions& options,
                               const CutObserver& observer) {
  const Index n = model.size();
  require_inside_unit(box, n);
  require_inside(box, point);
  require(options.rounds >= 1, "tiled cut bound: the number of rounds is ", options.rounds,
          ", which must be >= 1");
  require(std::isfinite(options.wanted_gap) && options.wanted_gap >= 0,
          "tiled cut bound: the wanted gap is ", options.wanted_gap,
          ", which must be finite and >= 0");
  require(options.spacing >= 0.01 && options.spacing <= 4, "tiled cut bound: the spacing is ",
          options.spacing, ", which must lie in [0.01, 4]");
  require(std::isfinite(options.step) && options.step >= 0, "tiled cut bound: the step is ",
          options.step, ", which must be finite and >= 0");
  const auto flipped = attracting_flips(model, box);
  require(flipped.has_value(),
          "tiled cut bound: the field has an odd cycle of couplings < 0, which must not be: "
          "flipping nodes cannot make all couplings >= 0");

  TileRounds tiles(model, box, point, *flipped, options);
  std::optional<FieldAscent> ascent;  // in the process that makes points better
  CutBoundReport report;
  report.bound = kInfinity;
  report.point.assign(point.begin(), point.end());
  report.value = Elbo(model.at(point)).value();
  // Whether to go on, the same in all processes.
  const auto improve = [&](bool last) {
    Betterment found = once(options.budget, options.crew, [&] {
      if (!ascent) ascent.emplace(model, box, options.budget);
      Betterment better{.value = report.value};
      std::vector<double> x = report.point;
      ascent->improve(last ? report.point : tiles.point(), last ? kFullPoint : kRoughPoint, x,
                      better.value);
      if (better.value > report.value) better.point = std::move(x);
      better.go_on = last || (!options.budget.spent() &&
                              (!observer || observer(report.rounds, report.bound, better.value)));
      return better;
    });
    report.value = found.value;
    if (!found.point.empty()) report.point = std::move(found.point);
    return found.go_on;
  };
  double enough = kInfinity;  // of an excess, for no tangent
  for (std::size_t round = 0; round < options.rounds; ++round) {
    bool all = false;
    try {
      all = tiles.cut(enough);
    } catch (const TooMuch&) {  // the bounds before hold
      if (round == 0) throw;
    }
    if (!all) {
      report.status = Status::kInterrupted;
      break;
    }
    report.bound = std::min(report.bound, tiles.bound(model.constant));
    report.rounds = round + 1;
    const bool go_on = improve(false);
    const double wanted = options.wanted_gap * std::max(1.0, std::abs(report.value));
    if (report.bound - report.value <= wanted) {
      report.status = Status::kConverged;
      break;
    }
    if (!go_on) {
      report.status = Status::kInterrupted;
      break;
    }
    tiles.share(options.step / std::sqrt(1.0 + static_cast<double>(round)));
    if (round >= options.sharing_rounds)
      enough =
          std::max(wanted / 4, kTangentAbove * tiles.excess()) / static_cast<double>(n) + 1e-13;
  }
  improve(true);
  return report;
}

}  // namespace surefield
