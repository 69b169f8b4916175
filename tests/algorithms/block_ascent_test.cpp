#include "surefield/algorithms/block_ascent.hpp"

#include <gtest/gtest.h>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/grid_field.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

Order in_blocks(const PairwiseField& model, Index block = 4096) {
  return Order::coloured(model.size(), colour_in_blocks(model.neighbours(), block));
}

/// One interval short of the unit box is enough to be kept to, whichever it is.
TEST(BlockAscent, KeepsToABoxThatIsAlmostTheUnitBox) {
  const PairwiseField model = testing::random_pairwise(12, 0.3, 5);
  for (Index i = 0; i < 12; ++i)
    for (const Interval in : {Interval{0, 0x1p-40}, Interval{1 - 0x1p-40, 1}}) {
      Box box = unit_box(12);
      box.low[i] = in.low, box.high[i] = in.high;
      std::vector<double> from(12, 0.5);
      from[i] = in.low;
      const auto report = coordinate_ascent(Elbo(model.at(from)), box, in_blocks(model, 4));
      EXPECT_TRUE(in.contains(report.point[i])) << i << ": " << report.point[i];
    }
}

/// Fields of any sign, boxes, blocks of few: whoever sleeps must have nothing to gain.
TEST(BlockAscent, EndsWhereNoCoordinateCanMove) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = seed % 25;
    PairwiseField model = testing::random_pairwise(n, 0.2, seed);
    if (seed % 3 == 0)
      for (double& w : model.coupling) w = -w;
    const Box box = testing::random_box(n, random);
    std::vector<double> from(n);
    for (Index i = 0; i < n; ++i) from[i] = box[i].low + random.uniform() * box[i].width();
    const Elbo start(model.at(from), 2);
    const auto report = coordinate_ascent(start, box, in_blocks(model, 1 + seed % 9),
                                          {.neighbours = model.neighbours()});
    EXPECT_EQ(report.status, Status::kConverged);
    EXPECT_GE(report.value, start.value() - 1e-12);
    const Elbo at(model.at(report.point), 2);
    for (Index i = 0; i < n; ++i)
      EXPECT_NEAR(report.point[i], at.line(i).argmax(box[i]), 1e-9) << "coordinate " << i;
  }
}

/// Blocks of any size, the last one short and in the midst of the order: who is woken is visited in the round that follows.
TEST(BlockAscent, VisitsWhomeverIsWoken) {
  constexpr Index kCoordinates = 3 * 64 + 10;
  std::vector<Edge> chain;
  for (std::uint32_t i = 0; i + 1 < kCoordinates; ++i) chain.push_back({i, i + 1, -0.1});
  const PairwiseField model = make_pairwise_field(std::vector<double>(kCoordinates, 0.3), chain);
  const Box box = unit_box(kCoordinates);
  for (const Index block : {1, 7, 64, 96, 1000}) {
    Elbo state(model.at(std::vector<double>(kCoordinates, 0.5)));
    Order order = in_blocks(model, block);
    const Budget budget;
    BlockAscent ascent(state, box, order, model.neighbours(), 1e-9, budget);
    ascent.wake_all();
    while (ascent.round().moved > 0) continue;
    for (Index j = 0; j < kCoordinates; ++j) {
      const double settled = state.coordinate(j);
      state.set(j, 0.9);
      ascent.wake(j);
      while (ascent.round().moved > 0) continue;
      EXPECT_NEAR(state.coordinate(j), settled, 1e-6) << "block of " << block << ", " << j;
    }
  }
}

TEST(BlockAscent, VisitsAFractionOfWhatSweepsVisitOnHardGrids) {
  double by_sweeps = 0;
  double by_rounds = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const AnyModel any =
        generate("hard-grid", {.items = 60 * 60, .groups = {}, .density = {}, .seed = seed});
    const PairwiseField& model = *any.as<PairwiseField>();
    const Box box = unit_box(model.size());
    const Elbo from(model.at(std::vector<double>(model.size(), 0.5)));
    const auto sweeps = coordinate_ascent(from, box, in_blocks(model, 64), {});
    const auto active =
        coordinate_ascent(from, box, in_blocks(model, 64), {.neighbours = model.neighbours()});
    ASSERT_EQ(sweeps.status, Status::kConverged);
    ASSERT_EQ(active.status, Status::kConverged);
    EXPECT_NEAR(active.value, sweeps.value, 1e-3 * std::abs(sweeps.value));
    by_sweeps += sweeps.epochs;
    by_rounds += active.epochs;
  }
  EXPECT_LT(by_rounds, by_sweeps / 2);
}

TEST(BlockAscent, HasTheSameBitsOnAnyNumberOfThreads) {
  const AnyModel any =
      generate("hard-grid", {.items = 250 * 250, .groups = {}, .density = {}, .seed = 3});
  const PairwiseField& model = *any.as<PairwiseField>();
  const auto run = [&](unsigned threads) {
    return coordinate_ascent(Elbo(model.at(std::vector<double>(model.size(), 0.5))),
                             unit_box(model.size()), in_blocks(model, 512),
                             {.tolerance = 1e-3,
                              .budget = Budget().with_threads(threads),
                              .neighbours = model.neighbours()});
  };
  const auto one = run(1);
  for (const unsigned threads : {2U, 8U}) {
    const auto other = run(threads);
    EXPECT_EQ(other.point, one.point) << threads;
    EXPECT_EQ(other.epochs, one.epochs) << threads;
  }
}

/// An objective that hides that it knows runs of a grid.
class WithoutRuns {
 public:
  explicit WithoutRuns(Elbo<PairwiseField::State> elbo) : elbo_(std::move(elbo)) {}
  Index size() const { return elbo_.size(); }
  double coordinate(Index i) const { return elbo_.coordinate(i); }
  EntropyLine line(Index i) const { return elbo_.line(i); }
  void set(Index i, double v) { elbo_.set(i, v); }
  void gradient(std::span<double> out) const { elbo_.gradient(out); }
  double value() const { return elbo_.value(); }
  void peak_batch(std::span<const Index> ids, std::span<double> out) const {
    elbo_.peak_batch(ids, out);
  }
  void argmax_batch(std::span<const Index> ids, const Box& box, std::span<double> out) const {
    elbo_.argmax_batch(ids, box, out);
  }

 private:
  Elbo<PairwiseField::State> elbo_;
};
static_assert(GridObjective<Elbo<PairwiseField::State>> && !GridObjective<WithoutRuns>);

/// Sweeps along the rows of a grid, with memory to pack them and without, until well after they are packed, and class by class;
/// grids with a hole and an edge too many; with a box and without.
TEST(BlockAscent, SweepsAGridWithTheSameBitsAlongItsRows) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const PairwiseField whole = testing::grid_field(37 + seed, 64 + 3 * seed, seed);
    auto edges = whole.edges();
    if (seed % 2 == 0) {
      edges.erase(edges.begin() + 1500);
      edges.push_back({100, 1207, -1});
    }
    const PairwiseField model = make_pairwise_field(whole.bias, edges);
    const Index n = model.size();
    const Box box = seed % 4 < 2 ? unit_box(n) : testing::random_box(n, random);
    std::vector<double> from(n);
    for (Index i = 0; i < n; ++i) from[i] = box[i].low + random.uniform() * box[i].width();
    Elbo with(model.at(from), 1.5);
    WithoutRuns without{Elbo(model.at(from), 1.5)};
    Order order = in_blocks(model, 100 * seed);
    Elbo poor = with;
    const Budget budget, no_memory = Budget().with_bytes(1);
    BlockAscent fast(with, box, order, model.neighbours(), 0.01, budget);
    BlockAscent fair(poor, box, order, model.neighbours(), 0.01, no_memory);
    BlockAscent slow(without, box, order, model.neighbours(), 0.01, budget);
    for (int sweep = 0; sweep < 36; ++sweep) {
      const auto a = fast.sweep();
      const auto b = slow.sweep();
      fair.sweep();
      EXPECT_EQ(point_of(poor), point_of(with));
      EXPECT_EQ(a.largest, b.largest);
      EXPECT_EQ(a.moved, b.moved);
      EXPECT_EQ(a.visited, b.visited);
      EXPECT_EQ(point_of(with), point_of(without));
    }
  }
}

TEST(BlockAscent, KeepsToItsEpochsAndItsBudget) {
  const AnyModel any =
      generate("hard-grid", {.items = 50 * 50, .groups = {}, .density = {}, .seed = 4});
  const PairwiseField& model = *any.as<PairwiseField>();
  const Elbo from(model.at(std::vector<double>(model.size(), 0.5)));
  const Box box = unit_box(model.size());
  const auto few =
      coordinate_ascent(from, box, in_blocks(model),
                        {.epochs = 120, .tolerance = 1e-14, .neighbours = model.neighbours()});
  EXPECT_EQ(few.status, Status::kEpochLimit);
  EXPECT_GE(few.epochs, 120);
  EXPECT_LT(few.epochs, 126);
  const auto none =
      coordinate_ascent(from, box, in_blocks(model),
                        {.budget = Budget().within(0), .neighbours = model.neighbours()});
  EXPECT_EQ(none.status, Status::kInterrupted);
}

}  // namespace
}  // namespace surefield
