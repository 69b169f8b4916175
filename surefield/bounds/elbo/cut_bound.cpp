#include "surefield/bounds/elbo/cut_bound.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/elbo/corner_cut.hpp"
#include "surefield/bounds/elbo/entropy_polygon.hpp"
#include "surefield/bounds/elbo/field_ascent.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kFirstProducts = 1.2e7;          // of the first cut
constexpr double kRoughly = 1e-3, kFully = 1e-9;  // tolerances of ascents, between rounds and last
constexpr double kWorthATangent = 0.3;            // of the mean excess

/// Tangents so far apart that the first cut has no more arcs than are settled within seconds.
std::vector<EntropyPolygon> first_polygons(const std::vector<Edge>& edges, const Box& box,
                                           double spacing) {
  for (;; spacing *= 1.5) {
    std::vector<EntropyPolygon> polygons;
    polygons.reserve(box.size());
    for (Index i = 0; i < box.size(); ++i) polygons.emplace_back(box[i], spacing);
    if (spacing > 2 || corner_products(edges, polygons) <= kFirstProducts) return polygons;
  }
}

}  // namespace

std::optional<std::vector<std::uint8_t>> attracting_flips(const PairwiseField& model,
                                                          const Box& box) {
  const Index n = model.size();
  std::vector<std::uint8_t> flipped(n, 0), seen(n, 0);
  std::vector<Index> open;
  for (Index root = 0; root < n; ++root) {
    if (seen[root] || box[root].is_point()) continue;
    seen[root] = 1;
    open.push_back(root);
    while (!open.empty()) {
      const Index i = open.back();
      open.pop_back();
      for (std::size_t e = model.start[i]; e < model.start[i + 1]; ++e) {
        const Index j = model.neighbour[e];
        if (model.coupling[e] == 0 || box[j].is_point()) continue;
        const std::uint8_t side = flipped[i] ^ (model.coupling[e] < 0 ? 1 : 0);
        if (seen[j]) {
          if (flipped[j] != side) return std::nullopt;
          continue;
        }
        seen[j] = 1;
        flipped[j] = side;
        open.push_back(j);
      }
    }
  }
  return flipped;
}

CutBoundReport cut_bound(const PairwiseField& model, const Box& box, const CutBoundOptions& options,
                         const CutObserver& observer) {
  const Index n = model.size();
  require_inside_unit(box, n);
  require(options.rounds >= 1, "cut bound: the number of rounds is ", options.rounds,
          ", which must be >= 1");
  require(std::isfinite(options.wanted_gap) && options.wanted_gap >= 0,
          "cut bound: the wanted gap is ", options.wanted_gap, ", which must be finite and >= 0");
  require(options.spacing >= 0.01 && options.spacing <= 4, "cut bound: the spacing is ",
          options.spacing, ", which must lie in [0.01, 4]");
  const auto flipped = attracting_flips(model, box);
  require(flipped.has_value(),
          "cut bound: the field has an odd cycle of couplings < 0, which must not be: flipping "
          "nodes cannot make all couplings >= 0");

  const auto edges = model.edges();
  std::vector<EntropyPolygon> polygons = first_polygons(edges, box, options.spacing);
  const FieldAscent ascent(model, box, options.budget);
  CutBoundReport report;
  report.bound = kInfinity;
  report.value = -kInfinity;
  for (std::size_t round = 0; round < options.rounds; ++round) {
    CornerCut cut;
    try {
      cut = best_corners({.constant = model.constant,
                          .bias = model.bias,
                          .edges = edges,
                          .share = {},
                          .flipped = *flipped},
                         polygons, options.budget);
    } catch (const TooMuch&) {  // the bounds before hold
      if (round == 0) throw;
      report.status = Status::kInterrupted;
      break;
    }
    report.bound = std::min(report.bound, cut.bound);
    for (Index i = 0; i < n; ++i) cut.corner[i] = box[i].clamp(cut.corner[i]);
    ascent.improve(cut.corner, ascent.is_large() ? kRoughly : kFully, report.point, report.value);
    report.rounds = round + 1;
    const double wanted = options.wanted_gap * std::max(1.0, std::abs(report.value));
    if (report.bound - report.value <= wanted) {
      report.status = Status::kConverged;
      break;
    }
    if (options.budget.spent() ||
        (observer && !observer(report.rounds, report.bound, report.value))) {
      report.status = Status::kInterrupted;
      break;
    }
    double excess = 0;
    for (Index i = 0; i < n; ++i) excess += polygons[i].excess(cut.corner[i]);
    const double enough =
        std::max(wanted / 4, kWorthATangent * excess) / static_cast<double>(n) + 1e-13;
    bool changed = false;
    for (Index i = 0; i < n; ++i)
      if (polygons[i].excess(cut.corner[i]) > enough) {
        polygons[i].touch(cut.corner[i]);
        changed = true;
      }
    if (!changed) break;  // what is left is rounding
  }
  if (ascent.is_large()) ascent.improve(report.point, kFully, report.point, report.value);
  return report;
}

}  // namespace surefield
