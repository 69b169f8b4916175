// Bounds as text stay bounds: exactly, for numbers of every size.
#include "surefield/report/outward.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

/// -1, 0 or 1: how the decimal text, as a real number, compares with the double. By the double's
/// full expansion from printf, not by the code under test.
int compare(const std::string& text, double value) {
  char full[1600];
  std::snprintf(full, sizeof full, "%.1074f", value);
  const auto parts = [](std::string number) {
    const bool negative = number.starts_with('-');
    if (negative) number.erase(0, 1);
    if (number.find('.') == std::string::npos) number += '.';
    const auto point = number.find('.');
    std::string digits =
        std::string(400 - point, '0') + number.substr(0, point) + number.substr(point + 1);
    digits.resize(1500, '0');
    return std::pair(negative && digits.find_first_not_of('0') != std::string::npos, digits);
  };
  const auto [a_negative, a] = parts(text);
  const auto [b_negative, b] = parts(full);
  if (a_negative != b_negative) return a_negative ? -1 : 1;
  const int order = a < b ? -1 : a > b ? 1 : 0;
  return a_negative ? -order : order;
}

TEST(Outward, ALowerEndGoesDownAndAnUpperEndUp) {
  EXPECT_EQ(round_down_text(1.7963332294, 9), "1.796333229");
  EXPECT_EQ(round_up_text(1.7963332294, 9), "1.796333230");
  EXPECT_EQ(round_down_text(-1.5004, 3), "-1.501");
  EXPECT_EQ(round_up_text(-1.5004, 3), "-1.500");
  EXPECT_EQ(round_up_text(99.9991, 3), "100.000") << "a carry through all digits";
  EXPECT_EQ(round_down_text(2.9, 0), "2");
  EXPECT_EQ(round_up_text(2.1, 0), "3");
}

TEST(Outward, WhatHasSoFewDigitsIsWrittenAsItIs) {
  for (const double value : {0.0, 0.5, -0.25, 1024.0, -3.0}) {
    EXPECT_EQ(round_down_text(value, 2), round_up_text(value, 2));
    EXPECT_EQ(std::strtod(round_up_text(value, 2).c_str(), nullptr), value);
  }
  EXPECT_EQ(round_up_text(0.1, 3), "0.101") << "the double is above a tenth";
  EXPECT_EQ(round_down_text(0.1, 3), "0.100");
  EXPECT_EQ(round_down_text(0.3, 1), "0.2") << "the double is below three tenths";
}

TEST(Outward, TinyHugeAndStrangeNumbers) {
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(round_up_text(kTiny, 6), "0.000001");
  EXPECT_EQ(round_down_text(kTiny, 6), "0.000000");
  EXPECT_EQ(round_up_text(-kTiny, 6), "0.000000") << "no minus before nothing";
  EXPECT_EQ(round_down_text(-kTiny, 6), "-0.000001");
  EXPECT_EQ(round_down_text(-0.0, 2), "0.00");
  EXPECT_EQ(round_up_text(1e22, 1), "10000000000000000000000.0");
  EXPECT_EQ(round_up_text(std::numeric_limits<double>::max(), 0).size(), 309U);
  EXPECT_EQ(round_up_text(INFINITY, 3), "inf");
  EXPECT_EQ(round_down_text(-INFINITY, 3), "-inf");
  EXPECT_EQ(round_down_text(NAN, 3), "nan");
  EXPECT_EQ(round_down_text(std::optional<double>(), 3), "not known");
}

TEST(Outward, IsOnTheRightSideAndWithinOneUnitOnRandomBits) {
  Random random(7);
  int checked = 0;
  while (checked < 2000) {
    const double bits = std::bit_cast<double>(random.bits());
    const double value = checked % 2 == 0 ? bits : std::ldexp(bits, -std::ilogb(bits) + 3);
    if (!std::isfinite(value)) continue;
    ++checked;
    const int digits = checked % 13;
    const std::string low = round_down_text(value, digits), high = round_up_text(value, digits);
    ASSERT_LE(compare(low, value), 0) << low;
    ASSERT_GE(compare(high, value), 0) << high;
    ASSERT_LE(std::strtod(low.c_str(), nullptr), value);
    ASSERT_GE(std::strtod(high.c_str(), nullptr), value);
    if (std::abs(value) < 1000) {
      ASSERT_LE(std::stod(high) - std::stod(low), std::pow(10.0, -digits) * (1 + 1e-3));
    }
    if (compare(low, value) == 0) {
      ASSERT_EQ(low, high);
    }
  }
}

TEST(Outward, AWidthIsSaidToBeAtMostWhatIsWritten) {
  EXPECT_EQ(round_up_significant(0.0012341, 4), "0.001235");
  EXPECT_EQ(round_up_significant(0.25, 4), "0.2500");
  EXPECT_EQ(round_up_significant(123456.7, 3), "123457");
  EXPECT_EQ(round_up_significant(1.21e-7, 2), "1.3e-07");
  EXPECT_EQ(round_up_significant(9.99e-7, 2), "1.0e-06");
  EXPECT_EQ(round_up_significant(3e-5, 1), "4e-05") << "the double is above 3e-5";
  EXPECT_EQ(round_up_significant(0, 3), "0");
  EXPECT_EQ(round_up_significant(INFINITY, 3), "inf");
  for (double value = 1e-300; value < 1e300; value *= 7.3)
    EXPECT_GE(std::strtod(round_up_significant(value, 3).c_str(), nullptr), value);
}

}  // namespace
}  // namespace surefield
