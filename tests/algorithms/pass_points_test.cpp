// A pass over a pair in two lanes has the bits of a pass over two objectives, and so has every number on the way.
#include "surefield/algorithms/pass_points.hpp"

#include <gtest/gtest.h>

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_facility.hpp"
#include "tests/support/random_flid.hpp"

namespace surefield {
namespace {

using PairableElbo = Elbo<FacilityLocation::State>;

/// The same objective, which does not say that it can be paired.
class AloneElbo {
 public:
  explicit AloneElbo(PairableElbo elbo) : elbo_(std::move(elbo)) {}
  Index size() const { return elbo_.size(); }
  double coordinate(Index i) const { return elbo_.coordinate(i); }
  EntropyLine line(Index i) const { return elbo_.line(i); }
  double value() const { return elbo_.value(); }
  void gradient(std::span<double> out) const { elbo_.gradient(out); }
  void set(Index i, double v) { elbo_.set(i, v); }

 private:
  PairableElbo elbo_;
};

static_assert(PairableObjective<PairableElbo>);
static_assert(Objective<AloneElbo> && !PairableObjective<AloneElbo>);

template <class M>
void check_lanes(const M& model, std::uint64_t seed) {
  SCOPED_TRACE(::testing::Message() << "seed " << seed);
  Random random(seed);
  const Index n = model.size();
  Box box = unit_box(n);
  if (seed % 2 == 0)
    for (Index i = 0; i < n; ++i) {
      box.low[i] = random.chance(0.3) ? 0 : random.uniform(0, 0.5);
      box.high[i] = random.chance(0.3) ? 1 : random.uniform(0.5, 1);
    }
  const double beta = seed % 3 == 0 ? 2.5 : 1;
  const PairableElbo bottom(model.at(box.low), beta), top(model.at(box.high), beta);
  EXPECT_EQ(PassPoints<PairableElbo>(bottom, top).values(),
            (std::array{bottom.value(), top.value()}));
  const auto order = permutation(n, random);
  const auto pair = double_greedy(bottom, top, order, Proportional{}, true);
  const auto alone = double_greedy(AloneElbo(bottom), AloneElbo(top), order, Proportional{}, true);
  EXPECT_EQ(pair.report.point, alone.report.point);
  EXPECT_EQ(pair.report.value, alone.report.value);
  EXPECT_EQ(pair.top_value, alone.top_value);
  EXPECT_EQ(pair.report.upper_bound, alone.report.upper_bound);
  ASSERT_EQ(pair.report.trace.size(), alone.report.trace.size());
  for (Index k = 0; k < pair.report.trace.size(); ++k)
    EXPECT_EQ(pair.report.trace[k].value, alone.report.trace[k].value);

  auto first = model.at(box.low), second = model.at(box.high);
  FacilityLocation::StatePair both(first, second);
  for (int move = 0; move < 20 && n > 0; ++move) {
    const Index i = random.below(n);
    EXPECT_EQ(both.partials(i), (std::array{first.partial(i), second.partial(i)}));
    const double v = random.chance(0.2) ? 0 : random.chance(0.2) ? 1 : random.uniform();
    both.set(i, v), first.set(i, v), second.set(i, v);
    EXPECT_EQ(both.coordinates(i), (std::array{v, v}));
    EXPECT_EQ(both.values(), (std::array{first.value(), second.value()}));
  }
}

TEST(PassPoints, TwoLanesHaveTheBitsOfTwoObjectives) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = seed < 40 ? seed % 20 : 70 * (seed % 5);  // trees of one to five levels
    check_lanes(testing::random_flid(n, n == 0 ? 0 : seed % 5, seed), seed);
    check_lanes(testing::random_facility(n, seed % 7, seed), seed);
  }
}

}  // namespace
}  // namespace surefield
