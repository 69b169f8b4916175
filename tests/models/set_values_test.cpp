#include "surefield/models/set_values.hpp"

#include <gtest/gtest.h>

#include "surefield/models/families.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/random_set.hpp"

namespace surefield {
namespace {

TEST(SetValues, HaveTheBitsOfEvaluate) {
  const Index n = 9;
  Random random(7);
  const std::vector<AnyModel> models{
      testing::random_field_of_any_sign(n, 0.6, 1, 7), testing::random_flid(n, 3, 4, true),
      testing::random_fldc(n, 2, 2, 3, true), testing::random_flid(n, 0, 5),
      testing::random_facility(n, 3, 6)};
  for (const AnyModel& model : models) {
    SetValues value_of(model);
    for (int k = 0; k < 80; ++k) {
      const auto [set, chosen] = testing::random_set(n, 0.1 * (k % 11), random);
      EXPECT_EQ(value_of(set), evaluate(model, chosen)) << model.kind();
    }
  }
}

}  // namespace
}  // namespace surefield
