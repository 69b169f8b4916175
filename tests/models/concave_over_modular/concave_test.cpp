#include "surefield/models/concave_over_modular/concave.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(Concave, ValuesByHand) {
  EXPECT_DOUBLE_EQ(make_concave("power", 0.5)(9), 3);
  EXPECT_DOUBLE_EQ(make_concave("power", 1)(0.3), 0.3);
  EXPECT_DOUBLE_EQ(make_concave("log")(std::exp(2.0) - 1), 2);
  EXPECT_DOUBLE_EQ(make_concave("ratio")(3), 0.75);
  EXPECT_DOUBLE_EQ(make_concave("ratio")(0.25), 0.2);
  EXPECT_DOUBLE_EQ(make_concave("ratio")(1e308), 1);
  EXPECT_DOUBLE_EQ(make_concave("saturating")(std::log(4.0)), 0.75);
  EXPECT_DOUBLE_EQ(make_concave("saturating")(1e-20), 1e-20);
  EXPECT_DOUBLE_EQ(make_concave("truncated", 2.5)(2), 2);
  EXPECT_DOUBLE_EQ(make_concave("truncated", 2.5)(3), 2.5);
}

TEST(Concave, EveryShapeIsZeroAtZeroAndConcave) {
  for (const auto& [name, parameter] :
       {std::pair{"power", 0.3}, std::pair{"power", 1.0}, std::pair{"log", 0.0},
        std::pair{"ratio", 0.0}, std::pair{"saturating", 0.0}, std::pair{"truncated", 3.7}}) {
    const Concave psi = make_concave(name, parameter);
    EXPECT_EQ(text_of(psi.kind), name);
    EXPECT_EQ(psi(0), 0) << name;
    for (double y = 0.125; y < 20; y += 0.125) {
      EXPECT_GE(psi(y), psi(y - 0.125)) << name << " falls at " << y;
      EXPECT_GE(2 * psi(y) - psi(y - 0.125) - psi(y + 0.125), -1e-14)
          << name << " bends up at " << y;
    }
  }
}

TEST(Concave, RefusesUnknownNamesAndForeignParameters) {
  const auto refusal = [](std::string_view name, double parameter) {
    return testing::refusal([&] { make_concave(name, parameter); });
  };
  EXPECT_EQ(refusal("root", 0),
            "concave function: the shape is \"root\", which must be power, log, ratio, saturating "
            "or truncated");
  EXPECT_EQ(
      refusal("power", 0),
      "concave function: the shape power has the power 0, which must be above 0 and at most 1");
  EXPECT_EQ(
      refusal("power", 1.5),
      "concave function: the shape power has the power 1.5, which must be above 0 and at most 1");
  EXPECT_EQ(
      refusal("power", NAN),
      "concave function: the shape power has the power nan, which must be above 0 and at most 1");
  EXPECT_EQ(refusal("truncated", 0),
            "concave function: the shape truncated truncates at 0, which must be finite and > 0");
  EXPECT_EQ(refusal("truncated", INFINITY),
            "concave function: the shape truncated truncates at inf, which must be finite and > 0");
  EXPECT_EQ(refusal("log", 2),
            "concave function: the shape log has the parameter 2, but the shape log takes none");
}

}  // namespace
}  // namespace surefield
