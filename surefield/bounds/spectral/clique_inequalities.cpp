#include "surefield/bounds/spectral/clique_inequalities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "surefield/core/rounding.hpp"

namespace surefield {
namespace {

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

constexpr Eigen::Index kTriangleBlock = 32;

/// The least q of the triangles {i, j, k}, from <= i < to, but for rounding.
double least_triangle(const double* u, const double* with_j, const double* with_k,
                      Eigen::Index from, Eigen::Index to, double u_j, double u_k, double pair) {
  double least = 0;
  for (Eigen::Index i = from; i < to; ++i) {
    const double a = with_j[i], b = with_k[i];
    const double inner = a + b - u[i];
    const double first = std::min(1 - u_j - u_k + pair + inner, pair - inner);
    const double second = std::min(u_j - pair + (b - a), u_k - pair + (a - b));
    least = std::min(least, std::min(first, second));
  }
  return least - 1e-12;
}

auto key_of_clique(const CliqueInequality& t) {
  return std::tie(t.items, t.item, t.a, t.zero, t.one);
}

}  // namespace

bool CliqueOrder::operator()(const CliqueInequality& s, const CliqueInequality& t) const {
  return key_of_clique(s) < key_of_clique(t);
}

void put_item(CliqueInequality& clique, std::size_t k, Eigen::Index item, bool flipped,
              const Quadratic& quadratic) {
  const float below = float_below(quadratic.low[item]), above = float_above(quadratic.high[item]);
  clique.item[k] = item;
  clique.zero[k] = flipped ? above : below;
  clique.one[k] = flipped ? below : above;
}

CliqueForm form_of(const CliqueInequality& clique) {
  const double a = clique.a;
  CliqueForm form{clique.item, clique.items, a * (a + 1) / 2, {}, {}};
  std::array<double, CliqueInequality::kMost> at{}, by{};  // v = at + by x
  const auto count = static_cast<std::size_t>(clique.items);
  for (std::size_t k = 0; k < count; ++k) {
    by[k] = 1 / (static_cast<double>(clique.one[k]) - static_cast<double>(clique.zero[k]));
    at[k] = -static_cast<double>(clique.zero[k]) * by[k];
    form.constant -= a * at[k];
    form.linear[k] = -a * by[k];
  }
  std::size_t p = 0;
  for (std::size_t l = 1; l < count; ++l)
    for (std::size_t k = 0; k < l; ++k, ++p) {
      form.constant += at[k] * at[l];
      form.linear[k] += by[k] * at[l];
      form.linear[l] += by[l] * at[k];
      form.pair[p] = by[k] * by[l];
    }
  return form;
}

bool restrict_clique(CliqueInequality& clique, std::span<const Eigen::Index> place,
                     std::span<const double> middle) {
  CliqueInequality left{.items = 0, .a = clique.a};
  for (int k = 0; k < clique.items; ++k) {
    const auto from = static_cast<std::size_t>(k), to = static_cast<std::size_t>(left.items);
    const auto item = static_cast<std::size_t>(clique.item[from]);
    if (place[item] < 0) {
      left.a -=
          std::abs(middle[item] - clique.one[from]) < std::abs(middle[item] - clique.zero[from]);
      continue;
    }
    left.item[to] = place[item];
    left.zero[to] = clique.zero[from], left.one[to] = clique.one[from];
    ++left.items;
  }
  // v -> 1 - v makes items - 1 - a of a: of both the larger one.
  if (2 * left.a < left.items - 1) {
    std::swap(left.zero, left.one);
    left.a = left.items - 1 - left.a;
  }
  if (left.items < 2) return false;
  clique = left;
  return true;
}

Quadratic with_cliques(const Quadratic& quadratic, std::span<const CliqueInequality> cliques,
                       const Eigen::VectorXd& y) {
  Quadratic sum = quadratic;
  std::vector<Eigen::Triplet<double>> entries;
  double sizes = std::abs(sum.constant) + sum.bias.cwiseAbs().sum();
  for (Eigen::Index j = 0; j < quadratic.couplings.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, j); it; ++it) {
      entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(j), it.value());
      sizes += std::abs(it.value());
    }
  for (std::size_t t = 0; t < cliques.size(); ++t) {
    const double times = y[static_cast<Eigen::Index>(t)];
    if (!(times > 0)) continue;
    const CliqueForm form = form_of(cliques[t]);
    // v = at + by x with both up to 1/width in size; every coefficient is a sum of at most 16 products of theirs and of a.
    double size = 1 + std::abs(cliques[t].a);
    for (int k = 0; k < form.items; ++k) {
      const auto at = static_cast<std::size_t>(k);
      size += 2 / std::abs(static_cast<double>(cliques[t].one[at]) -
                           static_cast<double>(cliques[t].zero[at]));
      sum.bias[form.item[at]] += times * form.linear[at];
    }
    sum.constant += times * form.constant;
    form.for_each_pair([&](Eigen::Index i, Eigen::Index j, double pair) {
      entries.emplace_back(static_cast<int>(i), static_cast<int>(j), times * pair);
      entries.emplace_back(static_cast<int>(j), static_cast<int>(i), times * pair);
    });
    sizes += times * size * size;
  }
  sum.couplings.setFromTriplets(entries.begin(), entries.end());
  // Every sum has at most so many terms, each with some roundings of its own; 0 <= x <= 1.
  const double roundings = static_cast<double>(cliques.size()) + 32;
  sum.error = (sum.error + gamma_of(roundings) * sizes) * (1 + 4 * kUnitRoundoff);
  return sum;
}

std::vector<CliqueInequality> broken_triangles(const Quadratic& quadratic,
                                               const Eigen::VectorXd& mean,
                                               const Eigen::MatrixXd& moments,
                                               std::span<const CliqueInequality> known,
                                               double least, std::size_t most) {
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
      // A block at a time: most have nothing to give, and their least q is a few vector operations.
      const double* const with_j = p.col(j).data();
      const double* const with_k = p.col(k).data();
      for (Eigen::Index from = 0; from < j; from += kTriangleBlock) {
        const Eigen::Index to = std::min(j, from + kTriangleBlock);
        if (!(-least_triangle(u.data(), with_j, with_k, from, to, u[j], u[k], pair) > bar))
          continue;
        for (Eigen::Index i = from; i < to; ++i) {
          const double a = with_j[i], b = with_k[i];
          take(1 - u[i] - u[j] - u[k] + a + b + pair, {i, j, k}, 3, 0);
          take(u[i] + pair - a - b, {i, j, k}, 3, 1);
          take(u[j] + b - a - pair, {i, j, k}, 3, 2);
          take(u[k] + a - b - pair, {i, j, k}, 3, 4);
        }
      }
    }
  std::sort(found.begin(), found.end());
  std::vector<CliqueInequality> cliques;
  for (const BrokenTriangle& one : found) {
    CliqueInequality& clique = cliques.emplace_back(CliqueInequality{.items = one.items});
    for (std::size_t k = 0; k < static_cast<std::size_t>(one.items); ++k)
      put_item(clique, k, one.item[k], (one.flips >> k & 1) != 0, quadratic);
  }
  return first_unknown(cliques, known, most);
}

std::vector<CliqueInequality> first_unknown(std::span<const CliqueInequality> broken,
                                            std::span<const CliqueInequality> known,
                                            std::size_t most) {
  std::vector<CliqueInequality> sorted(known.begin(), known.end()), result;
  std::ranges::sort(sorted, CliqueOrder{});
  for (const CliqueInequality& clique : broken) {
    if (result.size() == most) break;
    if (std::ranges::binary_search(sorted, clique, CliqueOrder{}) ||
        (!result.empty() && result.back() == clique))
      continue;
    result.push_back(clique);
  }
  return result;
}

}  // namespace surefield
