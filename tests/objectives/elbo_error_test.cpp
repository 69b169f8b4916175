#include "surefield/objectives/elbo_error.hpp"

#include <gtest/gtest.h>

#include "surefield/core/numeric.hpp"

namespace surefield {
namespace {

struct ValueError {
  double value_error = 0;
};

// Entropies of log 2 round by half a unit of their last place each, whatever F takes off them in the end; so does their sum with F.
TEST(ElboError, HoldsTheRoundingOfEntropiesAndOfTheSum) {
  constexpr double kHalfUnit = 0x1p-54;  // of log 2
  EXPECT_GE(elbo_error(ValueError{}, 1'000'000, 0.0), 1e6 * kHalfUnit);
  EXPECT_GE(elbo_error(ValueError{}, 0, 1e300), 1e300 * 0x1p-53);
  EXPECT_GE(elbo_error(ValueError{7}, 0, 0.0), 7);
  EXPECT_EQ(elbo_error(ValueError{}, 0, 0.0), 0);
}

}  // namespace
}  // namespace surefield
