#include "surefield/bounds/log_z/supergradient/min_norm_point.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/supergradient/cut_function.hpp"
#include "tests/support/all_families.hpp"

namespace surefield {
namespace {

/// F + linear as prefix gains over all items.
template <class M>
PrefixGains gains_of(const M& model, const std::vector<double>& linear) {
  return [&](std::span<const Index> order, std::span<double> gains) {
    auto set = model.empty_set();
    for (Index k = 0; k < order.size(); ++k) {
      gains[k] = set.gain(order[k]) + linear[order[k]];
      set.add(order[k]);
    }
  };
}

template <class M>
double value_of(const M& model, const std::vector<double>& linear, Subset chosen) {
  double value = model.evaluate(chosen);
  for (Index i = 0; i < chosen.size(); ++i) value += chosen[i] ? linear[i] : 0;
  return value;
}

std::vector<double> random_linear(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> linear(n);
  for (double& c : linear) c = random.chance(0.1) ? 0 : random.uniform(-4, 2);
  return linear;
}

TEST(MinNormPoint, EqualsBruteForceOnEveryFamily) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Index n = seed % 8;
    const auto linear = random_linear(n, seed);
    testing::for_each_family(n, seed, [&](const char* name, const auto& model) {
      double least = kInfinity;
      for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code)
        least = std::min(least, value_of(model, linear, reference::subset(code, n)));
      const double empty = model.evaluate(reference::subset(0, n));
      const auto found = minimise_submodular(n, gains_of(model, linear));
      const double tolerance = 10 * testing::rounding_of(model, 1);  // it stops at 1e-10
      EXPECT_NEAR(found.value + empty, least, tolerance) << name << " seed " << seed;
      EXPECT_NEAR(value_of(model, linear, found.set), least, tolerance) << name << " " << seed;
      EXPECT_LE(found.lower_bound + empty, least + tolerance) << name << " seed " << seed;
    });
  }
}

TEST(MinNormPoint, TwelveItems) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Index n = 12;
    const auto linear = random_linear(n, seed);
    const auto model = testing::random_coverage(n, 9, seed);
    double least = kInfinity;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code)
      least = std::min(least, value_of(model, linear, reference::subset(code, n)));
    const auto found = minimise_submodular(n, gains_of(model, linear));
    EXPECT_NEAR(found.value, least, 10 * testing::rounding_of(model, 1));
    EXPECT_EQ(found.status, Status::kConverged);
  }
}

// F({0}) = 1, F({1}) = 2, F(both) = -1: least at both; the base polytope is x_0 + x_1 = -1 with
// x_0 <= 1, x_1 <= 2, its point of least norm (-1/2, -1/2).
TEST(MinNormPoint, TwoItemsByHand) {
  const auto model = make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, -4}});
  const std::vector<double> none(2, 0);
  const auto found = minimise_submodular(2, gains_of(model, none));
  EXPECT_EQ(found.set, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_DOUBLE_EQ(found.value, -1);
  EXPECT_NEAR(found.lower_bound, -1, 1e-12);
}

TEST(MinNormPoint, NoItemsAndOne) {
  EXPECT_EQ(minimise_submodular(0, [](auto, auto) {}).value, 0);
  const auto one = [](double gain) {
    return minimise_submodular(1, [gain](auto, std::span<double> out) { out[0] = gain; });
  };
  EXPECT_EQ(one(-3).set[0], 1);
  EXPECT_EQ(one(-3).value, -3);
  EXPECT_EQ(one(3).set[0], 0);
  EXPECT_EQ(one(3).value, 0);
  EXPECT_EQ(one(0).value, 0);
}

TEST(CutFunction, EqualsBruteForceWhereverItFits) {
  std::map<std::string, int> fitted;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Index n = seed % 8;
    const auto linear = random_linear(n, seed);
    const Box box = testing::random_fixing(n, seed);
    Assignment fixed(n, kFree);
    for (Index i = 0; i < n; ++i)
      if (box[i].is_point()) fixed[i] = static_cast<std::int8_t>(box.low[i]);
    const double weight = seed % 3 == 0 ? 0.25 : 1;
    testing::for_each_family(n, seed, [&](const char* name, const auto& model) {
      CutFunction cut(fixed);
      if (!add_to_cut(cut, model, weight)) return;
      ++fitted[name];
      for (std::uint32_t i = 0; i < n; ++i) cut.add_linear(i, linear[i]);
      const auto value = [&](Subset s) {
        double sum = weight * model.evaluate(s);
        for (Index i = 0; i < n; ++i) sum += s[i] ? linear[i] : 0;
        return sum;
      };
      double least = kInfinity;
      for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code) {
        const auto chosen = reference::subset(code, n);
        bool inside = true;
        for (Index i = 0; i < n; ++i) inside &= box[i].contains(chosen[i]);
        if (inside) least = std::min(least, value(chosen));
      }
      const auto found = cut.minimiser();
      for (Index i = 0; i < n; ++i) EXPECT_TRUE(box[i].contains(found[i]));
      EXPECT_NEAR(value(found), least, testing::rounding_of(model, 1)) << name << " seed " << seed;
    });
  }
  for (const char* name :
       {"flid", "facility location", "sure coverage", "pairwise", "cut", "hypergraph cut", "sum"})
    EXPECT_EQ(fitted[name], 400) << name;
  EXPECT_GT(fitted["gibbs"], 200);
  EXPECT_GT(fitted["coverage"], 80);  // without concepts, or all sure
  EXPECT_EQ(fitted["log det"], 0);
}

TEST(CutFunction, DoesNotTakeWhatIsNotSubmodular) {
  CutFunction cut(Assignment(2, kFree));
  EXPECT_FALSE(add_to_cut(cut, make_pairwise_field({0, 0}, std::vector<Edge>{{0, 1, 1}}), 1));
  EXPECT_FALSE(add_to_cut(cut, make_flid({0, 0}, {1, -1}, 1), 1));
}

}  // namespace
}  // namespace surefield
