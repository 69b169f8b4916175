// The layers of a MaxPart: V_k on its grid, from that of the next layer, and finer where the bound asks for it.
#include <algorithm>
#include <cmath>

#include "surefield/bounds/elbo/max_part.hpp"
#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

constexpr std::size_t kGridLimit = 400;  // points a layer; beyond, precision is not promised
constexpr double kClosestOnGrid = 1e-6;  // least distance of grid points, relative to the range
constexpr double kSteepest = 2;          // no V rises faster than e; twice that is rounding alone

/// argmax over [0, 1] of slope x + c H(x).
double peak(double slope, double c) { return c > 0 ? sigmoid(slope / c) : (slope > 0 ? 1.0 : 0.0); }

/// max over [0, 1] of slope x + c H(x); right for c = 0 and for slope / c infinite.
double peak_value(double slope, double c) {
  return std::max(slope, 0.0) + (c > 0 ? c * std::log1p(std::exp(-std::abs(slope) / c)) : 0.0);
}

}  // namespace

/// The grids of the last call, cut to the ranges of this one, without the points that did not
/// matter: those whose removal raises a chord by less than `harmless`.
void MaxPart::lay_grids(double harmless) const {
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    Layer& layer = layers_[k];
    const double from = below_[k];
    const double to = above_[k];
    const double apart = kClosestOnGrid * (to - from);
    path_.clear();
    path_.push_back(from);
    bool left_out = false;
    for (std::size_t j = 1; j + 1 < layer.e.size(); ++j) {
      const double left = layer.e[j] - layer.e[j - 1];
      const double right = layer.e[j + 1] - layer.e[j];
      const double raise = (layer.slope[j] - layer.slope[j - 1]) * left * right / (left + right);
      left_out = !left_out && raise < harmless;
      if (!left_out && layer.e[j] > path_.back() + apart && layer.e[j] < to - apart)
        path_.push_back(layer.e[j]);
    }
    if (to > from) {
      if (path_.size() == 1) path_.push_back(from + (to - from) / 2);
      path_.push_back(to);
    }
    layer.e.assign(path_.begin(), path_.end());
  }
}

/// V_k at e by interpolation.
double MaxPart::at(std::size_t k, double e) const {
  const Layer& layer = layers_[k];
  if (layer.slope.empty()) return layer.v[0];
  std::size_t j = 0;
  while (j + 1 < layer.slope.size() && layer.e[j + 1] <= e) ++j;
  return layer.v[j] + layer.slope[j] * (e - layer.e[j]);
}

/// The recursion at one point: the maximum over x and over the lines of the next layer. Only lines
/// that are on top at their own maximiser can hold the maximum; the others are skipped: the
/// maximiser of a steeper line is larger, so if that of line j lies to the right of its piece, no
/// line before the one on top there counts, and likewise from the other end.
MaxPart::Choice MaxPart::best(std::size_t k, double e) const {
  const double theta = now_.theta[k];
  const double c = now_.c[k];
  const double low = now_.low[k];
  const double high = now_.high[k];
  const double d = std::max(0.0, step(k, e));
  const Layer& next = layers_[k + 1];
  const std::size_t pieces = next.slope.size();
  if (pieces == 0 || d == 0) {
    const double x = std::clamp(peak(theta, c), low, high);
    const double gain = x == low    ? theta * low + c * now_.entropy_low[k]
                        : x == high ? theta * high + c * now_.entropy_high[k]
                                    : peak_value(theta, c);
    return {gain + (pieces == 0 ? next.v[0] : at(k + 1, e)), x};
  }
  const double* const knot = next.e.data();
  const double* const slope = next.slope.data();
  const double start = e + low * d;
  const double reach = e + high * d;
  const auto target = [&](std::size_t j) {
    return e + std::clamp(peak(theta + slope[j] * d, c), low, high) * d;
  };
  // The piece that holds a point, between two known ones: the last whose left end is not beyond it.
  const auto piece = [&](double point, std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::upper_bound(knot + from + 1, knot + to + 1, point) -
                                    knot) -
           1;
  };
  const std::size_t first = piece(start, 0, pieces - 1);
  std::size_t last = piece(reach, first, pieces - 1);
  while (last > first) {
    const double to = target(last);
    if (to >= knot[last]) break;
    last = piece(to, first, last - 1);
  }
  Choice found{-kInfinity, low};
  bool look = true;  // at the first line, and where a jump lands: rounding must not lose the peak
  for (std::size_t j = first; j <= last;) {
    const double total = theta + slope[j] * d;
    const double x = peak(total, c);
    const double to = e + std::clamp(x, low, high) * d;
    if (j < last && to > knot[j + 1]) {
      j = piece(to, j + 1, last);
      look = true;
      continue;
    }
    if (to >= knot[j] || look) {
      const double line = next.v[j] + slope[j] * (e - knot[j]);
      const double value = x <= low    ? line + total * low + c * now_.entropy_low[k]
                           : x >= high ? line + total * high + c * now_.entropy_high[k]
                                       : line + peak_value(total, c);
      if (value > found.value) found = {value, std::clamp(x, low, high)};
    }
    look = false;
    ++j;
  }
  return found;
}

void MaxPart::solve_layer(std::size_t k) const {
  Layer& layer = layers_[k];
  const std::size_t size = layer.e.size();
  layer.v.resize(size);
  layer.slope.resize(size - 1);
  for (std::size_t j = 0; j < size; ++j) layer.v[j] = best(k, layer.e[j]).value;
  double least = 0;
  for (std::size_t j = 0; j + 1 < size; ++j) {
    const double width = layer.e[j + 1] - layer.e[j];
    layer.v[j + 1] =
        std::max(layer.v[j + 1], layer.v[j] + least * width);  // convex in spite of rounding
    layer.slope[j] = std::max(least, (layer.v[j + 1] - layer.v[j]) / width);
    if (layer.slope[j] > kSteepest) {  // the values differ by rounding, the points by less
      layer.slope[j] = kSteepest;
      layer.v[j + 1] = layer.v[j] + kSteepest * width;
    }
    least = layer.slope[j];
  }
}

/// Adds grid points at e and to either side of it, close enough that a chord of the same curvature
/// is off by `factor` of what it is now.
bool MaxPart::refine(std::size_t k, double e, double factor) const {
  const auto& grid = layers_[k].e;
  if (grid.size() < 2) return false;
  const auto right = std::lower_bound(grid.begin(), grid.end(), e);
  if (right == grid.begin() || right == grid.end()) return false;
  const double h = std::sqrt(factor) * (*right - *(right - 1));
  const double room_left = e - *(right - 1);
  const double room_right = *right - e;
  bool any = insert(k, e);
  if (h < 0.7 * room_left) any |= insert(k, e - h);
  if (h < 0.7 * room_right) any |= insert(k, e + h);
  return any;
}

bool MaxPart::insert(std::size_t k, double e) const {
  auto& grid = layers_[k].e;
  if (grid.size() >= kGridLimit) return false;
  const double apart = kClosestOnGrid * (grid.back() - grid.front());
  const auto right = std::lower_bound(grid.begin(), grid.end(), e);
  if (right == grid.begin() || right == grid.end()) return false;
  if (*right - e < apart || e - *(right - 1) < apart) return false;
  grid.insert(right, e);
  return true;
}

}  // namespace surefield
