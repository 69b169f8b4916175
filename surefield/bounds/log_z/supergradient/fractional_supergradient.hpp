// Upper bounds of log Z by supergradients that touch the multilinear extension inside the cube.
//
//   F(S) <= m(y) + sum_{i in S} (1 - y_i) up_i - sum_{i not in S} y_i down_i      for every y
//
//     growing     up_i = g_i(y)    down_i = g_i(1)         g: the partials of m; F submodular
//     shrinking   up_i = g_i(0)    down_i = g_i(y)
//
//   log Z(beta) <= beta m(y) + sum_i log(e^{beta (1 - y_i) up_i} + e^{-beta y_i down_i})
//
// (from y up to y v S along a line on which m is concave, then down to S.) At a corner y = A they
// are the bounds `grow` and `shrink` of supergradients.hpp. Along one coordinate m and all g_j are
// affine, so the bound is convex there: coordinates are minimised in turn, each exactly. Any y is
// valid. With fixed items everything is meant given them.
// Cost: a sweep n times (two gradients and O(n) per step of a line search of about 30).
// docs/log_z_bounds.md derives it.
#pragma once

#include <span>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

enum class FractionalKind { kGrowing, kShrinking };

struct FractionalOptions {
  double beta = 1;
  std::size_t sweeps = 30;
  double progress = 1e-6;  ///< stops when a sweep gains less
  Budget budget = {};
};

struct FractionalBound {
  double log_z_upper = kInfinity;
  std::vector<double> point;  ///< y, fixed items included
};

/// The bounds of one model at one temperature, for as many y as wanted.
class FractionalSupergradient {
 public:
  /// Throws Error for beta not finite and > 0, an interval that is not [0, 1], 0 or 1, a model that
  /// is not submodular, and one whose extension is estimated only.
  FractionalSupergradient(AnyModel model, const Box* box, FractionalKind kind, double beta);

  /// The free items at v, the fixed ones where they are.
  std::vector<double> corner(double v) const;

  /// The bound at y; fixed items are taken as fixed.
  FractionalBound at(std::vector<double> y) const;

  /// Coordinate after coordinate from y on, each to its minimum.
  FractionalBound minimise(std::vector<double> y, const FractionalOptions& options) const;

 private:
  double value(double extension, std::span<const double> y, std::span<const double> slope) const;

  AnyModel model_;
  FractionalKind kind_;
  double beta_;
  FreeItems fixed_;
  std::vector<double> limit_;  // g(1) or g(0)
  double margin_ = 0;
};

/// log Z over the sets of the box <= log_z_upper: the better of growing and shrinking, each from 0
/// and from 1/2. Throws Error as FractionalSupergradient does.
FractionalBound fractional_bound(const AnyModel& model, const Box* box = nullptr,
                                 const FractionalOptions& options = {});

}  // namespace surefield
