#include "surefield/bounds/spectral/clique_inequalities.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <utility>

#include "surefield/bounds/spectral/clique_search.hpp"
#include "surefield/bounds/spectral/spectral_boxes.hpp"
#include "surefield/bounds/spectral/spectral_root.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "tests/bounds/spectral/random_signed_field.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/quad_log_z.hpp"
#include "tests/support/random_box.hpp"

namespace surefield {
namespace {

/// q by its definition, in long double: the mean over corners drawn with these v of (s - a)(s - a - 1)/2.
long double triangle_at(const CliqueInequality& triangle, const std::vector<double>& x) {
  long double sum = 0;
  for (int corner = 0; corner < 1 << triangle.items; ++corner) {
    long double chance = 1, s = 0;
    for (int k = 0; k < triangle.items; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const long double zero = triangle.zero[at], one = triangle.one[at];
      const long double v = (x[static_cast<std::size_t>(triangle.item[at])] - zero) / (one - zero);
      const bool in = (corner >> k & 1) != 0;
      chance *= in ? v : 1 - v;
      s += in ? 1 : 0;
    }
    sum += chance * (s - triangle.a) * (s - triangle.a - 1) / 2;
  }
  return sum;
}

CliqueInequality with_flips(const Quadratic& quadratic, std::vector<Eigen::Index> item, int a,
                            int flips) {
  CliqueInequality triangle{.items = static_cast<int>(item.size()), .a = a};
  for (std::size_t k = 0; k < item.size(); ++k) {
    const auto low = static_cast<float>(quadratic.low[item[k]]);
    const auto high = static_cast<float>(quadratic.high[item[k]]);
    triangle.item[k] = item[k];
    triangle.zero[k] = (flips >> k & 1) != 0 ? high : low;
    triangle.one[k] = (flips >> k & 1) != 0 ? low : high;
  }
  return triangle;
}

/// All triangles and pairs of a box.
std::vector<CliqueInequality> all_triangles(const Quadratic& quadratic) {
  std::vector<CliqueInequality> all;
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  const auto add = [&](std::vector<Eigen::Index> item, int flips) {
    all.push_back(with_flips(quadratic, std::move(item), 1, flips));
  };
  for (Eigen::Index k = 0; k < n; ++k)
    for (Eigen::Index j = 0; j < k; ++j) {
      for (const int flips : {0, 1, 2, 3}) add({j, k}, flips);
      for (Eigen::Index i = 0; i < j; ++i)
        for (const int flips : {0, 1, 2, 4}) add({i, j, k}, flips);
    }
  return all;
}

/// All pentagons, the sixteen of any five.
std::vector<CliqueInequality> all_pentagons(const Quadratic& quadratic) {
  std::vector<CliqueInequality> all;
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  for (Eigen::Index five = 0; five < Eigen::Index{1} << n; ++five) {
    std::vector<Eigen::Index> item;
    for (Eigen::Index i = 0; i < n; ++i)
      if ((five >> i & 1) != 0) item.push_back(i);
    if (item.size() != 5) continue;
    for (int flips = 0; flips < 32; ++flips)
      if (std::popcount(static_cast<unsigned>(flips)) <= 2)
        all.push_back(with_flips(quadratic, item, 2, flips));
  }
  return all;
}

long double triangled_at(const Quadratic& quadratic, const std::vector<double>& x) {
  long double sum = quadratic.constant;
  for (Eigen::Index i = 0; i < quadratic.bias.size(); ++i) {
    sum += static_cast<long double>(quadratic.bias[i]) * x[static_cast<std::size_t>(i)];
    for (Eigen::SparseMatrix<double>::InnerIterator it(quadratic.couplings, i); it; ++it)
      sum += static_cast<long double>(it.value()) / 2 * x[static_cast<std::size_t>(i)] *
             x[static_cast<std::size_t>(it.row())];
  }
  return sum;
}

TEST(Triangles, AreNowhereNegativeAndAddUpToWhatTheirFormsSay) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 2 + random.below(5);
    const PairwiseField field =
        testing::random_signed_field(n, random, testing::random_scale(random));
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i) {  // ends that are floats
      box.low[i] = static_cast<float>(random.uniform(0, 0.5));
      box.high[i] = random.chance(0.5) ? 1 : static_cast<float>(random.uniform(0.55, 1));
    }
    const Quadratic quadratic = free_quadratic(field, box, false);
    std::vector<CliqueInequality> all = all_triangles(quadratic);
    for (const CliqueInequality& pentagon : all_pentagons(quadratic)) all.push_back(pentagon);
    for (CliqueInequality four : all_pentagons(quadratic)) {  // what is left of a pentagon
      four.items = 4, four.a = random.chance(0.5) ? 1 : 2;
      all.push_back(four);
    }
    const double size = testing::random_scale(random);
    Eigen::VectorXd y(static_cast<Eigen::Index>(all.size()));
    for (double& entry : y) entry = random.chance(0.3) ? 0 : size * random.uniform();
    const Quadratic sum = with_cliques(quadratic, all, y);
    for (int draw = 0; draw < 20; ++draw) {
      std::vector<double> x(n);
      for (Index i = 0; i < n; ++i)
        x[i] = random.chance(0.3)   ? box.low[i]
               : random.chance(0.4) ? box.high[i]
                                    : random.uniform(box.low[i], box.high[i]);
      long double truth = triangled_at(quadratic, x);
      for (std::size_t t = 0; t < all.size(); ++t) {
        const long double q = triangle_at(all[t], x);
        EXPECT_GE(q, -1e-15L);
        truth += y[static_cast<Eigen::Index>(t)] * q;
      }
      EXPECT_NEAR(static_cast<double>(triangled_at(sum, x) - truth), 0,
                  sum.error + 1e-17 * std::abs(static_cast<double>(truth)));
      EXPECT_GE(triangled_at(sum, x) + sum.error, triangled_at(quadratic, x));
    }
    EXPECT_LE(sum.error, quadratic.error + 1e-11 * (sum.bias.cwiseAbs().sum() + 100 * y.sum() + 1) *
                                               (1 + std::abs(quadratic.constant)));
  }
}

/// A random quadratic, means, and moments that are those of independent items but for some noise.
struct NoisyMoments {
  Quadratic quadratic;
  Eigen::VectorXd mean;
  Eigen::MatrixXd moments;
};

NoisyMoments noisy_moments(Index n, Random& random, Interval means, double noise) {
  const PairwiseField field = testing::random_signed_field(n, random, 1);
  Box box = unit_box(n);
  if (random.chance(0.5))
    for (Index i = 0; i < n; ++i) box.low[i] = 0.25, box.high[i] = 0.75;
  const auto size = static_cast<Eigen::Index>(n);
  NoisyMoments of{free_quadratic(field, box, false), Eigen::VectorXd(size),
                  Eigen::MatrixXd(size, size)};
  for (double& entry : of.mean) entry = random.uniform(means.low, means.high);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      of.moments(i, j) = of.moments(j, i) = of.mean[i] * of.mean[j] + random.uniform(-noise, noise);
  return of;
}

/// Of q at means and moments, by its form.
double value_at(const CliqueInequality& triangle, const Eigen::VectorXd& mean,
                const Eigen::MatrixXd& moments) {
  const CliqueForm form = form_of(triangle);
  double sum = form.constant;
  for (std::size_t k = 0; k < static_cast<std::size_t>(form.items); ++k)
    sum += form.linear[k] * mean[form.item[k]];
  form.for_each_pair(
      [&](Eigen::Index i, Eigen::Index j, double pair) { sum += pair * moments(i, j); });
  return sum;
}

TEST(Triangles, OfMomentsAreFoundWhereTheyAreBroken) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 2 + random.below(5);
    const auto [quadratic, mean, moments] = noisy_moments(n, random, {0.2, 0.8}, 0.2);
    const auto at_moments = [&](const CliqueInequality& triangle) {
      return value_at(triangle, mean, moments);
    };
    std::vector<CliqueInequality> known;
    std::size_t broken = 0;
    double worst = 0;
    for (const CliqueInequality& triangle : all_triangles(quadratic)) {
      if (!(at_moments(triangle) < -0.05)) continue;
      if (random.chance(0.2)) {
        known.push_back(triangle);
      } else {
        ++broken;
        worst = std::min(worst, at_moments(triangle));
      }
    }
    const auto found = broken_triangles(quadratic, mean, moments, known, 0.05, 10000);
    EXPECT_EQ(found.size(), broken);
    for (std::size_t t = 0; t < found.size(); ++t) {
      EXPECT_LT(at_moments(found[t]), -0.05 + 1e-12);
      EXPECT_EQ(std::ranges::find(known, found[t]), known.end());
      if (t == 0) continue;
      EXPECT_GE(at_moments(found[t]), at_moments(found[t - 1]) - 1e-9);
    }
    if (broken == 0) continue;
    EXPECT_NEAR(at_moments(found[0]), worst, 1e-9);
    const auto one = broken_triangles(quadratic, mean, moments, known, 0.05, 1);
    ASSERT_EQ(one.size(), 1);
    EXPECT_NEAR(at_moments(one[0]), worst, 1e-9);
  }
}

TEST(Triangles, WithAnItemAtAnEndArePairs) {
  CliqueInequality triangle{.item = {3, 5, 7}, .zero = {0, 1, 0}, .one = {1, 0, 1}};
  for (const double end : {0.0, 1.0})
    for (const int gone : {3, 5, 7}) {
      std::vector<Eigen::Index> place(8, -1);
      std::vector<double> middle(8, 0.5), x(8, 0), left;
      Eigen::Index next = 0;
      for (const int item : {3, 5, 7})
        if (item != gone) place[static_cast<std::size_t>(item)] = next++;
      middle[static_cast<std::size_t>(gone)] = end;
      CliqueInequality pair = triangle;
      ASSERT_TRUE(restrict_clique(pair, place, middle));
      ASSERT_EQ(pair.items, 2);
      for (const double first : {0.0, 0.3, 1.0})
        for (const double second : {0.0, 0.6, 1.0}) {
          left = {first, second};
          x[static_cast<std::size_t>(gone)] = end;
          for (const int item : {3, 5, 7})
            if (item != gone)
              x[static_cast<std::size_t>(item)] =
                  left[static_cast<std::size_t>(place[static_cast<std::size_t>(item)])];
          EXPECT_NEAR(static_cast<double>(triangle_at(pair, left)),
                      static_cast<double>(triangle_at(triangle, x)), 1e-12);
        }
      EXPECT_FALSE(restrict_clique(pair, std::vector<Eigen::Index>{0, -1}, middle));
    }
}

// With one, two or three of five items at an end: the same numbers on the others.
TEST(Triangles, OfFiveItemsLeaveWhatTheyAreOnAFace) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    CliqueInequality pentagon{.item = {0, 1, 2, 3, 4}, .items = 5, .a = 2};
    std::vector<Eigen::Index> place(5, -1);
    std::vector<double> x(5), left;
    for (std::size_t i = 0; i < 5; ++i) {
      const bool flipped = random.chance(0.5);
      pentagon.zero[i] = flipped ? 1 : 0, pentagon.one[i] = flipped ? 0 : 1;
      x[i] = random.chance(0.5) ? 1 : 0;
      if (!random.chance(0.6)) continue;
      place[i] = static_cast<Eigen::Index>(left.size());
      x[i] = random.uniform();
      left.push_back(x[i]);
    }
    CliqueInequality rest = pentagon;
    ASSERT_EQ(restrict_clique(rest, place, x), left.size() >= 2);
    if (left.size() < 2) continue;
    EXPECT_EQ(static_cast<std::size_t>(rest.items), left.size());
    EXPECT_NEAR(static_cast<double>(triangle_at(rest, left)),
                static_cast<double>(triangle_at(pentagon, x)), 1e-12);
  }
}

// Those found are broken by as much as they say, worst first, and none is known; with all partners of few items the worst of all is among them.
TEST(Triangles, PentagonsOfMomentsAreFoundFromTheirTriangles) {
  int seen = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 5 + random.below(3);
    const auto [quadratic, mean, moments] = noisy_moments(n, random, {0.3, 0.7}, 0.05);
    const auto at_moments = [&](const CliqueInequality& triangle) {
      return value_at(triangle, mean, moments);
    };
    double worst = 0;
    for (const CliqueInequality& pentagon : all_pentagons(quadratic))
      worst = std::min(worst, at_moments(pentagon));
    std::vector<CliqueInequality> known = all_triangles(quadratic);
    const auto found = broken_pentagons(quadratic, mean, moments, known, 0.01, 1000);
    ASSERT_EQ(found.empty(), worst >= -0.01);
    if (found.empty()) continue;
    ++seen;
    EXPECT_NEAR(at_moments(found[0]), worst, 1e-9);
    const std::vector<CliqueInequality> all = all_pentagons(quadratic);
    for (std::size_t t = 0; t < found.size(); ++t) {
      EXPECT_LT(at_moments(found[t]), -0.01 + 1e-12);
      EXPECT_NE(std::ranges::find(all, found[t]), all.end());
      if (t == 0) continue;
      EXPECT_GE(at_moments(found[t]), at_moments(found[t - 1]) - 1e-9);
      EXPECT_FALSE(found[t] == found[t - 1]);
    }
    known.push_back(found[0]);
    for (const CliqueInequality& other :
         broken_pentagons(quadratic, mean, moments, known, 0.01, 1000))
      EXPECT_FALSE(other == found[0]);
    EXPECT_EQ(broken_pentagons(quadratic, mean, moments, known, 0.01, 1).size(),
              std::min<std::size_t>(1, found.size() - 1));
  }
  EXPECT_GE(seen, 20);
}

TEST(CliqueSearch, GradientInTheMultipliersIsThatOfDifferences) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 3 + random.below(3);
    const PairwiseField field = testing::random_signed_field(n, random, 1);
    const Quadratic quadratic = free_quadratic(field, unit_box(n), false);
    const std::vector<CliqueInequality> all = all_triangles(quadratic);
    SpectralBarrier barrier(quadratic, static_cast<SpectralKind>(seed % 3));
    barrier.cut(all);
    SpectralPoint at = dominant_point(quadratic);
    at.d.array() += 10;
    at.y = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(all.size()), 0.01);
    Eigen::VectorXd slope_l, slope_d, slope;
    const auto value_at = [&](const SpectralPoint& point) {
      EXPECT_TRUE(barrier.move(point));
      return barrier.value(1.0, slope_l, slope_d);
    };
    const double size = std::abs(value_at(at));
    barrier.slope_y(1.0, slope);
    for (Eigen::Index t = 0; t < at.y.size(); ++t) {
      SpectralPoint up = at, down = at;
      up.y[t] += 1e-4, down.y[t] -= 1e-4;
      EXPECT_NEAR((value_at(up) - value_at(down)) / 2e-4, slope[t], 1e-5 + 1e-10 * size);
    }
  }
}

struct CliqueBound {
  double bound;
  std::size_t cliques;
};

CliqueBound clique_bound(const Quadratic& quadratic, SpectralKind kind) {
  SpectralBarrier barrier(quadratic, kind);
  const auto found = clique_search(barrier, quadratic, dominant_point(quadratic), {});
  return {spectral_bound(with_cliques(quadratic, found.cliques, found.found.point.y), kind,
                         found.found.z, found.found.point.d),
          found.cliques.size()};
}

TEST(CliqueSearch, IsNeverBelowTheTruth) {
  std::size_t used = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 3 + random.below(seed % 10 == 0 ? 6 : 3);
    PairwiseField field = testing::random_signed_field(n, random, testing::random_scale(random));
    if (random.chance(0.5)) {  // a cut: nobody would rather be in than out
      std::vector<Edge> edges = testing::random_edges(n, 0.8, 0, 10, random);
      field = make_graph_cut(std::vector<double>(n, 0), edges, false).field;
    }
    const auto exact = testing::quad_log_z(field, unit_box(n), 1);
    long double best = -kInfinity;
    for (const auto value : exact.values) best = std::max(best, static_cast<long double>(value));
    const Quadratic sets = free_quadratic(field, unit_box(n), false);
    EXPECT_GE(clique_bound(sets, SpectralKind::kLogZ).bound, exact.log_z - exact.slack());
    EXPECT_GE(clique_bound(sets, SpectralKind::kBestSet).bound, best);
    const Box box = random.chance(0.4) ? unit_box(n) : testing::random_box(n, random);
    const Quadratic quadratic = free_quadratic(field, box, true);
    if (quadratic.size() == 0) continue;
    const double value = testing::best_field_elbo(field, box, seed);
    const CliqueBound bound = clique_bound(quadratic, SpectralKind::kElbo);
    EXPECT_GE(bound.bound, value - 1e-14 * (1 + std::abs(value)));
    used += bound.cliques > 0;
  }
  EXPECT_GE(used, 20);
}

TEST(CliqueSearch, KnowsThatAnOddCycleIsNotBipartite) {
  // Of a cycle of seven nodes at most six edges are cut, which triangles over its chords say; the spectral bound alone is 6.65.
  std::vector<Edge> cycle;
  for (std::uint32_t i = 0; i < 7; ++i) cycle.push_back({i, (i + 1) % 7, 1});
  const PairwiseField field = make_graph_cut(std::vector<double>(7, 0), cycle, false).field;
  const double bound =
      clique_bound(free_quadratic(field, unit_box(7), false), SpectralKind::kBestSet).bound;
  EXPECT_GE(bound, 6 - 1e-12);
  EXPECT_LE(bound, 6.1);
}

TEST(SpectralLogZ, WithTrianglesIsNeverBelowTheTruthNorAboveThatWithout) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(8);
    const PairwiseField field =
        testing::random_signed_field(n, random, testing::random_scale(random));
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i)
      if (random.chance(0.1)) box.fix(i, random.chance(0.5) ? 1 : 0);
    const auto exact = testing::quad_log_z(field, box, 1);
    const double with = spectral_log_z(field, box, {.triangles = true});
    EXPECT_GE(with, exact.log_z - exact.slack());
    EXPECT_LE(with, spectral_log_z(field, box));
  }
}

TEST(SpectralLogZ, OfAFrustratedCutFallsByTriangles) {
  // Nine triangles in a ring.
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 9; ++i)
    for (std::uint32_t j = (i + 1) % 9; j != (i + 3) % 9; j = (j + 1) % 9)
      edges.push_back({std::min(i, j), std::max(i, j), 6});
  const PairwiseField field = make_graph_cut(std::vector<double>(9, 0), edges, false).field;
  const auto exact = testing::quad_log_z(field, unit_box(9), 1);
  const double alone = spectral_log_z(field, unit_box(9));
  const double with = spectral_log_z(field, unit_box(9), {.triangles = true});
  EXPECT_GE(with, exact.log_z);
  EXPECT_LT(with - exact.log_z, 0.7 * (alone - exact.log_z));
}

TEST(SpectralBoxes, OfSmallCutsAreNeverBelow) {
  // At 6188 boxes with triangles shrink to two items and fewer.
  for (const std::uint64_t seed : {6188, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40}) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 3 + random.below(4);
    PairwiseField field = testing::random_signed_field(n, random, testing::random_scale(random));
    if (random.chance(0.5)) {
      const auto edges = testing::random_edges(n, 0.8, 0, 10, random);
      field = make_graph_cut(std::vector<double>(n, 0), edges, false).field;
    }
    const auto report = spectral_boxes(field, unit_box(n), std::vector<double>(n, 0.5),
                                       {.relative_gap = 1e-3, .nodes = 40});
    const double best = testing::best_field_elbo(field, unit_box(n), seed);
    EXPECT_GE(report.bound, best - 1e-14 * (1 + std::abs(best)));
  }
}

TEST(SpectralBoxes, CloseAFrustratedCutByTriangles) {
  // Thirty nodes, every second pair an edge: without triangles a hundred boxes leave more than a per cent.
  Random random(11);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < 30; ++i)
    for (std::uint32_t j = i + 1; j < 30; ++j)
      if (random.chance(0.5)) edges.push_back({i, j, 1});
  const PairwiseField field = make_graph_cut(std::vector<double>(30, 0), edges, false).field;
  const auto report = spectral_boxes(field, unit_box(30), std::vector<double>(30, 0.5),
                                     {.relative_gap = 1e-3, .nodes = 100});
  EXPECT_LE(report.bound - report.value, 1e-3 * report.value);
}

}  // namespace
}  // namespace surefield
