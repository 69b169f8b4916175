#include "surefield/learn/modular.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;

TEST(Modular, TwoItemsByHand) {
  const SetCollection data{.items = 2, .sets = {{0}, {0, 1}, {}, {0}}, .names = {}};
  const Flid plain = fit_modular(data, 0);
  EXPECT_EQ(plain.dimensions, 0U);
  EXPECT_DOUBLE_EQ(plain.utility[0], std::log(3.0));      // 3 with, 1 without
  EXPECT_DOUBLE_EQ(plain.utility[1], std::log(1.0 / 3));  // 1 with, 3 without
  EXPECT_NEAR(modular_log_z(plain), std::log(4.0 * 4 / 3), 1e-14);
  EXPECT_NEAR(modular_log_z(plain), reference::log_z(reference::all_values(plain)), 1e-14);
  const Flid smooth = fit_modular(data, 1);
  EXPECT_DOUBLE_EQ(smooth.utility[0], std::log(2.0));  // (3 + 1) / (1 + 1)
}

TEST(Modular, NamesTheItemWhoseUtilityWouldBeInfinite) {
  SetCollection data{.items = 2, .sets = {{0}, {0}}, .names = {}};
  EXPECT_EQ(refusal([&] { fit_modular(data, 0); }),
            "modular: item 0 is in 2 of 2 sets; without smoothing its utility would be infinite");
  EXPECT_EQ(refusal([&] { fit_modular(data, -1); }),
            "modular: the smoothing is -1, which must be finite and >= 0");
  EXPECT_TRUE(std::isfinite(fit_modular(data, 1).utility[1]));
  EXPECT_EQ(refusal([] { modular_log_z(make_flid({0.0}, {1.0}, 1)); }),
            "modular: the model has 1 dimensions, but this log Z is for none");
}

}  // namespace
}  // namespace surefield
