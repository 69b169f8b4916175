// A facility location or FLID as a full table over the free items, the fixed ones folded in.
//
//   beta F(in + T) = value + sum_{j in T} modular_j + sum_d max(0, max_{j in T} weight_jd)
//
// modular_j = -beta cost_j, weight_jd = beta max(w_jd - best_d, 0) with best_d the best of the
// items that are in. If none is in and a weight is negative, the 0 must not be there, and
// `floor_is_zero` is false: the best of some items may be below the best of none, which is 0.
#pragma once

#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/models/facility_location/facility_location.hpp"

namespace surefield {

struct DenseFacility {
  Index items = 0;      ///< free items
  Index customers = 0;  ///< a multiple of 4: customers of weight 0 are added
  double value = 0;
  bool floor_is_zero = true;
  std::vector<double> modular;
  std::vector<double> weights;  ///< item by item

  const double* row(Index i) const { return weights.data() + i * customers; }
};

DenseFacility dense_facility(const FacilityLocation& model, const FreeItems& which, double beta);

}  // namespace surefield
