#include "surefield/bounds/spectral/parabola_peak.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/bounds/elbo/line_peak.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

class ParabolaCells {
 public:
  ParabolaCells(double l, double d, double tolerance) : l_(l), d_(d), tolerance_(tolerance) {}

  double bound(Interval in, int depth) {
    const LinePeak peak = line_peak(l_ + d_ * (in.low + in.high) / 2, 1, in);
    const double above = peak.value - d_ * in.low * in.high / 2;
    visit(peak.at);
    if (depth == 0 || !(above - best_ > tolerance_)) return above;
    const double middle = in.low + in.width() / 2;
    if (!(middle > in.low && middle < in.high)) return above;
    const Interval left{in.low, middle}, right{middle, in.high};
    // The half that holds the peak first: the other is then often settled at once.
    const bool left_first = peak.at < middle;
    const double first = bound(left_first ? left : right, depth - 1);
    return std::max(first, bound(left_first ? right : left, depth - 1));
  }

  /// The only stationary point, by Newton's method within bisection; d <= 0.
  double concave_bound(Interval in) {
    double low = in.low, high = in.high, x = in.clamp(sigmoid(l_));
    for (int step = 0; step < 60 && high > low; ++step) {
      const double slope = l_ + d_ * x - logit(x);
      if (slope == 0) break;
      (slope > 0 ? low : high) = x;
      const double bend = d_ - 1 / (x * (1 - x));
      double next = x - slope / bend;
      if (!(next > low && next < high)) next = low + (high - low) / 2;
      if (std::abs(next - x) <= 4e-16 * x) break;
      x = next;
    }
    visit(x);
    return line_peak(l_ + d_ * x, 1, in).value - d_ * x * x / 2;
  }

  double at() const { return at_; }

 private:
  void visit(double x) {
    const double value = l_ * x + d_ * x * x / 2 + entropy(x);
    if (value > best_) best_ = value, at_ = x;
  }

  double l_, d_, tolerance_;
  double best_ = -kInfinity, at_ = 0;
};

}  // namespace

ParabolaPeak parabola_peak(double l, double d, Interval in, double tolerance) {
  const double scale = std::abs(l) + std::abs(d) + 2;
  if (!std::isfinite(scale)) return {kInfinity, in.low};
  ParabolaCells cells(l, d, std::max(tolerance, 1e-15 * scale));
  const double bound = d > 0 ? cells.bound(in, 40) : cells.concave_bound(in);
  return {bound + gamma_of(64) * scale, cells.at()};
}

ParabolaPeak bent_peak(double l, double d, double bend, double at, Interval in, double tolerance) {
  if (bend == 0 || at >= in.high) return parabola_peak(l, d, in, tolerance);
  ParabolaPeak above = parabola_peak(l + bend, d, {std::max(in.low, at), in.high}, tolerance);
  above.bound +=
      gamma_of(8) * (std::abs(l) + std::abs(bend) * (1 + std::abs(at)) + std::abs(above.bound));
  above.bound -= bend * at;
  if (at <= in.low) return above;
  const ParabolaPeak below = parabola_peak(l, d, {in.low, at}, tolerance);
  return above.bound > below.bound ? above : below;
}

}  // namespace surefield
