#include "surefield/bounds/elbo/tiled_cut_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "surefield/api/generate.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/balanced_field.hpp"
#include "tests/support/best_field_elbo.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

std::vector<double> middle_of(const Box& box) {
  std::vector<double> x(box.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
  return x;
}

AnyModel hard_grid(Index items) {
  return generate("hard-grid", {.items = items, .groups = {}, .density = {}, .seed = 7});
}

TEST(TiledCutBound, IsAboveTheBestOfSmallFieldsWhateverTheTiles) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(8);
    const double size = random.chance(0.2) ? std::pow(10, random.uniform(-6, 4)) : 1;
    const PairwiseField model = testing::balanced_field(n, size, random);
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i) {
      const double a = random.uniform(), b = random.uniform();
      if (random.chance(0.1)) box.fix(i, a);
      if (random.chance(0.1)) box.fix(i, random.chance(0.5));
      if (random.chance(0.1)) box.low[i] = std::min(a, b), box.high[i] = std::max(a, b);
    }
    const double best = testing::best_field_elbo(model, box, seed);
    const Index tile = 1 + random.below(4);
    // every round on the way, and the value never above its bound
    const auto report =
        tiled_cut_bound(model, box, middle_of(box), {.rounds = 6, .wanted_gap = 0, .tile = tile},
                        [&](std::size_t, double bound, double value) {
                          EXPECT_GE(bound, best);
                          EXPECT_GE(bound, value);
                          return true;
                        });
    EXPECT_GE(report.bound, best);
    EXPECT_NEAR(Elbo(model.at(report.point)).value(), report.value, 1e-9 * std::max(1.0, size));
    require_inside(box, report.point);
    // The parts of a maximum are no less than the whole: one round each, with the same polygons.
    const auto tiled = tiled_cut_bound(model, box, middle_of(box),
                                       {.rounds = 1, .wanted_gap = 0, .spacing = 1, .tile = tile});
    const auto whole = cut_bound(model, box, {.rounds = 1, .wanted_gap = 0, .spacing = 1});
    EXPECT_GE(tiled.bound, whole.bound - 1e-9 * std::max(1.0, std::abs(whole.bound)));
    // One tile is the whole.
    const auto one = tiled_cut_bound(model, box, middle_of(box),
                                     {.rounds = 40, .sharing_rounds = 0, .wanted_gap = 1e-7});
    EXPECT_GE(one.bound, best);
    EXPECT_LE(one.bound, best + 1e-6 * std::max(1.0, std::abs(best)));
  }
}

TEST(TiledCutBound, IsNotRoundedBelowTheBestByAHugeConstant) {
  // Next to 1e16 doubles are 2 apart.
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    PairwiseField model = testing::balanced_field(6, 1, random);
    model.constant = 0;
    const Box box = unit_box(6);
    const long double best = testing::best_field_elbo(model, box, seed);
    model.constant = random.chance(0.5) ? 1e16 : -1e16;
    const auto report =
        tiled_cut_bound(model, box, middle_of(box), {.rounds = 2, .wanted_gap = 0, .tile = 2});
    EXPECT_GE(static_cast<long double>(report.bound), model.constant + best);
    EXPECT_LE(static_cast<long double>(report.bound), model.constant + best + 30);
  }
}

TEST(TiledCutBound, ClosesInOnAHardGridWithTheSameBitsOnAnyNumberOfThreads) {
  const AnyModel any = hard_grid(24 * 24);
  const PairwiseField& model = *any.as<PairwiseField>();
  const Box box = unit_box(model.size());
  TiledCutOptions options{.rounds = 7, .wanted_gap = 0, .tile = 150};
  std::vector<double> bounds;
  const auto one =
      tiled_cut_bound(model, box, middle_of(box), options, [&](std::size_t, double bound, double) {
        bounds.push_back(bound);
        return true;
      });
  for (const unsigned threads : {2U, 3U}) {
    options.budget = Budget().with_threads(threads);
    const auto more = tiled_cut_bound(model, box, middle_of(box), options);
    EXPECT_EQ(more.bound, one.bound);
    EXPECT_EQ(more.value, one.value);
    EXPECT_EQ(more.point, one.point);
  }
  ASSERT_EQ(bounds.size(), 7U);
  EXPECT_LT(bounds[2], bounds[0]);  // by the shares alone: the polygons are the same
  const auto whole = cut_bound(model, box, {.wanted_gap = 1e-4});
  EXPECT_GE(one.bound, whole.value);
  EXPECT_LE(one.bound, whole.bound * (1 + 5e-3));  // a tenth of the nodes is shared here
  EXPECT_GE(one.value, whole.value * (1 - 2e-3));
}

TEST(TiledCutBound, EndsWhenItsObserverOrItsBudgetSaysSo) {
  const AnyModel any = hard_grid(12 * 12);
  const PairwiseField& model = *any.as<PairwiseField>();
  const Box box = unit_box(model.size());
  std::size_t calls = 0;
  const auto observed = tiled_cut_bound(model, box, middle_of(box), {.wanted_gap = 0, .tile = 20},
                                        [&](std::size_t round, double, double) {
                                          EXPECT_EQ(round, ++calls);
                                          return calls < 3;
                                        });
  EXPECT_EQ(observed.status, Status::kInterrupted);
  EXPECT_EQ(observed.rounds, 3U);
  const std::atomic<bool> stop = true;
  const auto stopped = tiled_cut_bound(model, box, middle_of(box),
                                       {.tile = 20, .budget = Budget().stopped_by(stop)});
  EXPECT_EQ(stopped.status, Status::kInterrupted);
  EXPECT_EQ(stopped.bound, kInfinity);  // nothing is proved, and nothing is claimed
}

TEST(TiledCutBound, NamesWhatItRefuses) {
  const std::vector<Edge> triangle{{0, 1, -1.0}, {1, 2, -1.0}, {0, 2, -1.0}};
  const PairwiseField odd = make_pairwise_field({0, 0, 0}, triangle);
  EXPECT_EQ(testing::refusal([&] { tiled_cut_bound(odd, unit_box(3), std::vector<double>(3)); }),
            "tiled cut bound: the field has an odd cycle of couplings < 0, which must not be: "
            "flipping nodes cannot make all couplings >= 0");
  const PairwiseField one = make_pairwise_field({0}, {});
  const auto refusal_of = [&](const TiledCutOptions& options) {
    return testing::refusal(
        [&] { tiled_cut_bound(one, unit_box(1), std::vector<double>{0.5}, options); });
  };
  EXPECT_EQ(refusal_of({.rounds = 0}),
            "tiled cut bound: the number of rounds is 0, which must be >= 1");
  EXPECT_EQ(refusal_of({.wanted_gap = -1}),
            "tiled cut bound: the wanted gap is -1, which must be finite and >= 0");
  EXPECT_EQ(refusal_of({.spacing = 0}),
            "tiled cut bound: the spacing is 0, which must lie in [0.01, 4]");
  EXPECT_EQ(refusal_of({.step = -1}),
            "tiled cut bound: the step is -1, which must be finite and >= 0");
  EXPECT_EQ(refusal_of({.tile = 0}), "tiles: the size is 0, which must be >= 1");
}

}  // namespace
}  // namespace surefield
