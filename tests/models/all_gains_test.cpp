#include "surefield/models/all_gains.hpp"

#include <gtest/gtest.h>

#include "surefield/models/families.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

TEST(AllGains, AreWhatEvaluateSaysForOneSetAfterAnother) {
  const Index n = 7;
  Random random(5);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 1);
  const std::vector<AnyModel> models{
      make_pairwise_field(bias, testing::random_edges(n, 0.6, -1, 1, random)),
      testing::random_fldc(n, 2, 2, 3), testing::random_flid(n, 3, 4),
      testing::random_flid(n, 0, 4), make_flid({1, 2, 0, 1, 1, 0, 3}, {1, -2, 3, -1, 0, 2, -3}, 1)};
  for (const AnyModel& model : models) {
    AllGains gains_of(model);
    for (int k = 0; k < 60; ++k) {
      std::vector<std::uint32_t> set;
      std::vector<std::uint8_t> chosen(n, 0);
      for (std::uint32_t i = 0; i < n; ++i)
        if (random.chance(0.4)) set.push_back(i), chosen[i] = 1;
      random.shuffle(std::span(set));
      std::vector<double> gains(n);
      gains_of(set, gains);
      const double before = evaluate(model, chosen);
      for (Index i = 0; i < n; ++i) {
        if (chosen[i] != 0) continue;
        chosen[i] = 1;
        EXPECT_NEAR(gains[i], evaluate(model, chosen) - before, 1e-12) << model.kind() << ' ' << i;
        chosen[i] = 0;
      }
    }
  }
}

}  // namespace
}  // namespace surefield
