#include "surefield/core/block_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "surefield/core/random.hpp"

namespace surefield {
namespace {

std::vector<double> terms(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> list(n);
  for (double& t : list)
    t = std::ldexp(random.uniform(-1, 1), static_cast<int>(random.below(80)) - 40);
  return list;
}

double block_sum_of(const std::vector<double>& list) {
  BlockSum sum;
  for (Index i = 0; i < list.size(); ++i) sum.add(i, list[i]);
  return sum.value();
}

TEST(BlockSum, OfOneBlockIsTheCompensatedSum) {
  for (Index n = 0; n <= 64; ++n) {
    const auto list = terms(n, n);
    CompensatedSum plain;
    for (const double t : list) plain.add(t);
    EXPECT_EQ(block_sum_of(list), plain.value()) << n;
  }
}

TEST(BlockSum, IsNearTheExactSum) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto list = terms(1000, seed);
    ExactSum exact;
    double sizes = 0;
    for (const double t : list) {
      exact.add(t);
      sizes += std::abs(t);
    }
    EXPECT_NEAR(block_sum_of(list), exact.value(), 0x1p-51 * sizes);
  }
}

// Blocks dealt out to five at random, each adding up its own in any order, and the parts carried as numbers.
TEST(BlockSum, HasTheSameBitsWhoeverAddsUpWhichBlocks) {
  Random random(3);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const auto list = terms(64 * 30 + seed, seed);
    std::vector<Index> blocks(list.size() / 64 + 1);
    for (Index b = 0; b < blocks.size(); ++b) blocks[b] = b;
    random.shuffle(std::span(blocks));
    std::vector<BlockSum> hands(5);
    for (const Index b : blocks) {
      BlockSum& hand = hands[random.below(5)];
      for (Index i = b * 64; i < std::min<Index>((b + 1) * 64, list.size()); ++i)
        hand.add(i, list[i]);
    }
    BlockSum all;
    for (const BlockSum& hand : hands) all.add(ExactSum::from_parts(hand.exact().parts()));
    EXPECT_EQ(all.value(), block_sum_of(list)) << seed;
  }
}

TEST(BlockSum, CarriesWhatIsHugeOrNotFinite) {
  for (const double odd : {1e308, -1e308, HUGE_VAL, std::nan("")}) {
    BlockSum sum;
    sum.add(0, odd);
    sum.add(100, odd);
    sum.add(200, -odd / 2);
    const ExactSum back = ExactSum::from_parts(sum.exact().parts());
    if (std::isnan(odd) || std::isinf(odd)) {
      EXPECT_FALSE(std::isfinite(back.value()));
    } else {
      EXPECT_EQ(back.value(), 1.5 * odd);
    }
  }
}

}  // namespace
}  // namespace surefield
