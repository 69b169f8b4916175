#include "surefield/models/interaction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/models/families.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_any_model.hpp"

namespace surefield {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// Whoever is not a neighbour must leave a partial as it is, whatever the family.
TEST(Interaction, NobodyElseChangesAPartial) {
  int lists = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    const AnyModel model =
        testing::random_basic_model(seed % testing::kBasicKinds, 2 + seed % 9, seed);
    const auto found = interaction_of(model, kNoLimit);
    if (!found || model.facts().estimated) continue;
    lists += 1;
    Random random(seed);
    const Index n = model.size();
    std::vector<double> x(n);
    for (double& v : x) v = random.uniform();
    for (Index j = 0; j < n; ++j) {
      auto other = x;
      other[j] = 1 - x[j];
      const auto before = model.at(x), after = model.at(other);
      for (Index i = 0; i < n; ++i) {
        const auto near = found->neighbours().of(i);
        if (i == j || std::ranges::binary_search(near, j)) continue;
        EXPECT_NEAR(before.partial(i), after.partial(i), 1e-9 * (1 + std::abs(before.partial(i))))
            << model.kind() << ": " << j << " moves the line of " << i;
      }
    }
  }
  EXPECT_GE(lists, 100);
}

TEST(Interaction, OfAGibbsFieldByHand) {
  // x0 x1 x2 and x2 x3; item 4 alone.
  const std::vector<Monomial> terms{{{0, 1, 2}, -1.0}, {{2, 3}, -2.0}};
  const AnyModel model = make_gibbs_field({0, 0, 0, 0, 1}, terms);
  const auto found = interaction_of(model, 100);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->start, (std::vector<std::size_t>{0, 2, 4, 7, 8, 8}));
  EXPECT_EQ(found->neighbour, (std::vector<std::uint32_t>{1, 2, 0, 2, 0, 1, 3, 2}));
  EXPECT_FALSE(interaction_of(model, 7).has_value());  // six of the triple and two of the pair
  EXPECT_TRUE(interaction_of(model, 8).has_value());
}

TEST(Interaction, AscentByBlocksEndsWhereNoCoordinateCanMove) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const AnyModel model =
        testing::random_basic_model(seed % testing::kBasicKinds, 2 + seed % 9, seed);
    const auto found = interaction_of(model, kNoLimit);
    if (!found || model.facts().estimated) continue;
    const Index n = model.size();
    const auto report =
        coordinate_ascent(Elbo(model.at(std::vector<double>(n, 0.5))), unit_box(n),
                          Order::coloured(n, colour_in_blocks(found->neighbours(), 3)),
                          {.neighbours = found->neighbours()});
    ASSERT_EQ(report.status, Status::kConverged);
    const Elbo at(model.at(report.point));
    for (Index i = 0; i < n; ++i)
      EXPECT_NEAR(report.point[i], at.line(i).argmax({0, 1}), 1e-8) << model.kind() << " " << i;
  }
}

}  // namespace
}  // namespace surefield
