// Bounds of pairwise fields one by one, which the front door keeps for many items or calls only where others fail: spectral with
// triangles, boxes and faces of them, forests and their tiles, cuts by tiles, elimination; and the search for a set of large F.
//
// They are asked about the field at its inverse temperature as it stands, so the truth is that of its own numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "surefield/algorithms/annealed_set.hpp"
#include "surefield/bounds/elbo/field_of_terms.hpp"
#include "surefield/bounds/elbo/tiled_cut_bound.hpp"
#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/hoelder/forest_tiles.hpp"
#include "surefield/bounds/spectral/clique_search.hpp"
#include "surefield/bounds/spectral/mirror.hpp"
#include "surefield/bounds/spectral/spectral_boxes.hpp"
#include "surefield/bounds/spectral/spectral_faces.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/models/pairwise_field/tracked_set.hpp"
#include "tests/torture/asking.hpp"

namespace surefield::torture {

class FieldChecks : protected Asking {
 protected:
  using Asking::Asking;

  void check_field(const Problem& problem) {
    if (beyond(problem)) return;
    auto terms = field_of_terms(given_.model);
    if (!terms) return;
    const PairwiseField field = at_inverse_temperature(std::move(*terms), given_.beta);
    const Truth truth{AnyModel(field)};
    const bool before = std::exchange(assumption_fails_, false);  // nothing here assumes anything
    const TrueLogZ log_z(truth, given_.sets, 1);
    switch (random_.below(6)) {
      case 0:
        check_spectral_sets(field, truth, log_z);
        break;
      case 1:
        check_spectral_elbo(field, truth);
        break;
      case 2:
        check_forests(field, log_z);
        check_elimination(field, log_z);
        break;
      case 3:
        check_faces(field, truth, random_.chance(0.5) ? given_.sets : given_.inner, "faces");
        check_set_search(field, truth);
        break;
      case 4:
        check_mirror(field);
        break;
      default:
        check_tiled_cuts(field, truth);
    }
    assumption_fails_ = before;
  }

 private:
  static CliqueSearchOptions few_rounds(const Budget& budget) {
    return {.fall = 0.1, .more = 1, .iterations = 20, .least = 1e-6, .budget = budget};
  }

  /// With triangles, as the boxes and log Z use it.
  static double triangle_bound(const Quadratic& quadratic, SpectralKind kind,
                               const Budget& budget) {
    SpectralBarrier barrier(quadratic, kind);
    const auto found =
        clique_search(barrier, quadratic, dominant_point(quadratic), {}, few_rounds(budget));
    if (found.found.z.size() != static_cast<Eigen::Index>(quadratic.size())) return kInfinity;
    return spectral_bound(with_cliques(quadratic, found.cliques, found.found.point.y), kind,
                          found.found.z, found.found.point.d);
  }

  void check_spectral_sets(const PairwiseField& field, const Truth& truth, const TrueLogZ& log_z) {
    const auto above_log_z = [&](const std::string& name, auto&& call) {
      if (const auto found = asked(name, call)) at_most(*found, log_z.log_z, log_z.off, name);
    };
    const Quadratic quadratic = free_quadratic(field, given_.sets, false);
    above_log_z("spectral log Z", [&](const Budget& budget) {
      return spectral_log_z(field, given_.sets, {.budget = budget});
    });
    above_log_z("spectral log Z with triangles", [&](const Budget& budget) {
      return triangle_bound(quadratic, SpectralKind::kLogZ, budget);
    });
    long double best = -std::numeric_limits<long double>::infinity();
    for (std::size_t code = 0; code < truth.values.size(); ++code) {
      bool inside = true;
      for (Index i = 0; i < truth.n; ++i)
        inside = inside && given_.sets[i].contains(static_cast<double>(code >> i & 1));
      if (inside) best = std::max(best, static_cast<long double>(truth.values[code]));
    }
    const long double off = truth.error + 1e-18L * std::abs(best);
    const auto above_best = [&](const std::string& name, auto&& call) {
      if (const auto found = asked(name, call)) at_most(*found, best, off, name);
    };
    above_best("spectral best set", [&](const Budget& budget) {
      return spectral_root(quadratic, SpectralKind::kBestSet, {.budget = budget}).bound;
    });
    above_best("spectral best set with triangles", [&](const Budget& budget) {
      return triangle_bound(quadratic, SpectralKind::kBestSet, budget);
    });
  }

  void check_spectral_elbo(const PairwiseField& field, const Truth& truth) {
    const Box& box = random_.chance(0.5) ? given_.sets : given_.inner;
    const std::size_t nodes = 1 + random_.below(12);
    const auto boxes = asked("spectral boxes", [&](const Budget& budget) {
      return spectral_boxes(field, box, box.low,
                            {.relative_gap = 1e-3, .nodes = nodes, .budget = budget});
    });
    const auto triangles = asked("spectral ELBO with triangles", [&](const Budget& budget) {
      return triangle_bound(free_quadratic(field, box, true), SpectralKind::kElbo, budget);
    });
    std::vector<std::vector<double>> starts;
    if (boxes) starts.push_back(boxes->point);
    const TrueElbo best = best_known_elbo(truth, 1, box, starts);
    if (boxes) at_most(boxes->bound, best.value, best.off, "spectral boxes");
    if (triangles) at_most(*triangles, best.value, best.off, "spectral ELBO with triangles");
  }

  void check_faces(const PairwiseField& field, const Truth& truth, const Box& box,
                   const std::string& name) {
    const std::size_t nodes = 1 + random_.below(30);
    const double gap = random_.chance(0.5) ? random_.uniform(0, 4) : 0;
    const auto found = asked(name, [&](const Budget& budget) {
      return spectral_faces(
          field, box, box.low,
          {.relative_gap = 0, .absolute_gap = gap, .nodes = nodes, .budget = budget});
    });
    if (!found) return;
    const TrueElbo best = best_known_elbo(truth, 1, box, {found->point});
    at_most(found->bound, best.value, best.off, name);
  }

  /// The same graph with whole couplings and without biases, as a cut: F(x) = F(1 - x), which faces make use of.
  void check_mirror(const PairwiseField& field) {
    PairwiseField cut = field;
    const double size = std::ldexp(1.0, static_cast<int>(random_.below(12)) - 8);
    cut.bias.assign(field.size(), 0);
    for (Index i = 0; i < field.size(); ++i)
      for (std::size_t e = field.start[i]; e < field.start[i + 1]; ++e) {
        const Index j = field.neighbour[e];
        const auto whole = static_cast<double>((7 * std::min(i, j) + 5 * std::max(i, j)) % 11);
        cut.coupling[e] = size * (whole - 8);
        cut.bias[i] -= cut.coupling[e] / 2;
      }
    const Box box = unit_box(cut.size());
    if (!is_its_mirror(cut, box)) wrong("a cut without biases is not known for its own mirror");
    check_faces(cut, Truth{AnyModel(cut)}, box, "faces of a mirror");
  }

  void check_set_search(const PairwiseField& field, const Truth& truth) {
    const AnnealedSetOptions how{.sweeps = random_.below(30), .seed = random_.bits()};
    const auto found = asked("annealed set", [&](const Budget& budget) {
      AnnealedSetOptions within = how;
      within.budget = budget;
      return annealed_set(TrackedSet(field), given_.sets, within);
    });
    if (!found) return;
    std::size_t code = 0;
    for (Index i = 0; i < truth.n; ++i) {
      code |= std::size_t{found->contains(i)} << i;
      if (!given_.sets[i].contains(found->contains(i))) wrong("annealed set: outside the box");
    }
    const auto value = static_cast<long double>(truth.values[code]);
    const double off = facts_of(field).value_error + static_cast<double>(truth.error);
    if (!holds(std::abs(found->value() - value), off, 0))
      off_bound("annealed set", "is not", found->value(), value, false);
  }

  void check_forests(const PairwiseField& field, const TrueLogZ& log_z) {
    const std::size_t rounds = random_.below(6);
    const Index tile = 1 + random_.below(4);
    const auto whole = asked("forests", [&](const Budget& budget) {
      return forest_bound(field, &given_.sets, {.rounds = rounds, .budget = budget}).log_z_upper;
    });
    if (whole) at_most(*whole, log_z.log_z, log_z.off, "forests");
    const auto tiled = asked("forests by tiles", [&](const Budget& budget) {
      const RowsInMemory rows(field, given_.sets);
      const ForestTiles tiles(rows, tile);
      ExactSum sum;
      for (Index t = 0; t < tiles.count(); ++t)
        sum.add(tiles.upper(t, {.rounds = rounds, .budget = budget}));
      return ForestTiles::total(sum, field.constant, field.inherited_error, 1);
    });
    if (tiled) at_most(*tiled, log_z.log_z, log_z.off, "forests by tiles");
  }

  void check_elimination(const PairwiseField& field, const TrueLogZ& log_z) {
    const auto found = asked("elimination", [&](const Budget& budget) {
      return eliminate(AnyModel(field), &given_.sets, {.budget = budget, .marginals = true});
    });
    if (!found) return;
    if (!holds(std::abs(found->log_z - log_z.log_z), found->error, log_z.off))
      off_bound("elimination, error " + message(found->error), "is not", found->log_z, log_z.log_z,
                false);
    if (!std::isfinite(static_cast<double>(log_z.marginal_off))) return;
    for (Index i = 0; i < found->marginals.size(); ++i)
      if (!holds(std::abs(found->marginals[i] - log_z.marginals[i]), 2 * found->error,
                 log_z.marginal_off))
        off_bound(message("elimination, marginal ", i), "is not", found->marginals[i],
                  log_z.marginals[i], false);
  }

  void check_tiled_cuts(const PairwiseField& field, const Truth& truth) {
    const Box& box = random_.chance(0.5) ? given_.sets : given_.inner;
    if (!attracting_flips(field, box)) return;
    const TiledCutOptions how{.rounds = 1 + random_.below(5),
                              .sharing_rounds = random_.below(3),
                              .wanted_gap = 0,
                              .tile = 1 + random_.below(4)};
    const auto found = asked("cuts by tiles", [&](const Budget& budget) {
      TiledCutOptions within = how;
      within.budget = budget;
      return tiled_cut_bound(field, box, box.low, within);
    });
    if (!found) return;
    const TrueElbo best = best_known_elbo(truth, 1, box, {found->point});
    at_most(found->bound, best.value, best.off, "cuts by tiles");
  }
};

}  // namespace surefield::torture
