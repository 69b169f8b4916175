// Ends of the intervals of a box that a proved spectral bound settles: cut off where the bound with the item kept there is low enough. The other items'
// part of the bound does not change, so an end costs one peak.
#pragma once

#include <algorithm>
#include <cmath>

#include "surefield/bounds/elbo/box_rounds.hpp"
#include "surefield/bounds/spectral/parabola_peak.hpp"
#include "surefield/bounds/spectral/spectral_bound.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

/// Whether any was. The proof is of the visit's box, its items those of the quadratic; `each`: the tolerance of a peak.
template <class Parent>
bool cut_ends(BoxVisit<Parent>& visit, const Quadratic& quadratic, const SpectralProof& proof,
              double good_enough, double each) {
  bool much = false;
  for (std::size_t k = 0; k < quadratic.item.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const Index item = quadratic.item[k];
    const Interval in = visit.node.box[item];
    const auto bound_on = [&](Interval end) {
      const double rest = proof.bound - proof.peak[i];
      const double size = std::abs(proof.bound) + std::abs(proof.peak[i]);
      const double bend = quadratic.is_bent() ? quadratic.bend[i] : 0;
      const double bend_at = quadratic.is_bent() ? quadratic.bend_at[i] : 0;
      return rest + bent_peak(proof.l[i], proof.d[i], bend, bend_at, end, each).bound +
             gamma_of(8) * size;
    };
    for (const bool above : {false, true}) {
      for (const double part : {0.75, 0.5, 0.25}) {
        const double cut = above ? in.high - part * in.width() : in.low + part * in.width();
        const Interval end = above ? Interval{cut, in.high} : Interval{in.low, cut};
        const double bound = bound_on(end);
        if (!(bound <= good_enough)) continue;
        visit.cut_off = std::max(visit.cut_off, bound);
        (above ? visit.node.box.high : visit.node.box.low)[item] = cut;
        much = true;
        break;
      }
    }
    if (visit.node.box[item].low > visit.node.box[item].high) {  // both ends: nothing is left
      visit.node.box.fix(item, in.low);
      visit.node.bound = std::min(visit.node.bound, visit.cut_off);
    }
  }
  return much;
}

}  // namespace surefield
