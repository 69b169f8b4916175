#include "surefield/learn/modular_non_empty.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/learn/modular.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

double likelihood(const std::vector<double>& utility, const SetCollection& data) {
  const Flid flid = make_flid(utility, {}, 0);
  const double log_z = modular_log_z(flid);
  const AnyModel model = flid;
  return held_out_likelihood(model, data, {log_z, log_z}, Support::kNonEmptySets)
      .log_likelihood()
      .low;
}

TEST(ModularNonEmpty, TwoItemsByHand) {
  // Sets {0}, {1}, {0, 1} once each: f = 2/3 both. Every non-empty set is equally likely at u = 0:
  // e = 1/4, sigmoid(0) = 1/2 = 2/3 * 3/4.
  const SetCollection data{.items = 2, .sets = {{0}, {1}, {0, 1}}, .names = {}};
  const Flid model = fit_modular_given_non_empty(data, 0);
  EXPECT_NEAR(model.utility[0], 0, 1e-12);
  EXPECT_NEAR(model.utility[1], 0, 1e-12);
  const SetCollection with_empty{.items = 2, .sets = {{}, {0}, {1}, {0, 1}}, .names = {}};
  EXPECT_EQ(fit_modular_given_non_empty(with_empty, 0).utility, model.utility);
}

TEST(ModularNonEmpty, NoOtherUtilitiesAreMoreLikely) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    SetCollection data;
    data.items = 2 + seed % 6;
    for (Index k = 0; k < 200; ++k) {
      auto& set = data.sets.emplace_back();
      for (std::uint32_t i = 0; i < data.items; ++i)
        if (random.chance(0.2 + 0.1 * i)) set.push_back(i);
    }
    const auto best = fit_modular_given_non_empty(data, 0).utility;
    const double top = likelihood(best, data);
    EXPECT_GE(top, likelihood(fit_modular(data, 0).utility, data) - 1e-12);
    for (Index t = 0; t < 50; ++t) {
      auto other = best;
      for (double& u : other) u += random.uniform(-0.05, 0.05);
      EXPECT_LE(likelihood(other, data), top + 1e-10);
    }
  }
}

TEST(ModularNonEmpty, SingleItemsAndRefusals) {
  const SetCollection singles{.items = 3, .sets = {{0}, {1}, {2}, {0}}, .names = {}};
  for (const double u : fit_modular_given_non_empty(singles, 0).utility) {
    EXPECT_TRUE(std::isfinite(u));
    EXPECT_LT(u, -10);  // one item a set: the rarer each, the better
  }
  const SetCollection empty{.items = 3, .sets = {{}, {}}, .names = {}};
  EXPECT_EQ(testing::refusal([&] { fit_modular_given_non_empty(empty); }),
            "modular: every set is empty");
  EXPECT_EQ(testing::refusal([&] { fit_modular_given_non_empty(singles, -1); }),
            "modular: the smoothing is -1, which must be finite and >= 0");
}

}  // namespace
}  // namespace surefield
