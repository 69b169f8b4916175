#include "surefield/core/settle_run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "surefield/core/box.hpp"
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

/// All bits, of the point and of what it moved, for runs of every length and place, with a box and without.
TEST(SettleRun, HasTheBitsOfStepsOneByOne) {
  Random random(1);
  for (std::uint32_t count = 1; count <= 50; ++count) {
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
        for (const auto settle : {settle_run, detail::settle_by_four}) {
          auto now = x;
          const RunMoves moves = settle(
              run,
              {model.bias.data(), model.coupling.data(), now.data(),
               in != nullptr ? in->low.data() : nullptr, in != nullptr ? in->high.data() : nullptr},
              beta, 0.1);
          EXPECT_EQ(now, expected);
          EXPECT_EQ(moves.largest, wanted.largest);
          EXPECT_EQ(moves.moved, wanted.moved);
        }
      }
  }
}

TEST(SettleRun, KeepsToTheSaturatedEnds) {
  PairwiseField model = testing::grid_field(5, kColumns, 9);
  for (Index i = 0; i < model.size(); ++i) model.bias[i] = i % 4 < 2 ? 1e300 : -1e300;
  const Index first = 2 * kColumns + 1;
  std::vector<double> x(model.size(), 0.5);
  const RunMoves moves =
      settle_run({first, model.start[first], 32, kColumns, kColumns},
                 {model.bias.data(), model.coupling.data(), x.data(), nullptr, nullptr}, 1, 0);
  EXPECT_EQ(moves.largest, 0.5);
  EXPECT_EQ(moves.moved, 32);
  for (Index k = 0; k < 32; ++k) EXPECT_NEAR(x[first + 2 * k], (first + 2 * k) % 4 < 2, 1e-300);
}

}  // namespace
}  // namespace surefield
