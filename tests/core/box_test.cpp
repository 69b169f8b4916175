#include "surefield/core/box.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Interval, ByHand) {
  const Interval in{0.25, 0.75};
  EXPECT_EQ(in.width(), 0.5);
  EXPECT_FALSE(in.is_point());
  EXPECT_TRUE((Interval{0.5, 0.5}).is_point());
  EXPECT_TRUE(in.contains(0.25));
  EXPECT_TRUE(in.contains(0.75));
  EXPECT_FALSE(in.contains(0.76));
  EXPECT_FALSE(in.contains(NAN));
  EXPECT_EQ(in.clamp(-INFINITY), 0.25);
  EXPECT_EQ(in.clamp(0.5), 0.5);
  EXPECT_EQ(in.clamp(2), 0.75);
}

TEST(Box, IsUnitOnlyIfEveryIntervalIs) {
  EXPECT_TRUE(unit_box(0).is_unit());
  EXPECT_TRUE(unit_box(3).is_unit());
  Box box = unit_box(3);
  box.low[2] = 0x1p-1074;
  EXPECT_FALSE(box.is_unit());
  box = unit_box(3);
  box.high[0] = 1 - 0x1p-53;
  EXPECT_FALSE(box.is_unit());
}

TEST(Box, UnitBoxAndFix) {
  Box box = unit_box(2);
  EXPECT_EQ(box.size(), 2U);
  EXPECT_EQ(box[1], (Interval{0, 1}));
  box.fix(1, 0.5);
  EXPECT_EQ(box, (Box{{0, 0.5}, {1, 0.5}}));
  EXPECT_EQ(unit_box(0).size(), 0U);
}

TEST(Box, RefusesWhatIsNoBox) {
  const auto bounded = [](const Box& box, std::size_t n) {
    return testing::refusal([&] { require_bounded(box, n); });
  };
  EXPECT_EQ(bounded({{-3.0}, {4.0}}, 1), "(nothing was refused)");
  EXPECT_EQ(bounded({{0.0}, {}}, 1),
            "box: it has 1 lower and 0 upper ends, but there are 1 coordinates");
  EXPECT_EQ(bounded({{0.0, 2.0}, {1.0, 1.0}}, 2),
            "box: coordinate 1 has the interval [2, 1], whose ends must be finite and in order");
  EXPECT_EQ(bounded({{-INFINITY}, {1.0}}, 1),
            "box: coordinate 0 has the interval [-inf, 1], whose ends must be finite and in order");
  EXPECT_EQ(bounded({{0.0}, {NAN}}, 1),
            "box: coordinate 0 has the interval [0, nan], whose ends must be finite and in order");
}

TEST(Box, RefusesWhatLeavesTheUnitCube) {
  EXPECT_EQ(testing::refusal([] { require_inside_unit(unit_box(3), 3); }), "(nothing was refused)");
  EXPECT_EQ(testing::refusal([] {
              require_inside_unit(Box{{0.0}, {1.5}}, 1);
            }),
            "box: coordinate 0 has the interval [0, 1.5], which must lie in [0, 1]");
  EXPECT_EQ(testing::refusal([] {
              require_inside_unit(Box{{-0.5}, {1}}, 1);
            }),
            "box: coordinate 0 has the interval [-0.5, 1], which must lie in [0, 1]");
}

TEST(Box, ThePartsOfACutAreTheWhole) {
  const Box whole{{0, 0.25, 0}, {1, 0.75, 1}};
  for (const double cut : {0.25, 0.3, 0.75}) {
    Box below = whole, above = whole;
    below.keep_part(1, cut, false);
    above.keep_part(1, cut, true);
    EXPECT_EQ(below, (Box{{0, 0.25, 0}, {1, cut, 1}}));
    EXPECT_EQ(above, (Box{{0, cut, 0}, {1, 0.75, 1}}));
  }
}

TEST(Box, RefusesPointsOutsideIt) {
  const auto inside = [](std::vector<double> point) {
    return testing::refusal([&] { require_inside(Box{{0, 0.5}, {1, 0.75}}, point); });
  };
  EXPECT_EQ(inside({0, 0.75}), "(nothing was refused)");
  EXPECT_EQ(inside({0}), "point: it has 1 coordinates, but the box 2");
  EXPECT_EQ(inside({0, 0.25}), "point: coordinate 1 is 0.25, which must be in [0.5, 0.75]");
  EXPECT_EQ(inside({NAN, 0.5}), "point: coordinate 0 is nan, which must be in [0, 1]");
}

}  // namespace
}  // namespace surefield
