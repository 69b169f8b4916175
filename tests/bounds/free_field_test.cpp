#include "surefield/bounds/free_field.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "tests/support/quad_truth.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

using testing::exact_extension;
using testing::Quad;
using testing::size_of;
using testing::true_entropy;

Quad value_of(const FreeField& free, const std::vector<double>& x) {
  Quad sum = free.constant;
  for (Index k = 0; k < free.item.size(); ++k) sum += Quad(free.bias[k]) * x[free.item[k]];
  for (const auto& [from, to, weight] : free.edges)
    sum += Quad(weight) * x[free.item[from]] * x[free.item[to]];
  return sum;
}

/// A corner of the box: what is put in is off the most at the ends of its interval.
std::vector<double> corner_of(const Box& box, Random& random) {
  std::vector<double> x(box.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = random.chance(0.5) ? box.low[i] : box.high[i];
  return x;
}

TEST(FreeField, IsTheFieldOnTheBoxWithinItsError) {
  Random random(1);
  for (int trial = 0; trial < 400; ++trial) {
    const Index n = 1 + random.below(9);
    const double narrow = trial % 2 == 0 ? 0 : 0.125, scale = std::pow(10.0, trial % 7 - 3);
    PairwiseField field =
        testing::random_field_of_any_sign(n, 0.7, scale, static_cast<std::uint64_t>(trial));
    field.constant = random.uniform(-1, 1);
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i) {
      const double at = random.uniform() * 0.875;
      if (random.below(3) == 0)
        box.low[i] = box.high[i] = at;
      else if (random.below(2) == 0)
        box.low[i] = at, box.high[i] = at + 0.125 * random.uniform();
    }
    const FreeField free = free_field(field, box, false, narrow),
                    full = free_field(field, box, true, narrow);
    ASSERT_EQ(free.item, full.item);
    for (Index i = 0, k = 0; i < n; ++i) {
      const bool put_in = box.high[i] - box.low[i] <= narrow;
      EXPECT_EQ(k < free.item.size() && free.item[k] == i, !put_in);
      k += put_in ? 0 : 1;
    }
    for (int draw = 0; draw < 20; ++draw) {
      const std::vector<double> x = corner_of(box, random);
      const Quad truth = exact_extension(field, x);
      EXPECT_LE(size_of(truth - value_of(free, x)), Quad(free.error));
      long double entropies = 0;
      for (Index i = 0; i < n; ++i)
        if (box.high[i] - box.low[i] <= narrow) entropies += true_entropy(x[i]);
      EXPECT_LE(truth + entropies - value_of(full, x), Quad(full.error));  // a bound from above
    }
    if (narrow == 0) {
      EXPECT_LE(free.error, 1e-13 * (1 + free.magnitude));
    }
  }
}

/// A thousand couplings with coordinates put in, all rounding alike: nothing but the rounding of the bias is there.
TEST(FreeField, CountsTheRoundingOfABiasThatManyMoveInto) {
  const Index n = 1001;
  std::vector<Edge> edges;
  for (std::uint32_t i = 1; i < n; ++i) edges.push_back({0, i, 0.1});
  const PairwiseField field = make_pairwise_field(std::vector<double>(n, 0), edges, 0);
  Box box = unit_box(n);
  for (Index i = 1; i < n; ++i) box.low[i] = box.high[i] = 0.7;
  const FreeField free = free_field(field, box);
  std::vector<double> x(n, 0.7);
  x[0] = 1;
  const Quad off = size_of(exact_extension(field, x) - value_of(free, x));
  EXPECT_GT(off, Quad(1e-14));  // a sum without rounding would make this no test
  EXPECT_LE(off, Quad(free.error));
}

/// Nothing but entropies: their own rounding is the error.
TEST(FreeField, CountsTheRoundingOfEntropies) {
  int off = 0;
  for (int k = 1; k < 200; ++k) {
    const PairwiseField field = make_pairwise_field({0.0}, {}, 0);
    Box box = unit_box(1);
    box.low[0] = box.high[0] = k / 200.0;
    const FreeField free = free_field(field, box, true);
    const long double truth = true_entropy(box.low[0]);
    off += std::abs(truth - static_cast<long double>(free.constant)) > 1e-17L ? 1 : 0;
    EXPECT_LE(std::abs(truth - static_cast<long double>(free.constant)),
              static_cast<long double>(free.error));
  }
  EXPECT_GT(off, 20);
}

TEST(EntropyRise, IsNeverLessThanTheRise) {
  Random random(2);
  for (int trial = 0; trial < 20000; ++trial) {
    double low = random.uniform(), high = random.uniform();
    if (low > high) std::swap(low, high);
    const Interval in{low, high};
    const double at = in.clamp(random.uniform());
    const long double rise = true_entropy(in.clamp(0.5)) - true_entropy(at);
    EXPECT_GE(static_cast<long double>(entropy_rise(in, at)), rise);
    EXPECT_LE(static_cast<long double>(entropy_rise(in, at)), rise + 1e-14L);
  }
}

}  // namespace
}  // namespace surefield
