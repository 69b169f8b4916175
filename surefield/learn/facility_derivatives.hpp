// Derivatives of the extension of a FLID or a facility location: scans along its dimensions.
//
// One dimension, its items l in ascending order of w, e_l the expected best of those below l and P_l
// the chance that none above is chosen:
//
//   m = sum_l w_l x_l P_l      dm/dw_l = x_l P_l      dm/dx_l = (w_l - e_l) P_l
//
// Along a direction v of the point, e changes by T and P by -S, which are scans too:
//
//   T_{l+1} = (1 - x_l) T_l + v_l (w_l - e_l)         S_{l-1} = (1 - x_l) S_l + v_l P_l
//   (H v)_l = -T_l P_l - (w_l - e_l) S_l              d/dt dm/dw_l = v_l P_l - x_l S_l
//
// Cost of each call: O(entries of the model), about 5 ns an entry, no division. Where two items of a
// dimension tie and both have x > 0, m has a kink in their weights. It is convex in them, and what is
// returned there is a subgradient: the item of the higher index is on top, as if its weight grew.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// Holds a copy of what it needs. The calls are those of extension_derivatives.hpp.
class FacilityDerivatives {
 public:
  explicit FacilityDerivatives(const Flid& model);
  explicit FacilityDerivatives(const FacilityLocation& model);

  std::vector<double> in_parameters(std::span<const double> x) const;
  std::vector<double> in_parameters_along(std::span<const double> x,
                                          std::span<const double> v) const;
  std::vector<double> gradient_along(std::span<const double> x, std::span<const double> tau) const;
  std::vector<double> hessian_times(std::span<const double> x, std::span<const double> v) const;
  /// hessian_times and in_parameters_along of v = z e_i, added to `slope` and to `parameters`: what one step of
  /// coordinate ascent sends back, at a sixth of their cost.
  void add_back(std::span<const double> x, Index i, double z, std::span<double> slope,
                std::span<double> parameters) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Link {
    std::uint32_t item;
    double weight;
    std::size_t parameter;  // kNone for an item that is not listed: weight 0
  };
  using Chain = std::span<const Link>;  // ascending

  void find_places();
  std::size_t chains() const { return start_.size() - 1; }
  Chain chain(std::size_t d) const {
    return {links_.data() + start_[d], links_.data() + start_[d + 1]};
  }

  Index items_;
  Index dimensions_;  // of a FLID; 0 of a facility location
  std::size_t parameters_;
  bool flid_;
  std::vector<Link> links_;  // dimension by dimension
  std::vector<std::size_t> start_{0};
  struct Place {
    std::uint32_t chain, rank;
  };
  std::vector<Place> places_;  // of the items in their chains, item by item
  std::vector<std::size_t> first_place_;
};

inline FacilityDerivatives derivatives_of(const Flid& model) { return FacilityDerivatives(model); }
inline FacilityDerivatives derivatives_of(const FacilityLocation& model) {
  return FacilityDerivatives(model);
}

}  // namespace surefield
