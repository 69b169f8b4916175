// A sum of best items as factors: what the bounds by Harris' inequality work on.
//
//   e^{beta F(T)} = e^constant prod_{k in T} alone_k prod_d max(1, max_{k in T} worth_kd)
//
// over the free items of a box, the fixed ones folded in: FLIDs, facility locations, modular terms and
// sums of them with weights >= 0, two folds of a posterior agreement among them.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct BestItemTable {
  Index items = 0, groups = 0;
  double constant = 0;
  std::vector<double> alone;  ///< e^{what an item adds by itself}
  std::vector<double> worth;  ///< e^{value in a group}, group by group; 1 where an item has none
  /// Per group the items of worth > 1, ascending.
  std::vector<std::vector<std::uint32_t>> ranking;
  double error = 0;  ///< how far the logarithm of a product above can be from the true beta F

  const double* of_group(Index d) const { return worth.data() + d * items; }
};

/// Throws Error for a model with other terms, for values below 0, for numbers whose products leave the range
/// of a double, for beta <= 0 and for an interval of the box that is not [0, 1], 0 or 1.
BestItemTable best_item_table(const AnyModel& model, const Box* box, double beta);

}  // namespace surefield
