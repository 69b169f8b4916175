#include "surefield/models/submodular_difference.hpp"

#include <gtest/gtest.h>

#include "surefield/models/families.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/reference.hpp"

namespace surefield {
namespace {

/// Both parts submodular and their difference F, set by set.
void check_difference(const AnyModel& model, int& split) {
  const auto parts = submodular_difference(model);
  if (!parts) return;
  const Index n = model.size();
  EXPECT_LE(reference::submodularity_gap(reference::all_values(parts->added), n),
            1e-9 * (1 + model.facts().magnitude));
  if (!parts->taken) {
    EXPECT_FALSE(submodularity_violation(model));
    return;
  }
  ++split;
  EXPECT_LE(reference::submodularity_gap(reference::all_values(*parts->taken), n),
            1e-9 * (1 + model.facts().magnitude));
  for (std::size_t code = 0; code < std::size_t{1} << n; ++code) {
    const auto chosen = reference::subset(code, n);
    EXPECT_NEAR(parts->added.evaluate(chosen) - parts->taken->evaluate(chosen),
                model.evaluate(chosen), 1e-12 * (1 + model.facts().magnitude))
        << model.kind();
  }
}

TEST(SubmodularDifference, OfEveryKindIsTheModel) {
  int split = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    for (Index kind = 0; kind < testing::kAllKinds; ++kind) {
      const AnyModel model = testing::random_any_model(kind, 1 + seed % 5, seed);
      check_difference(model, split);
      check_difference(make_weighted_sum(model.size(), {{-0.5, model}, {2, model}, {0, model}}),
                       split);
    }
  EXPECT_GT(split, 100);
}

TEST(SubmodularDifference, IsNotKnownOfEverything) {
  EXPECT_FALSE(submodular_difference(make_flid({0, 0}, {1, -1}, 1)));
  EXPECT_FALSE(
      submodular_difference(make_weighted_sum(2, {{1, AnyModel(make_flid({0, 0}, {1, -1}, 1))}})));
}

}  // namespace
}  // namespace surefield
