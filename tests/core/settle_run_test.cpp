#include "surefield/core/settle_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "surefield/core/box.hpp"
#include "surefield/core/colouring.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/sigmoid_batch.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "tests/support/grid_field.hpp"

namespace surefield {
namespace {

constexpr Index kColumns = 120;

/// One by one, by the definition of a partial.
RunMoves one_by_one(const PairwiseField& model, const GridRun& run, std::vector<double>& x,
                    const Box* box, double beta, double wakes) {
  RunMoves moves;
  for (Index k = 0; k < run.count; ++k) {
    const Index i = run.first + 2 * k;
    double u = beta * model.at(x).partial(i);
    sigmoid_batch({&u, 1});
    if (box != nullptr) u = (*box)[i].clamp(u);
    const double move = std::abs(u - x[i]);
    moves.largest = std::max(moves.largest, move);
    moves.moved += move > wakes ? 1 : 0;
    x[i] = u;
  }
  return moves;
}

RunArrays arrays_of(const PairwiseField& model, std::vector<double>& x, const Box* box = nullptr,
                    const std::vector<double>& packed = {}) {
  return {.bias = model.bias.data(),
          .coupling = model.coupling.data(),
          .x = x.data(),
          .low = box != nullptr ? box->low.data() : nullptr,
          .high = box != nullptr ? box->high.data() : nullptr,
          .packed = packed.empty() ? nullptr : packed.data()};
}

/// By what this machine has, and four abreast.
struct Way {
  decltype(settle_run)* settle;
  decltype(pack_run)* pack;
};
constexpr Way kWays[] = {{settle_run, pack_run}, {detail::settle_by_four, detail::pack_by_four}};

/// All bits, of the point and of what it moved, for runs of every length and place, with a box and without, packed and not.
TEST(SettleRun, HasTheBitsOfStepsOneByOne) {
  Random random(1);
  for (std::uint32_t count = kShortestRun; count <= 50; ++count) {
    SCOPED_TRACE(count);
    const PairwiseField model = testing::grid_field(5, kColumns, count);
    const Index first = 2 * kColumns + 1 + count % 7;
    const GridRun run{first, model.start[first], count, kColumns, kColumns};
    std::vector<double> x(model.size());
    for (double& v : x) v = random.uniform();
    Box box = unit_box(model.size());
    for (Index i = 0; i < box.size(); ++i) {
      box.low[i] = random.uniform(0, 0.6);
      box.high[i] = i % 5 == 0 ? box.low[i] : random.uniform(box.low[i], 1);
    }
    for (const Box* const in : {static_cast<const Box*>(nullptr), &std::as_const(box)})
      for (const double beta : {1.0, 0.3, 700.0}) {
        auto expected = x;
        const RunMoves wanted = one_by_one(model, run, expected, in, beta, 0.1);
        for (const Way& way : kWays)
          for (const bool packs : {false, true}) {
            std::vector<double> packed(packs ? 5 * 56 + kPackedAhead : 0, std::nan(""));
            if (packs) way.pack(run, arrays_of(model, x), packed.data());
            auto now = x;
            const RunMoves moves = way.settle(run, arrays_of(model, now, in, packed), beta, 0.1);
            EXPECT_EQ(now, expected);
            EXPECT_EQ(moves.largest, wanted.largest);
            EXPECT_EQ(moves.moved, wanted.moved);
          }
      }
  }
}

/// Runs of odd lengths, packed from the last to the first: none is where another one is, and behind the last there is what may be asked for.
TEST(SettleRun, FindsEachOfManyPackedRuns) {
  for (const Index columns : {43, 60, 71}) {
    PairwiseField model = testing::grid_field(20, columns, columns);
    const Colouring shape = colour_in_blocks(model.neighbours(), 4000);
    const GridRuns found = find_grid_runs(shape.order, shape.class_ends, model.neighbours());
    ASSERT_GT(found.runs.size(), 30);
    for (const Way& way : kWays) {
      std::vector<double> x(model.size(), 0.5), expected = x;
      std::vector<double> packed(found.packed_size, std::nan(""));
      for (auto run = found.runs.rbegin(); run != found.runs.rend(); ++run)
        way.pack(*run, arrays_of(model, x), packed.data());
      for (const GridRun& run : found.runs) {
        way.settle(run, arrays_of(model, x, nullptr, packed), 0.7, 0);
        one_by_one(model, run, expected, nullptr, 0.7, 0);
        ASSERT_EQ(x, expected);
      }
      EXPECT_TRUE(std::all_of(packed.end() - kPackedAhead, packed.end(),
                              [](double v) { return std::isnan(v); }));
    }
  }
}

TEST(SettleRun, KeepsToTheSaturatedEnds) {
  PairwiseField model = testing::grid_field(5, kColumns, 9);
  for (Index i = 0; i < model.size(); ++i) model.bias[i] = i % 4 < 2 ? 1e300 : -1e300;
  const Index first = 2 * kColumns + 1;
  std::vector<double> x(model.size(), 0.5);
  const RunMoves moves =
      settle_run({first, model.start[first], 32, kColumns, kColumns}, arrays_of(model, x), 1, 0);
  EXPECT_EQ(moves.largest, 0.5);
  EXPECT_EQ(moves.moved, 32);
  for (Index k = 0; k < 32; ++k) EXPECT_NEAR(x[first + 2 * k], (first + 2 * k) % 4 < 2, 1e-300);
}

}  // namespace
}  // namespace surefield
