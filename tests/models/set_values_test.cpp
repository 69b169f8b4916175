#include "surefield/models/set_values.hpp"

#include <gtest/gtest.h>

#include "surefield/models/families.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

TEST(SetValues, HaveTheBitsOfEvaluate) {
  const Index n = 9;
  Random random(7);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 1);
  const std::vector<AnyModel> models{
      make_pairwise_field(bias, testing::random_edges(n, 0.6, -1, 1, random), 0.3),
      testing::random_flid(n, 3, 4, true), testing::random_fldc(n, 2, 2, 3, true),
      testing::random_flid(n, 0, 5), testing::random_facility(n, 3, 6)};
  for (const AnyModel& model : models) {
    SetValues value_of(model);
    for (int k = 0; k < 80; ++k) {
      std::vector<std::uint32_t> set;
      std::vector<std::uint8_t> chosen(n, 0);
      for (std::uint32_t i = 0; i < n; ++i)
        if (random.chance(0.1 * (k % 11))) set.push_back(i), chosen[i] = 1;
      random.shuffle(std::span(set));
      EXPECT_EQ(value_of(set), evaluate(model, chosen)) << model.kind();
    }
  }
}

}  // namespace
}  // namespace surefield
