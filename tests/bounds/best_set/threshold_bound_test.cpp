#include "surefield/bounds/best_set/threshold_bound.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "surefield/bounds/best_set/whole_values.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_any_model.hpp"

namespace surefield {
namespace {

AnyModel sure_coverage(Index n, Random& random) {
  const Index rows = 1 + random.below(9);
  std::vector<std::vector<Entry>> members(rows);
  for (auto& row : members)
    for (std::uint32_t i = 0; i < n; ++i)
      if (random.chance(0.4)) row.push_back({i, 1.0});
  std::vector<double> cost(n), weight(rows);
  for (double& c : cost) c = random.uniform(-0.5, 2);
  for (double& w : weight) w = random.uniform(0, 3);
  return make_coverage(cost, weight, members);
}

AnyModel best_items(Index n, Random& random) {
  const Index dims = 1 + random.below(6);
  std::vector<double> u(n), w(n * dims);
  for (double& number : u) number = random.uniform(-1, 3);
  for (double& number : w) number = random.chance(0.3) ? 0 : random.uniform(0, 2);
  return make_flid(u, w, dims);
}

/// A few of the items in, a few out.
Box fixed_box(Index n, Random& random) {
  Box box = unit_box(n);
  for (Index i = 0; i < n; ++i)
    if (random.chance(0.15)) box.fix(i, random.chance(0.5) ? 1 : 0);
  return box;
}

TEST(ThresholdBound, IsNeverBelowTheBestSetAndMostlyNear) {
  int closed = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(10);
    const AnyModel model =
        seed % 3 == 0   ? best_items(n, random)
        : seed % 3 == 1 ? sure_coverage(n, random)
                        : AnyModel(make_weighted_sum(
                              n, {{0.7, best_items(n, random)}, {1.3, sure_coverage(n, random)}}));
    const Box box = seed % 2 ? fixed_box(n, random) : unit_box(n);
    Index in = 0;
    for (Index i = 0; i < n; ++i) in += box.low[i] == 1;
    std::optional<Index> most;
    if (seed % 5 < 3) most = in + random.below(n + 1);
    const auto values = reference::all_values(model);
    double best = -kInfinity;
    for (std::size_t code = 0; code < values.size(); ++code) {
      bool allowed = !most || static_cast<Index>(std::popcount(code)) <= *most;
      for (Index i = 0; i < n; ++i)
        allowed = allowed && box[i].contains(static_cast<double>(code >> i & 1));
      if (allowed) best = std::max(best, values[code]);
    }
    const auto terms = threshold_terms(model);
    ASSERT_TRUE(terms.has_value());
    const double rounding = 1e-12 * (1 + std::abs(best));
    // Wherever the search aims and ends.
    for (const double known : {best, -kInfinity, best - 3})
      for (const std::size_t steps : {0, 1, 7, 300}) {
        const double upper =
            threshold_bound(*terms, box, {.most = most, .best_known = known, .steps = steps});
        ASSERT_GE(upper, best - rounding) << known << " " << steps;
        if (known == best && steps == 300) {
          closed += upper - best <= 0.02 * (1 + std::abs(best));
          ++all;
        }
      }
  }
  EXPECT_GE(closed, all * 9 / 10);
}

TEST(ThresholdBound, ByHand) {
  // Two rows that item 0 covers both and items 1 and 2 one each, all cost 1: best 2 - 1, and t = 1/2 proves it.
  const AnyModel cover =
      make_coverage({1, 1, 1}, {1, 1},
                    std::vector<std::vector<Entry>>{{{0, 1.0}, {1, 1.0}}, {{0, 1.0}, {2, 1.0}}});
  const auto terms = threshold_terms(cover);
  ASSERT_TRUE(terms.has_value());
  EXPECT_NEAR(threshold_bound(*terms, unit_box(3), {.best_known = 1}), 1, 1e-5);
  EXPECT_NEAR(threshold_bound(*terms, unit_box(3), {.most = 0, .best_known = 0}), 0, 1e-5);
  EXPECT_FALSE(threshold_terms(make_pairwise_field({1, 1}, std::vector<Edge>{{0, 1, -1}})));
  // Three items worth 2 - 1 each: of two at most, one of them item 0, there is room for one more.
  const auto apart = threshold_terms(make_coverage(
      {1, 1, 1}, {2, 2, 2}, std::vector<std::vector<Entry>>{{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}}));
  Box with_first = unit_box(3);
  with_first.fix(0, 1);
  EXPECT_NEAR(threshold_bound(*apart, with_first, {.most = 2, .best_known = 2}), 2, 1e-5);
}

/// One item in so many groups of one value that what it is worth rounds the same way again and again.
TEST(ThresholdBound, CountsTheRoundingOfAnItemInManyGroups) {
  const Index groups = 5000;
  for (int k = 1; k <= 40; ++k) {
    const double value = 0.1 * k;
    const std::vector<std::vector<Entry>> members(groups, {{0, 1.0}});
    const auto terms =
        threshold_terms(make_coverage({0.0}, std::vector<double>(groups, value), members));
    ASSERT_TRUE(terms);
    ThresholdOptions options;
    options.steps = 0;
    const auto truth = static_cast<long double>(value) * groups;
    EXPECT_GE(static_cast<long double>(threshold_bound(*terms, unit_box(1), options)), truth);
    EXPECT_LE(static_cast<long double>(threshold_bound(*terms, unit_box(1), options)),
              truth * (1 + 1e-11L));
  }
}

/// The constants of a thousand parts, added up with a rounding each.
TEST(ThresholdBound, CountsTheRoundingOfConstants) {
  for (int k = 1; k <= 5; ++k) {
    const double constant = 0.1 * k;
    std::vector<WeightedSum::Term> parts(1000, {1, make_pairwise_field({0.0}, {}, constant)});
    const auto terms = threshold_terms(make_weighted_sum(1, std::move(parts)));
    ASSERT_TRUE(terms);
    const auto truth = static_cast<long double>(constant) * 1000;
    EXPECT_GE(static_cast<long double>(threshold_bound(*terms, unit_box(1), {})), truth);
    EXPECT_LE(static_cast<long double>(threshold_bound(*terms, unit_box(1), {})),
              truth * (1 + 1e-11L));
  }
}

TEST(WholeValues, AreToldFromOthers) {
  const std::vector<Edge> halves{{0, 1, -1}, {1, 2, 0.5}}, whole{{0, 1, -1}, {1, 2, 4}};
  EXPECT_TRUE(has_whole_values(make_pairwise_field({1, 0, -3}, whole)));
  EXPECT_FALSE(has_whole_values(make_pairwise_field({1, 0, -3}, halves)));
  EXPECT_FALSE(has_whole_values(make_pairwise_field({1, 0.25, -3}, whole)));
  EXPECT_FALSE(has_whole_values(make_pairwise_field({0x1p53, 0, 0}, whole)));
  const std::vector<std::vector<Entry>> sure{{{0, 1.0}, {1, 1.0}}}, likely{{{0, 1.0}, {1, 0.5}}};
  EXPECT_TRUE(has_whole_values(make_coverage({1, 2}, {3}, sure)));
  EXPECT_FALSE(has_whole_values(make_coverage({1, 2}, {3}, likely)));
  EXPECT_FALSE(has_whole_values(make_coverage({1, 2}, {0.5}, sure)));
}

}  // namespace
}  // namespace surefield
