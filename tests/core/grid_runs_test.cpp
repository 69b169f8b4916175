#include "surefield/core/grid_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "surefield/core/colouring.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "tests/support/grid_field.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

GridRuns runs_of(const PairwiseField& model, const Colouring& shape) {
  return find_grid_runs(shape.order, shape.class_ends, model.neighbours());
}

/// Every node of a class once, in a run or in the rest; the neighbours of a run are where it says.
void expect_all_of(const PairwiseField& model, const Colouring& shape, const GridRuns& found) {
  std::size_t place = 0, run = 0, rest = 0;
  for (std::size_t c = 0; c < shape.class_ends.size(); ++c) {
    std::multiset<Index> wanted, seen;
    for (; place < shape.class_ends[c]; ++place) wanted.insert(shape.order[place]);
    for (; run < found.run_ends[c]; ++run) {
      const GridRun& one = found.runs[run];
      EXPECT_GE(one.count, kShortestRun);
      EXPECT_LT(one.first + one.down + 2 * one.count - 1, model.size())
          << "below the one behind the last";
      for (Index k = 0; k < one.count; ++k) {
        const Index i = one.first + 2 * k;
        seen.insert(i);
        ASSERT_EQ(model.start[i], one.first_end + 8 * k);
        ASSERT_EQ(model.start[i + 1], model.start[i] + 4);
        const auto* const to = model.neighbour.data() + model.start[i];
        EXPECT_EQ(to[0], i - one.up);
        EXPECT_EQ(to[1], i - 1);
        EXPECT_EQ(to[2], i + 1);
        EXPECT_EQ(to[3], i + one.down);
      }
    }
    for (; rest < found.rest_ends[c]; ++rest) seen.insert(found.rest[rest]);
    EXPECT_EQ(seen, wanted) << "class " << c;
  }
  EXPECT_EQ(run, found.runs.size());
  EXPECT_EQ(rest, found.rest.size());
}

TEST(GridRuns, HoldAllOfAGridButItsRimAndTheEndsOfBlocks) {
  for (const auto [rows, columns, block] :
       {std::array<Index, 3>{70, 90, 6300}, {70, 90, 512}, {40, 201, 700}, {41, 64, 64}}) {
    SCOPED_TRACE(block);
    const PairwiseField model = testing::grid_field(rows, columns, 1);
    const Colouring shape = colour_in_blocks(model.neighbours(), block);
    const GridRuns found = runs_of(model, shape);
    ASSERT_FALSE(found.empty());
    expect_all_of(model, shape, found);
    const Index rim = 2 * (rows + columns);
    EXPECT_LE(found.rest.size(), rim + 40 * (1 + rows * columns / block));
  }
}

/// A grid that lacks an edge here and has one too many there.
TEST(GridRuns, StopWhereAGridIsNotOne) {
  const PairwiseField whole = testing::grid_field(50, 80, 2);
  auto edges = whole.edges();
  for (std::size_t e = 5; e < edges.size(); e += 311) edges.erase(edges.begin() + e);
  edges.push_back({810, 1810, -1});
  const PairwiseField model = make_pairwise_field(whole.bias, edges);
  const Colouring shape = colour_in_blocks(model.neighbours(), 1024);
  const GridRuns found = runs_of(model, shape);
  ASSERT_FALSE(found.empty());
  expect_all_of(model, shape, found);
}

/// The last row is short, so that nodes of the row above it are the last to have one below.
TEST(GridRuns, KeepFromTheEndOfALastRowThatIsShort) {
  const PairwiseField whole = testing::grid_field(20, 80, 3);
  for (Index n = whole.size() - 40; n < whole.size(); ++n) {
    SCOPED_TRACE(n);
    auto edges = whole.edges();
    std::erase_if(edges, [&](const Edge& e) { return std::max(e.from, e.to) >= n; });
    const PairwiseField model =
        make_pairwise_field({whole.bias.begin(), whole.bias.begin() + n}, edges);
    const Colouring shape = colour_in_blocks(model.neighbours(), 512);
    const GridRuns found = runs_of(model, shape);
    ASSERT_FALSE(found.empty());
    expect_all_of(model, shape, found);
  }
}

TEST(GridRuns, AreNoneWhereThereIsNoGrid) {
  for (const Index n : {0, 1, 200}) {
    const PairwiseField model = testing::random_pairwise(n, 0.05, 3);
    EXPECT_TRUE(runs_of(model, colour_in_blocks(model.neighbours(), 64)).empty());
  }
  const PairwiseField narrow = testing::grid_field(30, 9, 1);  // rows too short
  EXPECT_TRUE(runs_of(narrow, colour_in_blocks(narrow.neighbours(), 128)).empty());
}

}  // namespace
}  // namespace surefield
