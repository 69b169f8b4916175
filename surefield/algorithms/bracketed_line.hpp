// A concave line whose maximum has no closed form, maximised to a stated additive error.
//
// Bisection on the sign of the slope, which never grows. At u with the maximiser between u and an
// end v of the bracket,
//
//   value(best) - value(u) <= |slope(u)| |v - u|          (concave: the tangent lies above)
//
// so the search stops with a proof as soon as the right side is within `error`. With every line of
// a double greedy pass maximised to error delta/n the guarantee loses at most 5 delta/4 (Bian,
// Buhmann, Krause 2019, Theorem 1), and the certificate grows by the errors. Cost: one slope a
// halving, about log2(|slope| width / error) of them.
#pragma once

#include <cmath>
#include <concepts>
#include <utility>

#include "surefield/core/box.hpp"
#include "surefield/core/error.hpp"

namespace surefield {

template <class L>
concept SlopedLine = requires(const L& line, double u) {
  { line.slope(u) } -> std::same_as<double>;    // non-increasing
  { line.rise(u, u) } -> std::same_as<double>;  // value(second) - value(first)
};

template <SlopedLine L>
class BracketedLine {
 public:
  /// Throws Error unless the error is finite and > 0.
  BracketedLine(L line, double error) : line_(std::move(line)), error_(error) {
    require(std::isfinite(error) && error > 0, "bracketed line: the error is ", error,
            ", which must be finite and > 0");
  }

  double slope(double u) const { return line_.slope(u); }
  double rise(double from, double to) const { return line_.rise(from, to); }

  /// A point whose value is within error() of the best on the interval.
  double argmax(Interval in) const {
    if (in.is_point() || line_.slope(in.low) <= 0) return in.low;
    if (line_.slope(in.high) >= 0) return in.high;
    double low = in.low;    // slope > 0
    double high = in.high;  // slope < 0
    for (;;) {
      const double u = low + (high - low) / 2;
      if (u == low || u == high) return u;  // neighbours: nothing lies between
      const double slope = line_.slope(u);
      if (slope == 0) return u;
      const double to_the_end = slope > 0 ? high - u : u - low;
      if (std::abs(slope) * to_the_end <= error_) return u;
      (slope > 0 ? low : high) = u;
    }
  }

  double error() const { return error_; }

 private:
  L line_;
  double error_;
};

}  // namespace surefield
