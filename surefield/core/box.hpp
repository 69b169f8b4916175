// Where the variables live: a closed interval, and one interval per coordinate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

namespace surefield {

struct Interval {
  double low = 0;
  double high = 1;

  double width() const { return high - low; }
  bool is_point() const { return low >= high; }
  bool contains(double u) const { return low <= u && u <= high; }
  double clamp(double u) const { return std::clamp(u, low, high); }
  bool operator==(const Interval&) const = default;
};

/// The product of one interval per coordinate. A coordinate whose interval is a point is fixed.
struct Box {
  std::vector<double> low;
  std::vector<double> high;

  std::size_t size() const { return low.size(); }
  Interval operator[](std::size_t i) const { return {low[i], high[i]}; }
  void fix(std::size_t i, double v) { low[i] = high[i] = v; }
  /// Whether it is [0, 1]^n.
  bool is_unit() const;
  /// The part above a cut, or below. Both hold the cut itself: together they are the whole.
  void keep_part(std::size_t i, double cut, bool above) { (above ? low : high)[i] = cut; }
  bool operator==(const Box&) const = default;
};

inline auto fields_of(Box& box) {
  auto& [low, high] = box;
  return std::tie(low, high);
}

/// [0, 1]^n.
Box unit_box(std::size_t n);

/// Throws Error unless the box has n coordinates and 0 <= low <= high <= 1 in each.
void require_inside_unit(const Box& box, std::size_t n);

/// Throws Error unless the box has n coordinates, finite, with low <= high in each.
void require_bounded(const Box& box, std::size_t n);

/// Throws Error unless the point has one coordinate per interval, each inside it.
void require_inside(const Box& box, std::span<const double> point);

}  // namespace surefield
