#include "surefield/algorithms/step_rules.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/parabola.hpp"

namespace surefield {
namespace {

/// Slopes 1 from below and -2 from above on [0, 1]: up = sigmoid(1), down = sigmoid(-2).
struct ByHand {
  EntropyLine below{1}, above{-2};
  Step<EntropyLine> step{0, below, above, {0, 1}, sigmoid(1), sigmoid(-2)};
};

TEST(StepRules, ProportionalByHand) {
  // (1.313262 * 0.731059 + 2.126928 * 0.119203) / 3.440190
  EXPECT_NEAR(Proportional{}(ByHand{}.step), 0.35277335345806615, 1e-15);
}

TEST(StepRules, WinnerTakesTheLargerGain) {
  EXPECT_EQ(Winner{}(ByHand{}.step), sigmoid(-2));  // softplus(2) = 2.13 against softplus(1) = 1.31
  const EntropyLine below{3}, above{-2};
  EXPECT_EQ(Winner{}(Step{0, below, above, {0, 1}, sigmoid(3), sigmoid(-2)}), sigmoid(3));
  const EntropyLine one{1}, as_much{-1};  // a tie goes up
  EXPECT_EQ(Winner{}(Step{0, one, as_much, {0, 1}, 1.0, 0.0}), 1.0);
}

TEST(StepRules, BalancedByHand) {
  // 1 (1 - z) - 2 z = logit z: 1 - 3 z falls and logit z grows, so there is one root.
  const double z = Balanced{}(ByHand{}.step);
  EXPECT_NEAR(1 - 3 * z, logit(z), 1e-14);
  EXPECT_NEAR(BalancedByBisection{1e-12}(ByHand{}.step), z, 1e-11);
}

TEST(StepRules, BisectionReturnsTheLastMidpoint) {
  // Root 0.43 of the balance: 1/2 is too high, 1/4 too low, then the bracket [1/4, 1/2] has width
  // 1/4 and it stops there.
  EXPECT_EQ(BalancedByBisection{0.25}(ByHand{}.step), 0.25);
  EXPECT_EQ(BalancedByBisection{0.2}(ByHand{}.step), 0.375);
}

TEST(StepRules, EqualisedByHand) {
  // (softplus(1) - softplus(-2)) / 3 = (1.3132616875 - 0.1269280110) / 3
  const ByHand hand;
  const double u = Equalised{}(hand.step);
  EXPECT_NEAR(u, 0.39544455882, 1e-10);
  EXPECT_NEAR(hand.below.rise(u, hand.step.up), hand.above.rise(u, hand.step.down), 1e-14);
}

TEST(StepRules, GuardedKeepsAnAllowedHintAndMovesAnyOther) {
  const ByHand hand;
  const std::vector<double> near{0.4}, far{1.0};
  EXPECT_EQ(Guarded{near}(hand.step), 0.4);
  const EntropyLine above{-6};  // up would lose 3.8 of the 6.0 that the top can gain: too much
  const Step<EntropyLine> step{0, hand.below, above, {0, 1}, sigmoid(1), sigmoid(-6)};
  const double u = Guarded{far}(step);
  EXPECT_GT(u, Equalised{}(step));
  EXPECT_LT(u, step.up);
  const double gains = softplus(1) + softplus(6);
  const double up = hand.below.rise(u, step.up);
  const double down = above.rise(u, step.down);
  EXPECT_NEAR(gains - up - down, 2 * std::max(up, down),
              1e-2);  // moved hardly further than the guarantee needs
}

using testing::Parabola;

TEST(StepRules, GenericLinesByHand) {
  const Parabola below{0.8, 1}, above{0.2, 1};
  const Step<Parabola> step{0, below, above, {0, 1}, 0.8, 0.2};
  EXPECT_NEAR(Proportional{}(step), 0.5, 1e-15);  // gains 0.64 and 0.64
  EXPECT_NEAR(Equalised{}(step), 0.5, 1e-12);     // (u - 0.8)^2 = (u - 0.2)^2
  EXPECT_NEAR(Balanced{}(step), 0.5, 1e-12);      // symmetric
  EXPECT_EQ(Winner{}(step), 0.8);                 // a tie goes up
}

/// Every 1/2 rule keeps (gains - losses)/2 >= the larger loss, on random lines, boxes and extreme
/// slopes.
TEST(StepRules, EveryHalfRuleKeepsItsInequality) {
  Random random(11);
  for (int k = 0; k < 20000; ++k) {
    const double scale = std::pow(10, random.uniform(-6, k % 10 == 0 ? 290 : 3));
    const double high = random.uniform(-scale, scale);
    const double low = random.chance(0.1) ? high : high - random.uniform(0, 2 * scale);
    Interval in{0, 1};
    if (random.chance(0.5)) in.low = random.uniform(0, 0.6), in.high = random.uniform(in.low, 1);
    if (in.is_point()) continue;
    const EntropyLine below(high), above(low);
    const Step<EntropyLine> step{0, below, above, in, below.argmax(in), above.argmax(in)};
    const double gains =
        std::max(0.0, below.rise(in.low, step.up)) + std::max(0.0, above.rise(in.high, step.down));
    const std::vector<double> hint{random.uniform()};
    const auto check = [&](double settled, const char* rule) {
      const double u = std::clamp(settled, step.down, step.up);
      ASSERT_NEAR(u, settled, 1e-15) << rule << " slopes " << high << ' ' << low;
      const double up = std::max(0.0, below.rise(u, step.up));
      const double down = std::max(0.0, above.rise(u, step.down));
      ASSERT_GE((gains - up - down) / 2, std::max(up, down) - 1e-9 * (1e-3 + gains))
          << rule << " slopes " << high << ' ' << low << " in [" << in.low << ", " << in.high
          << ']';
    };
    check(Proportional{}(step), "Proportional");
    check(Equalised{}(step), "Equalised");
    check(Guarded{hint}(step), "Guarded");
    check(Balanced{}(step), "Balanced");
  }
}

}  // namespace
}  // namespace surefield
