#include "surefield/core/claim.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace surefield {
namespace {

TEST(Claim, KeepsTheTighterEndAndItsMethod) {
  Claim claim("log Z");
  EXPECT_FALSE(claim.is_bounded());
  claim.at_least({1, "mean field"});
  claim.at_least({0.5, "weaker"});
  claim.at_most({3, "hoelder", Basis::kAssumesSubmodular});
  claim.at_most({4, "weaker"});
  EXPECT_EQ(claim.low()->value, 1);
  EXPECT_EQ(claim.high()->value, 3);
  EXPECT_EQ(claim.width(), 2);
  EXPECT_EQ(claim.method(), "mean field, hoelder");
  EXPECT_EQ(claim.basis(), Basis::kAssumesSubmodular);
  claim.at_most({2, "exact"});
  claim.at_least({2, "exact"});
  EXPECT_EQ(claim.basis(), Basis::kProved) << "the end that was only assumed is gone";
  EXPECT_EQ(claim.width(), 0) << "ends that touch are no contradiction";
  EXPECT_EQ(claim.method(), "exact");
}

TEST(Claim, FailsOnEndsThatCrossByTheLeastAndNamesBoth) {
  Claim claim("log Z");
  claim.at_least({1, "one way"});
  try {
    claim.at_most({std::nextafter(1, 0), "another", Basis::kAssumesSubmodular});
    FAIL() << "an empty interval was accepted";
  } catch (const Contradiction& contradiction) {
    EXPECT_STREQ(contradiction.what(),
                 "contradiction: log Z is at least 1 (one way) and at most 0.9999999999999999 "
                 "(another, if F is submodular); nothing is certified");
  }
  Claim other("x");
  other.at_most({-2, "above"});
  EXPECT_THROW(other.at_least({-1, "below"}), Contradiction);
  Claim low("x"), high("x");
  low.at_least({3, "a"});
  high.at_most({2, "b"});
  EXPECT_THROW(low.merge(high), Contradiction);
}

TEST(Claim, AnEndThatIsNotFiniteSaysNothing) {
  Claim claim("x");
  for (const double v : {std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(), std::nan("")}) {
    claim.at_least({v, "m"});
    claim.at_most({v, "m"});
  }
  EXPECT_FALSE(claim.low() || claim.high());
  EXPECT_TRUE(std::isinf(claim.width()));
  EXPECT_EQ(claim.method(), "");
}

TEST(Claim, IsAsStrongAsTheWeakestEnd) {
  const auto basis = [](Basis low, Basis high) {
    Claim claim("x");
    claim.at_least({1, "a", low});
    claim.at_most({2, "b", high});
    return text_of(claim.basis());
  };
  using enum Basis;
  EXPECT_EQ(basis(kProved, kProved), "proved");
  EXPECT_EQ(basis(kAssumesRounding, kProved), "proved up to rounding");
  EXPECT_EQ(basis(kProved, kAssumesRounding), "proved up to rounding");
  EXPECT_EQ(basis(kAssumesRounding, kAssumesSubmodular), "assumed submodular");
  EXPECT_EQ(basis(kAssumesSubmodular, kAssumesRounding), "assumed submodular");
}

}  // namespace
}  // namespace surefield
