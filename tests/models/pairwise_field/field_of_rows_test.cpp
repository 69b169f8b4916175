#include "surefield/models/pairwise_field/field_of_rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/random_pairwise.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(FieldOfRows, IsTheFieldThatItsEdgesMake) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PairwiseField field = testing::random_pairwise(seed % 9, 0.6, seed);
    const PairwiseField again = make_field_of_rows(field.bias, field.start, field.neighbour,
                                                   field.coupling, field.constant);
    EXPECT_EQ(again.edges(), field.edges());
    EXPECT_EQ(again.bias, field.bias);
    EXPECT_EQ(again.constant, field.constant);
    EXPECT_EQ(again.start, field.start);
  }
}

TEST(FieldOfRows, RefusesRowsThatAreNoField) {
  const auto said = [](std::vector<std::size_t> start, std::vector<std::uint32_t> neighbour,
                       std::vector<double> coupling) {
    return testing::refusal([&] {
      make_field_of_rows({0, 0, 0}, std::move(start), std::move(neighbour), std::move(coupling));
    });
  };
  EXPECT_EQ(said({0, 1, 2, 2}, {1, 0}, {5, 6}),
            "pairwise field: edge 0-1 has coupling 5 but 6 from the other side");
  EXPECT_EQ(said({0, 1, 1, 1}, {1}, {5}), "pairwise field: edge 0-1 is not in row 1");
  EXPECT_EQ(said({0, 1, 1, 1}, {0}, {5}),
            "pairwise field: edge 0-0 joins a node to itself, which must be written as a bias");
  EXPECT_EQ(said({0, 1, 1, 1}, {3}, {5}), "pairwise field: edge 0-3 leaves the 3 nodes");
  EXPECT_EQ(said({0, 2, 3, 4}, {2, 1, 0, 0}, {1, 1, 1, 1}),
            "pairwise field: the neighbours of node 0 must ascend, each once");
  EXPECT_EQ(said({0, 1, 2, 2}, {1, 0}, {std::numeric_limits<double>::infinity(), 1}),
            "pairwise field: edge 0-1 has coupling inf, which must be finite");
  EXPECT_EQ(said({0, 1, 2}, {1, 0}, {1, 1}),
            "pairwise field: the rows do not fit 3 nodes and 2 entries");
  EXPECT_EQ(said({0, 2, 1, 2}, {1, 0}, {1, 1}),
            "pairwise field: the rows do not fit 3 nodes and 2 entries");
  EXPECT_EQ(testing::refusal([] {
              make_field_of_rows({std::nan("")}, {0, 0}, {}, {});
            }),
            "pairwise field: node 0 has bias nan, which must be finite");
}

}  // namespace
}  // namespace surefield
