// Do items come as often as the model says? Its marginals against the frequencies of held-out sets.
//
//   f_i = share of the N sets that hold i               z_i = (f_i - p_i) / sqrt(p_i (1 - p_i) / N)
//   expected calibration error = sum over bins of (items in the bin / n) |mean p - mean f|
//
// Bins hold equally many items, in order of p: marginals of real items crowd near 0, where bins of
// equal width would hold all or nothing. Under a true model each z_i is about standard normal, so
// the mean of z_i^2 is about 1; as the items of a set depend on one another, their sum is not a
// chi-square and no p-value is given. Cost: O(total size + n log n).
#pragma once

#include <span>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/set_collection.hpp"

namespace surefield {

struct CalibrationBin {
  Index items = 0;
  Interval range;             ///< of p
  double predicted = 0;       ///< mean p
  double observed = 0;        ///< mean f
  double standard_error = 0;  ///< of `observed` under the model, were the items independent
};

struct ItemCalibration {
  double predicted = 0, observed = 0;
  /// 0 where p is 0 or 1 and f agrees; infinite where p is 0 or 1 and f does not.
  double z = 0;
};

struct Calibration {
  Index sets = 0;
  bool complete = true;  ///< false: the budget was spent; `sets` counts those seen, at least one
  std::vector<CalibrationBin> bins;  ///< ascending in p; as many as asked for, at most one an item
  std::vector<ItemCalibration> items;  ///< one an item
  double expected_error = 0;           ///< 0 where there are no items
  double worst_bin_error = 0;
  double mean_square_z = 0;  ///< over the items whose z is finite; about 1 under a true model
  Index impossible = 0;      ///< items whose z is infinite
};

/// Throws Error if there is no set or no bin, a marginal is outside [0, 1], or there is not one for
/// every item.
Calibration calibrate(std::span<const double> marginals, const SetCollection& held_out,
                      Index bins = 10, const Budget& budget = {});

}  // namespace surefield
