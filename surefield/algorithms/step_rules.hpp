// Where double greedy settles a coordinate, between the best move from above (down) and from below
// (up).
//
//   Proportional   weighs up and down by their gains: 1/2
//                  Bian, Buhmann, Krause 2019, Algorithm 1 (DR-DoubleGreedy)
//   Winner         the move with the larger gain: 1/3
//                  Bian, Mirzasoleiman, Buhmann, Krause 2017 (Submodular-DoubleGreedy)
//   Balanced       the root of A'(z)(b-z) + B'(z)(z-a): 1/2
//                  Niazadeh, Roughgarden, Wang 2018, Algorithm 4 (BSCB)
//   Equalised      equal losses from either side: 1/2, and the tightest certificate
//   Guarded        any hint, moved just as far towards Equalised as the 1/2 guarantee needs
//
// docs/double_greedy.md derives them. Lines that are linear plus the binary entropy (EntropicLine)
// have closed forms.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {

namespace detail {

inline double between(double low, double high) { return low + (high - low) / 2; }

template <Line L>
double gain_up(const Step<L>& step) {
  return std::max(0.0, step.from_below.rise(step.in.low, step.up));
}
template <Line L>
double gain_down(const Step<L>& step) {
  return std::max(0.0, step.from_above.rise(step.in.high, step.down));
}

/// The last point of [from, to] (either order) where a non-increasing test still holds; it holds at
/// from. The bracket is halved so many times.
template <class Test>
double last_where(Test&& holds, double from, double to, int halvings = 50) {
  for (int k = 0; k < halvings && from != to; ++k) {
    const double middle = between(from, to);
    if (middle == from || middle == to) break;
    (holds(middle) ? from : to) = middle;
  }
  return from;
}

}  // namespace detail

/// u = (gain_up * up + gain_down * down) / (gain_up + gain_down); where both gains are zero nothing
/// is to be had: the middle.
struct Proportional {
  template <Line L>
  double operator()(const Step<L>& step) const {
    const double a = detail::gain_up(step);
    const double b = detail::gain_down(step);
    const double larger = std::max(a, b);
    if (larger == 0 || (a == b && !std::isfinite(larger)))
      return detail::between(step.down, step.up);
    if (!std::isfinite(larger)) return a > b ? step.up : step.down;
    // Scaled, so that gains of 1e300 do not overflow.
    return (a / larger * step.up + b / larger * step.down) / (a / larger + b / larger);
  }
};

struct Winner {
  template <Line L>
  double operator()(const Step<L>& step) const {
    return detail::gain_up(step) >= detail::gain_down(step) ? step.up : step.down;
  }
};

/// BSCB with the root found to rounding.
struct Balanced {
  template <Line L>
  double operator()(const Step<L>& step) const {
    if (step.from_below.slope(step.in.low) <= 0) return step.in.low;
    if (step.from_above.slope(step.in.high) >= 0) return step.in.high;
    if (step.up <= step.down) return step.up;
    if constexpr (EntropicLine<L>) {
      if (std::isfinite(step.from_below.linear() - step.from_above.linear())) return entropic(step);
    }
    return detail::last_where(
        [&](double z) {
          return step.from_below.slope(z) * (step.in.high - z) +
                     step.from_above.slope(z) * (z - step.in.low) >
                 0;
        },
        step.down, step.up);
  }

 private:
  /// Newton in v = logit z on v - g_x + (g_x - g_y) (s(v) - a)/(b - a), increasing in v, kept
  /// inside a bracket.
  template <EntropicLine L>
  static double entropic(const Step<L>& step) {
    const double g = step.from_below.linear();
    const double fall = (g - step.from_above.linear()) / step.in.width();
    // The logits of down and up: the slopes themselves unless the box cuts in. Beyond +-745 the
    // sigmoid is 0 or 1 to a double.
    const bool inside = step.up == step.from_below.peak() && step.down == step.from_above.peak();
    double low = std::clamp(inside ? step.from_above.linear() : logit(step.down), -745.0, 745.0);
    double high = std::clamp(inside ? g : logit(step.up), -745.0, 745.0);
    if (!(low < high)) return step.up;  // one point, but for rounding
    double v =
        std::clamp(g - fall * (detail::between(step.down, step.up) - step.in.low), low, high);
    for (int k = 0; k < 100; ++k) {
      const double s = sigmoid(v);
      const double h = v - g + fall * (s - step.in.low);
      (h < 0 ? low : high) = v;
      double next = v - h / (1 + fall * s * (1 - s));
      const bool newton = next >= low && next <= high;
      if (!newton) next = detail::between(low, high);
      const double moved = std::abs(next - v);
      v = next;
      // A Newton step this short leaves an error of its square; bisection goes on to rounding.
      if (moved <= (newton ? 1e-9 : 1e-15) * (1 + std::abs(v))) break;
    }
    return sigmoid(v);
  }
};

/// BSCB as its authors' successors released it: plain bisection to a width of epsilon (b - a)/n,
/// the last midpoint returned. For reproducing published numbers; Balanced is faster and exact.
struct BalancedByBisection {
  double tolerance;  ///< epsilon / n

  template <Line L>
  double operator()(const Step<L>& step) const {
    double low = step.in.low;
    double high = step.in.high;
    if (step.from_below.slope(low) <= 0) return low;
    if (step.from_above.slope(high) >= 0) return high;
    double z = detail::between(low, high);
    while (high - low > tolerance * step.in.width()) {
      z = low + (high - low) / 2;
      if (z <= low || z >= high) break;  // no double is left between them
      const double balance = step.from_below.slope(z) * (step.in.high - z) +
                             step.from_above.slope(z) * (z - step.in.low);
      (balance > 0 ? low : high) = z;
    }
    return z;
  }
};

/// The u where both losses are equal. For entropic lines with the peaks inside: (softplus(g_x) -
/// softplus(g_y)) / (g_x - g_y).
struct Equalised {
  template <Line L>
  double operator()(const Step<L>& step) const {
    if (step.up <= step.down) return step.up;
    if constexpr (EntropicLine<L>) {
      const double low = step.from_above.linear();
      const double high = step.from_below.linear();
      if (std::isfinite(high - low))
        return std::clamp(entropic(step, low, high), step.down, step.up);
    }
    return detail::last_where(  // the loss from below falls in u, the one from above grows
        [&](double u) {
          return step.from_below.rise(u, step.up) >= step.from_above.rise(u, step.down);
        },
        step.down, step.up);
  }

 private:
  template <EntropicLine L>
  static double entropic(const Step<L>& step, double low, double high) {
    const double fall = high - low;
    if (fall <= 0) return step.up;
    const bool inside = step.up < step.in.high && step.up > step.in.low &&
                        step.down < step.in.high && step.down > step.in.low;
    if (inside && fall < 30)
      return std::log1p(std::expm1(fall) * sigmoid(low)) / fall;  // no cancellation
    if (inside) return (softplus(high) - softplus(low)) / fall;
    const double peaks =
        (high * step.up - low * step.down) + (entropy(step.up) - entropy(step.down));
    return peaks / fall;
  }
};

/// Settles at the hint where the guarantee allows it, else as near to it as it does. The allowed
/// points form an interval around the equalised one: (gain_up + gain_down - loss_up - loss_down)/2
/// >= max(loss_up, loss_down).
struct Guarded {
  std::span<const double> hint;  ///< one value per coordinate; must outlive the rule

  template <Line L>
  double operator()(const Step<L>& step) const {
    const double gains = detail::gain_up(step) + detail::gain_down(step);
    const auto allowed = [&](double u) {
      const double up = std::max(0.0, step.from_below.rise(u, step.up));
      const double down = std::max(0.0, step.from_above.rise(u, step.down));
      return gains - up - down >= 2 * std::max(up, down);
    };
    const double wish = std::clamp(hint[step.coordinate], step.down, step.up);
    if (allowed(wish)) return wish;
    return detail::last_where(allowed, Equalised{}(step), wish, 12);  // any allowed point will do
  }
};

}  // namespace surefield
