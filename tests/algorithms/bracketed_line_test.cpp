#include "surefield/algorithms/bracketed_line.hpp"

#include <gtest/gtest.h>

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/parabola.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::Parabola;

TEST(BracketedLine, StopsByHandAsSoonAsItHasAProof) {
  // Peak 0.3 on [0, 1], strength 1. At 1/2 the slope is -0.4 and the bracket's other end 1/2 away:
  // 0.2 > 0.1. At 1/4 it is 0.1 and the other end is 1/4 away: 0.025 <= 0.1, so it stops there.
  const BracketedLine line(Parabola{0.3, 1}, 0.1);
  EXPECT_EQ(line.argmax({0, 1}), 0.25);
  EXPECT_EQ(line.argmax({0.5, 1}), 0.5);  // falls from the start
  EXPECT_EQ(line.argmax({0, 0.2}), 0.2);  // rises to the end
  EXPECT_EQ(line.argmax({0.4, 0.4}), 0.4);
}

TEST(BracketedLine, IsWithinItsErrorOfTheBestPoint) {
  Random random(5);
  for (int k = 0; k < 2000; ++k) {
    const Parabola parabola{random.uniform(-0.5, 1.5), std::pow(10, random.uniform(-3, 6))};
    const double error = std::pow(10, random.uniform(-10, 0));
    const Interval in{random.uniform(0, 0.4), random.uniform(0.4, 1)};
    const double u = BracketedLine(parabola, error).argmax(in);
    ASSERT_LE(parabola.rise(u, in.clamp(parabola.peak)), error * (1 + 1e-9));
  }
}

TEST(BracketedLine, RefusesAnErrorThatIsNone) {
  EXPECT_EQ(testing::refusal([] {
              BracketedLine(Parabola{0, 1}, 0.0);
            }),
            "bracketed line: the error is 0, which must be finite and > 0");
}

/// The ELBO with its lines known by slope and rise only.
class ByBracket {
 public:
  ByBracket(Elbo<PairwiseField::State> elbo, double error)
      : elbo_(std::move(elbo)), error_(error) {}
  Index size() const { return elbo_.size(); }
  double coordinate(Index i) const { return elbo_.coordinate(i); }
  BracketedLine<EntropyLine> line(Index i) const { return {elbo_.line(i), error_}; }
  void gradient(std::span<double> out) const { elbo_.gradient(out); }
  double value() const { return elbo_.value(); }
  void set(Index i, double v) { elbo_.set(i, v); }

 private:
  Elbo<PairwiseField::State> elbo_;
  double error_;
};
static_assert(Objective<ByBracket>);

TEST(BracketedLine, CarriesItsErrorIntoTheGuaranteeAndTheCertificate) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(3);
    const PairwiseField model = testing::random_pairwise(n, 0.8, seed);
    const Box box = unit_box(n);
    const double delta = std::pow(10, random.uniform(-6, 0));
    const double error = delta / static_cast<double>(n);
    const auto result = double_greedy(ByBracket(Elbo(model.at(box.low)), error),
                                      ByBracket(Elbo(model.at(box.high)), error),
                                      permutation(n, random), Proportional{});
    EXPECT_NEAR(result.slack, 1.25 * delta, 1e-12);
    const auto value = [&](std::span<const double> x) { return Elbo(model.at(x)).value(); };
    const double best = testing::global_maximum(value, box);
    EXPECT_GE(result.report.value,
              best / 2 + (value(box.low) + value(box.high)) / 4 - result.slack - 1e-6);
    EXPECT_GE(*result.report.upper_bound, best);
  }
}

}  // namespace
}  // namespace surefield
