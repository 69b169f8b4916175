#include "surefield/bounds/spectral/triangles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

constexpr std::array<std::array<int, 2>, 3> kPairsOfThree{{{0, 1}, {0, 2}, {1, 2}}};

/// A float no greater, and one no less: the box of a triangle holds that of the quadratic.
float float_below(double x) {
  const auto near = static_cast<float>(x);
  return near > x ? std::nextafter(near, -std::numeric_limits<float>::infinity()) : near;
}
float float_above(double x) { return -float_below(-x); }

struct BrokenTriangle {
  double by;
  std::array<Eigen::Index, 3> item;
  int items, flips;  // bit k: v_k is 1 at the lower end
  bool operator<(const BrokenTriangle& other) const {
    return std::tie(other.by, item, flips) < std::tie(by, other.item, other.flips);
  }
};

auto key_of(const Triangle& t) { return std::tie(t.items, t.item, t.zero, t.one); }

}  // namespace

TriangleForm form_of(const Triangle& triangle) {
  TriangleForm form{triangle.item, triangle.items, 1, {}, {}};
  std::array<double, 3> a{}, b{};
  const auto count = static_cast<std::size_t>(triangle.items);
  for (std::size_t k = 0; k < count; ++k) {
    b[k] = 1 / (static_cast<double>(triangle.one[k]) - static_cast<double>(triangle.zero[k]));
    a[k] = -static_cast<double>(triangle.zero[k]) * b[k];
    form.constant -= a[k];
  }
  for (std::size_t k = 0; k < count; ++k) form.linear[k] = -b[k];
  for (std::size_t p = 0; p < 3; ++p) {
    const auto k = static_cast<std::size_t>(kPairsOfThree[p][0]);
    const auto l = static_cast<std::size_t>(kPairsOfThree[p][1]);
    if (l >= count) continue;
    form.constant += a[k] * a[l];
    form.linear[k] += b[k] * a[l];
    form.linear[l] += b[l] * a[k];
    form.pair[p] = b[k] * b[l];
  }
  return form;
}

bool restrict_triangle(Triangle& triangle, std::span<const Eigen::Index> place,
                       std::span<const double> middle) {
  Triangle left{.items = 0};
  bool flip = false;
  for (int k = 0; k < triangle.items; ++k) {
    const auto from = static_cast<std::size_t>(k), to = static_cast<std::size_t>(left.items);
    const auto item = static_cast<std::size_t>(triangle.item[from]);
    if (place[item] < 0) {
      // v = 1 there leaves v_1 v_2, a pair with both flipped; v = 0 leaves (1 - v_1)(1 - v_2).
      flip = std::abs(middle[item] - triangle.one[from]) <
             std::abs(middle[item] - triangle.zero[from]);
      continue;
    }
    left.item[to] = place[item];
    left.zero[to] = triangle.zero[from], left.one[to] = triangle.one[from];
    ++left.items;
  }
  if (left.items < 2 || left.items + 1 < triangle.items) return false;
  if (flip) std::swap(left.zero, left.one);
  triangle = left;
  return true;
}

Quadratic with_triangles(const Quadratic& quadratic, std::span<const Triangle> triangles,
                         const Eigen::VectorXd& y) {
  Quadratic sum = quadratic;
  std::vector<Eigen::Triplet<double>> entries;
  double sizes = std::abs(sum.constant) + sum.bias.cwiseAbs().sum();
  for (Eigen::Index j = 0; j < quadratic.couplings.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, j); it; ++it) {
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(j), it.value());
      sizes += std::abs(it.value());
    }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const double times = y[static_cast<Eigen::Index>(t)];
    if (!(times > 0)) continue;
    const TriangleForm form = form_of(triangles[t]);
    // a_k and b_k are up to 1/width in size; every coefficient is a sum of at most six products of theirs.
    double size = 1;
    for (int k = 0; k < form.items; ++k) {
      const auto at = static_cast<std::size_t>(k);
      size += 2 / std::abs(static_cast<double>(triangles[t].one[at]) -
                           static_cast<double>(triangles[t].zero[at]));
      sum.bias[form.item[at]] += times * form.linear[at];
    }
    sum.constant += times * form.constant;
    for (std::size_t p = 0; p < 3; ++p) {
      if (form.pair[p] == 0) continue;
      const auto i = static_cast<int>(form.item[static_cast<std::size_t>(kPairsOfThree[p][0])]);
      const auto j = static_cast<int>(form.item[static_cast<std::size_t>(kPairsOfThree[p][1])]);
      entries.emplace_back(i, j, times * form.pair[p]);
      entries.emplace_back(j, i, times * form.pair[p]);
    }
    sizes += times * size * size;
  }
  sum.couplings.setFromTriplets(entries.begin(), entries.end());
  // Every sum has at most so many terms, each with some roundings of its own; 0 <= x <= 1.
  const double roundings = static_cast<double>(triangles.size()) + 32;
  sum.error = (sum.error + gamma_of(roundings) * sizes) * (1 + 4 * kUnitRoundoff);
  return sum;
}

std::vector<Triangle> broken_triangles(const Quadratic& quadratic, const Eigen::VectorXd& mean,
                                       const Eigen::MatrixXd& moments,
                                       std::span<const Triangle> known, double least,
                                       std::size_t most) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  // In coordinates of the box: means u and moments p of products.
  Eigen::VectorXd u(n), low(n), width(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    low[i] = quadratic.low[i];
    width[i] = quadratic.high[i] - quadratic.low[i];
    u[i] = (mean[i] - low[i]) / width[i];
  }
  Eigen::MatrixXd p(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      p(i, j) = (moments(i, j) - low[i] * mean[j] - low[j] * mean[i] + low[i] * low[j]) /
                (width[i] * width[j]);
  std::vector<BrokenTriangle> found;
  double bar = least;
  const auto take = [&](double q, std::array<Eigen::Index, 3> item, int items, int flips) {
    if (!(-q > bar)) return;
    found.push_back({-q, item, items, flips});
    if (found.size() < 4 * most + 64) return;
    std::nth_element(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(2 * most),
                     found.end());
    found.resize(2 * most);
    bar = std::max(bar, std::max_element(found.begin(), found.end())->by);
  };
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index j = 0; j < k; ++j) {
      const double pair = p(j, k);
      take(1 - u[j] - u[k] + pair, {j, k, 0}, 2, 0);
      take(u[k] - pair, {j, k, 0}, 2, 2);  // v_k = 1 - u_k: (1 - v_j)(1 - v_k) = (1 - u_j) u_k
      take(u[j] - pair, {j, k, 0}, 2, 1);
      take(pair, {j, k, 0}, 2, 3);
      for (Eigen::Index i = 0; i < j; ++i) {
        const double a = p(i, j), b = p(i, k);
        take(1 - u[i] - u[j] - u[k] + a + b + pair, {i, j, k}, 3, 0);
        take(u[i] + pair - a - b, {i, j, k}, 3, 1);
        take(u[j] + b - a - pair, {i, j, k}, 3, 2);
        take(u[k] + a - b - pair, {i, j, k}, 3, 4);
      }
    }
  std::sort(found.begin(), found.end());
  std::vector<Triangle> sorted(known.begin(), known.end());
  const auto before = [](const Triangle& s, const Triangle& t) { return key_of(s) < key_of(t); };
  std::ranges::sort(sorted, before);
  std::vector<Triangle> result;
  for (const BrokenTriangle& one : found) {
    if (result.size() == most) break;
    Triangle triangle{.item = one.item, .items = one.items};
    for (std::size_t k = 0; k < static_cast<std::size_t>(one.items); ++k) {
      const float below = float_below(quadratic.low[one.item[k]]);
      const float above = float_above(quadratic.high[one.item[k]]);
      const bool flipped = (one.flips >> k & 1) != 0;
      triangle.zero[k] = flipped ? above : below;
      triangle.one[k] = flipped ? below : above;
    }
    if (!std::ranges::binary_search(sorted, triangle, before)) result.push_back(triangle);
  }
  return result;
}

}  // namespace surefield
