#include "surefield/bounds/elbo/edge_part.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "surefield/bounds/elbo/line_peak.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr double kWidth = 1e-6;  // of the interval that encloses a peak: the error is of its square
constexpr double kNoEntropy =
    1e-13;  // of the coefficients: below it an entropy's weight is dropped
constexpr int kSteps = 60;

enum class Side { kInside, kLow, kHigh };

/// The best u of slope u + entropy H(u) on an interval.
struct Response {
  double at;
  double spread;  // u (1 - u), the derivative of the sigmoid; 0 where clipped
  Side side;
};

Response respond(double slope, double entropy_weight, Interval in) {
  const double z = slope / entropy_weight;
  const double e = std::exp(-std::abs(z));
  const double small = e / (1 + e);
  const double u = z >= 0 ? 1 / (1 + e) : small;
  if (u <= in.low) return {in.low, 0, Side::kLow};
  if (u >= in.high) return {in.high, 0, Side::kHigh};
  return {u, small / (1 + e), Side::kInside};
}

double line_value(double slope, double entropy_weight, double u) {
  return slope * u + entropy_weight * entropy(u);
}

/// The same at the best u of the interval, which goes to `at`.
double line_maximum(double slope, double entropy_weight, Interval in, double& at) {
  const LinePeak peak = line_peak(slope, entropy_weight, in);
  at = peak.at;
  return peak.value;
}

/// The monotone map x -> best y -> best x, with its derivative and whether that still rises.
struct Image {
  double x;
  double derivative;
  bool rising;  // the derivative has its only maximum to the right of here
  double y;
};

Image image(const EdgePart& part, double gain, double x) {
  const Response y = respond(part.slope_y + part.weight * x, part.entropy_y, part.box_y);
  const Response next = respond(part.slope_x + part.weight * y.at, part.entropy_x, part.box_x);
  bool rising;
  if (y.side != Side::kInside)
    rising = y.side == Side::kHigh;
  else if (next.side != Side::kInside)
    rising = next.side == Side::kLow;
  else
    rising = (1 - 2 * next.at) * (part.weight / part.entropy_x) * y.spread + (1 - 2 * y.at) < 0;
  return {next.at, gain * y.spread * next.spread, rising, y.at};
}

/// low <= fixed point <= high; `elsewhere`: none this side of the only one, which lies above low.
struct Enclosure {
  double low, high;
  enum { kSettled, kElsewhere, kOpen } state;
};

/// Newton from below on image(x) - x, which is convex and falling as long as it may be trusted.
Enclosure least_fixed_point(const EdgePart& part, double gain, double width) {
  const double end = part.box_x.high;
  double x = part.box_x.low;
  Image now = image(part, gain, x);
  for (int step = 0; step < kSteps; ++step) {
    const double rise = now.x - x;
    if (rise <= 0) return {x, x, Enclosure::kSettled};
    if (!(now.derivative < 1) || !now.rising) return {x, end, Enclosure::kElsewhere};
    double next = std::min(end, x + rise / (1 - now.derivative));
    if (next - x <= width) {
      const double high = std::min(end, next + width);
      if (image(part, gain, high).x <= high) return {x, high, Enclosure::kSettled};
    }
    Image there = image(part, gain, next);
    while (!there.rising && next > now.x) {  // past the bend nothing is known: come back
      next = std::max(now.x, x + (next - x) / 2);
      there = image(part, gain, next);
    }
    if (next <= x) return {x, x, Enclosure::kSettled};
    x = next;
    now = there;
  }
  return {x, end, Enclosure::kOpen};
}

/// The only fixed point between two points that the map moves towards each other.
Enclosure only_fixed_point(const EdgePart& part, double gain, double width, Interval in) {
  double low = in.low, high = in.high;
  double x = low + (high - low) / 2;
  for (int step = 0; step < kSteps && high - low > width; ++step) {
    const Image now = image(part, gain, x);
    const double rise = now.x - x;
    (rise >= 0 ? low : high) = x;
    double next = x + rise / (1 - now.derivative);
    if (std::abs(next - x) < width / 2) {  // close the interval around it
      next = rise >= 0 ? std::min(high, next + width / 2) : std::max(low, next - width / 2);
      const double moved = image(part, gain, next).x - next;
      (moved >= 0 ? low : high) = next;
      if (high - low <= width) break;
      next = low + (high - low) / 2;
    }
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    x = next;
  }
  return {low, high, high - low <= width ? Enclosure::kSettled : Enclosure::kOpen};
}

/// With psi(x) = max_y ..., convex: psi(x) <= psi(low) + (x - low) psi'(high) for low <= x <= high.
EdgePeak enclosed_peak(const EdgePart& part, double low, double high) {
  EdgePeak peak;
  const double foot =
      line_maximum(part.slope_y + part.weight * low, part.entropy_y, part.box_y, peak.y);
  if (high > low)
    peak.y = respond(part.slope_y + part.weight * high, part.entropy_y, part.box_y).at;
  const double steepest = part.weight * peak.y;  // psi'(high)
  const double top = line_maximum(part.slope_x + steepest, part.entropy_x, part.box_x, peak.x);
  peak.bound = foot - low * steepest + top;
  peak.x = std::clamp(peak.x, low, high);
  return peak;
}

/// Bisection, for what could not be enclosed: where the map is flat against the diagonal to within
/// rounding. `reached` is the best value seen so far.
EdgePeak open_peak(const EdgePart& part, double low, double high, double tolerance, int depth,
                   double& reached) {
  const EdgePeak whole = enclosed_peak(part, low, high);
  reached = std::max(reached, part.value(whole.x, whole.y));
  // Numbers beyond a double never come within the tolerance.
  if (depth == 0 || !(whole.bound - reached > tolerance) || !std::isfinite(whole.bound) ||
      !std::isfinite(reached))
    return whole;
  const double middle = low + (high - low) / 2;
  const EdgePeak left = open_peak(part, low, middle, tolerance, depth - 1, reached);
  const EdgePeak right = open_peak(part, middle, high, tolerance, depth - 1, reached);
  return left.bound > right.bound ? left : right;
}

/// x -> 1 - x, y -> 1 - y keeps the form and turns the greatest fixed point into the least.
EdgePart reflected(const EdgePart& part) {
  EdgePart other = part;
  other.slope_x = -part.slope_x - part.weight;
  other.slope_y = -part.slope_y - part.weight;
  other.box_x = {1 - part.box_x.high, 1 - part.box_x.low};
  other.box_y = {1 - part.box_y.high, 1 - part.box_y.low};
  return other;
}

EdgePart swapped(const EdgePart& part) {
  return {part.weight,    part.slope_y, part.slope_x, part.entropy_y,
          part.entropy_x, part.box_y,   part.box_x};
}

/// One end is at an end of its interval (or fixed there): the other is closed form.
EdgePeak peak_with_y(const EdgePart& part, double y) {
  EdgePeak peak;
  peak.y = y;
  peak.bound = line_maximum(part.slope_x + part.weight * y, part.entropy_x, part.box_x, peak.x) +
               line_value(part.slope_y, part.entropy_y, y);
  return peak;
}

EdgePeaks peaks_at_ends_of_y(const EdgePart& part) {
  EdgePeaks peaks;
  peaks.peak[0] = peak_with_y(part, part.box_y.high);  // the smaller x first
  peaks.peak[1] = peak_with_y(part, part.box_y.low);
  peaks.count = part.box_y.is_point() ? 1 : 2;
  return peaks;
}

EdgePeaks peaks_with_entropy(const EdgePart& part, double scale) {
  EdgePeaks peaks;
  const double gain = part.weight * part.weight / (part.entropy_x * part.entropy_y);
  const double width =
      std::min(kWidth, std::sqrt(1e-13 * scale * part.entropy_y) / std::abs(part.weight));
  if (gain <= 16) {  // the derivative is at most gain / 16: one fixed point
    const Enclosure only = only_fixed_point(part, gain, width, part.box_x);
    peaks.peak[0] = enclosed_peak(part, only.low, only.high);
    return peaks;
  }
  const Enclosure least = least_fixed_point(part, gain, width);
  const Enclosure mirror = least_fixed_point(reflected(part), gain, width);
  const Enclosure greatest{1 - mirror.high, 1 - mirror.low, mirror.state};
  if (least.state == Enclosure::kSettled && greatest.state == Enclosure::kSettled) {
    peaks.peak[0] = enclosed_peak(part, least.low, least.high);
    if (greatest.low > least.high) {
      peaks.peak[1] = enclosed_peak(part, greatest.low, greatest.high);
      peaks.count = 2;
    }
  } else if (least.state == Enclosure::kSettled && greatest.state == Enclosure::kElsewhere) {
    peaks.peak[0] = enclosed_peak(part, least.low, least.high);
  } else if (greatest.state == Enclosure::kSettled && least.state == Enclosure::kElsewhere) {
    peaks.peak[0] = enclosed_peak(part, greatest.low, greatest.high);
  } else {
    double reached = -kInfinity;
    peaks.peak[0] =
        open_peak(part, least.low, std::max(least.low, greatest.high), 1e-10 * scale, 20, reached);
  }
  return peaks;
}

EdgePeaks raw_peaks(const EdgePart& part, double scale) {
  if (part.box_y.is_point() || part.entropy_y == 0) return peaks_at_ends_of_y(part);
  if (part.box_x.is_point() || part.entropy_x == 0) {
    EdgePeaks peaks = peaks_at_ends_of_y(swapped(part));
    for (EdgePeak& peak : peaks.peak) std::swap(peak.x, peak.y);
    if (peaks.count == 2) std::swap(peaks.peak[0], peaks.peak[1]);
    return peaks;
  }
  if (part.weight == 0) {
    EdgePeaks peaks;
    EdgePeak& peak = peaks.peak[0];
    peak.bound = line_maximum(part.slope_x, part.entropy_x, part.box_x, peak.x) +
                 line_maximum(part.slope_y, part.entropy_y, part.box_y, peak.y);
    return peaks;
  }
  return peaks_with_entropy(part, scale);
}

}  // namespace

double EdgePart::value(double x, double y) const {
  return weight * x * y + line_value(slope_x, entropy_x, x) + line_value(slope_y, entropy_y, y);
}

double EdgePeaks::bound() const { return best().bound; }

const EdgePeak& EdgePeaks::best() const {
  return count == 2 && peak[1].bound > peak[0].bound ? peak[1] : peak[0];
}

EdgePeaks edge_peaks(const EdgePart& part) {
  const double linear = std::abs(part.weight) + std::abs(part.slope_x) + std::abs(part.slope_y);
  const double scale = linear + part.entropy_x + part.entropy_y;
  EdgePart kept = part;
  double slack = kEdgeMargin * scale;
  for (double* const weight : {&kept.entropy_x, &kept.entropy_y})
    if (*weight <= kNoEntropy * linear) {  // so that no quotient overflows; H <= log 2
      slack += *weight * std::numbers::ln2;
      *weight = 0;
    }
  const bool attractive = part.weight > 0;
  double offset = 0;
  if (attractive) {  // y -> 1 - y
    offset = part.slope_y;
    kept.slope_x += part.weight;
    kept.slope_y = -part.slope_y;
    kept.weight = -part.weight;
    kept.box_y = {1 - part.box_y.high, 1 - part.box_y.low};
  }
  EdgePeaks peaks = raw_peaks(kept, scale);
  for (EdgePeak& peak : peaks.peak) {
    peak.bound += offset + slack;
    if (attractive) peak.y = 1 - peak.y;
  }
  return peaks;
}

}  // namespace surefield
