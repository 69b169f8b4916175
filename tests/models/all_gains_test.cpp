#include "surefield/models/all_gains.hpp"

#include <gtest/gtest.h>

#include "surefield/models/families.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/random_pairwise.hpp"
#include "tests/support/random_set.hpp"
#include "tests/support/reference.hpp"

namespace surefield {
namespace {

TEST(AllGains, AreWhatEvaluateSaysForOneSetAfterAnother) {
  const Index n = 7;
  Random random(5);
  std::vector<AnyModel> models{testing::random_field_of_any_sign(n, 0.6, 1, 5),
                               testing::random_fldc(n, 2, 2, 3), testing::random_flid(n, 3, 4),
                               testing::random_flid(n, 0, 4),
                               make_flid({1, 2, 0, 1, 1, 0, 3}, {1, -2, 3, -1, 0, 2, -3}, 1)};
  testing::for_each_exact_family(
      n, 6, [&](const char*, AnyModel model) { models.push_back(std::move(model)); });
  for (const AnyModel& model : models) {
    double largest = 0;
    for (const double value : reference::all_values(model))
      largest = std::max(largest, std::abs(value));
    AllGains gains_of(model);
    for (int k = 0; k < 60; ++k) {
      auto [set, chosen] = testing::random_set(n, 0.4, random);
      std::vector<double> gains(n);
      gains_of(set, gains);
      const double before = evaluate(model, chosen);
      for (Index i = 0; i < n; ++i) {
        if (chosen[i] != 0) continue;
        chosen[i] = 1;
        EXPECT_NEAR(gains[i], evaluate(model, chosen) - before, std::max(1e-12, 1e-15 * largest))
            << model.kind() << ' ' << i;
        chosen[i] = 0;
      }
    }
  }
}

}  // namespace
}  // namespace surefield
