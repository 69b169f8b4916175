// The best of a maximum: one dimension of a facility location or FLID model, or one concept of a
// coverage, as a part of a dual decomposition.
//
//   m_r(x) = E max_{i in S, i counts} w_i,   w >= 0 and 0 for none;   i counts with chance p_i
//
// For facility location p = 1; all weights equal make a concept, w (1 - prod_i (1 - p_i x_i)).
// With items in ascending order of weight, e_l = (1 - p_l x_l) e_{l-1} + p_l x_l w_l and
// e_n = m_r(x), so
//
//   V_n(e) = e,   V_l(e) = max_x theta_l x + c_l H(x) + V_{l+1}(e + x p_l (w_l - e)),   P = V_0(0)
//
// is a recursion with one number as its state. Every V_l is a maximum of affine functions of e,
// hence convex and increasing: chords between grid points lie above it, and a convex piecewise
// linear function is the maximum of its lines j, for which the maximum over x is closed form:
//
//   V_l(e) <= max_j line_j(e) + max_x (theta_l + slope_j p_l (w_l - e)) x + c_l H(x)
//
// so the result is an upper bound on any grid. The grid is refined where the maximising path runs,
// until the bound is within `precision` of the value of that path. The box is first contracted to
// what a maximiser of the part can reach (m_r is DR-submodular, so its slopes at either end of the
// box bound those inside). Cost: O(n) per contraction sweep, O(n G) exponentials per pass with G
// grid points a layer, typically 4 to 20, and 1 to 5 passes. docs/dual_decomposition.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace surefield {

class MaxPart {
 public:
  /// weight[k] and chance[k] belong to item members[k]; chances are 1 if not given. Throws Error
  /// unless the lists are of one length, every weight is finite and >= 0, every chance in [0, 1].
  MaxPart(std::span<const std::uint32_t> members, std::span<const double> weight);
  MaxPart(std::span<const std::uint32_t> members, std::span<const double> weight,
          std::span<const double> chance);

  /// In ascending order of weight.
  std::span<const std::uint32_t> members() const { return members_; }
  std::span<const double> weights() const { return weight_; }
  std::span<const double> chances() const { return chance_; }

  /// See DualPart. The margin for rounding is 2e-15 (n + 16) of w + sum |theta| + c.
  double bound(std::span<const double> theta, std::span<const double> c,
               std::span<const double> low, std::span<const double> high, double precision,
               std::span<double> x) const;

  double value(std::span<const double> x) const;
  /// dm_r/dx_k for all members, O(n).
  void gradient(std::span<const double> x, std::span<double> out) const;

  /// See TravellingPart (part_help.hpp): the grids of the last call, whose points and slopes the next one begins with.
  std::string notes() const;
  void recall(std::string_view notes) const;
  std::size_t work() const;

 private:
  struct Layer {
    std::vector<double> e;      // grid, ascending
    std::vector<double> v;      // upper bound of V there, convex
    std::vector<double> slope;  // of the chord from e[j] to e[j + 1]
  };
  struct Choice {
    double value;
    double x;
  };
  struct Problem {  // the arguments of bound, and the box a maximiser can reach
    std::span<const double> theta, c;
    std::vector<double> low, high, entropy_low, entropy_high;
  };

  /// How far x_k = 1 takes the state on from e.
  double step(std::size_t k, double e) const { return chance_[k] * (weight_[k] - e); }
  void contract() const;
  void lay_grids(double harmless) const;
  void solve_layer(std::size_t k) const;
  Choice best(std::size_t k, double e) const;
  double at(std::size_t k, double e) const;
  bool refine(std::size_t k, double e, double factor) const;
  bool insert(std::size_t k, double e) const;

  std::vector<std::uint32_t> members_;
  std::vector<double> weight_;
  std::vector<double> chance_;
  mutable Problem now_;
  mutable std::vector<Layer> layers_;  // of the last call: its grids start the next one
  mutable std::vector<double> below_, above_, path_;
};

}  // namespace surefield
