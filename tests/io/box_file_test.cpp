#include "surefield/io/box_file.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

TEST(BoxFile, ByHand) {
  const Box box = parse_box("# forced\n2 1 1\r\n\n0 0.25 0.5", "f", 3, ItemLookup(3, 0));
  EXPECT_EQ(box, (Box{{0.25, 0, 1}, {0.5, 1, 1}}));
  const std::vector<std::string> names{"a", "two words"};
  EXPECT_EQ(parse_box("two words 0 0\n", "f", 2, ItemLookup(2, 1, names)), (Box{{0, 0}, {1, 0}}));
  EXPECT_EQ(parse_box("1 0 0\n", "f", 2, ItemLookup(2, 1, names)), (Box{{0, 0}, {0, 1}}));
  EXPECT_EQ(parse_box("", "f", 2, ItemLookup(2, 1)), unit_box(2));
}

TEST(BoxFile, WritesWhatItReads) {
  const std::vector<std::string> names{"a", "b c", "3", "x y z"};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    Box box = unit_box(4);
    for (Index i = 0; i < 4; ++i) {
      if (random.chance(0.5)) box.low[i] = random.uniform();
      if (random.chance(0.5)) box.high[i] = random.uniform(box.low[i], 1);
    }
    EXPECT_EQ(parse_box(box_text(box, {}, seed % 2), "f", 4, ItemLookup(4, seed % 2)), box);
    EXPECT_EQ(parse_box(box_text(box, names, 0), "f", 4, ItemLookup(4, 0, names)), box);
  }
}

TEST(BoxFile, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text, Index items = 3) {
    return testing::refusal([&] { parse_box(text, "b.txt", items, ItemLookup(items, 1)); });
  };
  EXPECT_EQ(refusal("4 0 1"), "b.txt:1: found '4', expected an item from 1 to 3");
  EXPECT_EQ(refusal("\n-1 0 1"), "b.txt:2: found '-1', expected an item from 1 to 3");
  EXPECT_EQ(refusal("1 0 1", 0), "b.txt:1: found '1', expected no item, as there are none");
  EXPECT_EQ(refusal("1 0 2"), "b.txt:1: found '2', expected a number from 0 to 1 (the upper end)");
  EXPECT_EQ(refusal("1 nan 1"),
            "b.txt:1: found 'nan', expected a number from 0 to 1 (the lower end)");
  EXPECT_EQ(refusal("1"), "b.txt:1: found '', expected a number from 0 to 1 (the lower end)");
  EXPECT_EQ(refusal("1 0.5 0.25"),
            "b.txt:1: found the interval [0.5, 0.25], whose ends must be in order");
  EXPECT_EQ(refusal("1 0 1\n1 0 1"), "b.txt:2: item '1' is there twice, expected each item once");
}

}  // namespace
}  // namespace surefield
