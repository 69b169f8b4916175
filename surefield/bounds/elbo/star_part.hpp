// A node of a pairwise field with some of its edges, as a part of a dual decomposition.
//
//   m_r(x) = t sum_j w_j x_j             t the centre, x_j its leaves, couplings of either sign
//
// Given t the leaves are closed form, each the best of a line (line_peak.hpp), and
//
//   P = max_t theta_0 t + c_0 H(t) + psi(t),   psi(t) = sum_j max_u (theta_j + w_j t) u + c_j H(u)
//
// with psi a maximum of affine functions of t, hence convex: between two points it lies below its
// chord, and chord plus entropy is the best of a line again. So any grid of t gives an upper bound;
// points are added where it is attained, until it is within `precision` of the value there. A star
// bounds no worse than its edges one by one (edge_part.hpp), whose centres could disagree.
// Cost: one exponential and logarithm a leaf and point; some 4 to 30 points.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/packing.hpp"

namespace surefield {

class StarPart {
 public:
  /// weight[k] couples leaves[k] to the centre. Throws Error unless the lists are of one length and
  /// every weight is finite.
  StarPart(std::uint32_t centre, std::span<const std::uint32_t> leaves,
           std::span<const double> weight);

  /// The centre, then the leaves.
  std::span<const std::uint32_t> members() const { return members_; }
  std::span<const double> weights() const { return weight_; }  ///< of the leaves

  /// See DualPart. The margin for rounding is 2e-15 (n + 16) of sum |w| + |theta| + c.
  double bound(std::span<const double> theta, std::span<const double> c,
               std::span<const double> low, std::span<const double> high, double precision,
               std::span<double> x) const;

  double value(std::span<const double> x) const;
  void gradient(std::span<const double> x, std::span<double> out) const;

  /// See TravellingPart (part_help.hpp).
  std::string notes() const { return packed(last_); }
  void recall(std::string_view notes) const { last_ = unpacked<double>(notes); }
  std::size_t work() const { return members_.size(); }

 private:
  std::vector<std::uint32_t> members_;
  std::vector<double> weight_;
  mutable double last_ = 0.5;  // where the centre was best in the last call: the first point to try
};

}  // namespace surefield
