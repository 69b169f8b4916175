// The sizes and roundings of a pairwise field, added up node by node: by one process over all nodes, or by several over
// some each, with the same bits (core/block_sum.hpp). What is counted stands in pairwise_field_facts.cpp.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "surefield/core/block_sum.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

struct FieldSizes {
  BlockSum magnitude, value_error, gain_error_sum;
  double gain_error = 0;  ///< the largest

  /// Node i of the whole field; the couplings to nodes behind it are the last `behind` of all.
  void add(Index i, double bias, std::span<const double> couplings, Index behind);

  /// Once all nodes are in.
  Facts facts(double constant, Index nodes, Index edges, double inherited_error,
              std::optional<std::string> violation) const;
};

}  // namespace surefield
