#include "surefield/io/order_file.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using Lists = std::vector<std::vector<Index>>;

TEST(OrderFile, ReadsLinesAndJsonByIdAndByName) {
  const std::vector<std::string> names{"a", "two words", "c"};
  const ItemLookup by_name(3, 0, names), by_id(3, 0);
  EXPECT_EQ(parse_order("# mine\n2\r\n\n0\n1", "f", 3, by_id), (Lists{{2, 0, 1}}));
  EXPECT_EQ(parse_order("two words\n2\na\n", "f", 3, by_name), (Lists{{1, 2, 0}}));
  EXPECT_EQ(parse_order(" [2, 0, 1]", "f", 3, by_id), (Lists{{2, 0, 1}}));
  EXPECT_EQ(parse_order("[\"c\", 0, \"two words\"]", "f", 3, by_name), (Lists{{2, 0, 1}}));
  EXPECT_EQ(parse_order("[[2, 0, 1],\n [0, 1, 2]]", "f", 3, by_id), (Lists{{2, 0, 1}, {0, 1, 2}}));
  EXPECT_EQ(parse_order("", "f", 0, ItemLookup(0, 0)), (Lists{{}}));
  EXPECT_EQ(parse_order("[]", "f", 0, ItemLookup(0, 0)), (Lists{{}}));
}

TEST(OrderFile, RefusesByFileAndPlace) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_order(text, "o", 3, ItemLookup(3, 0)); });
  };
  EXPECT_EQ(refusal("0\n3\n"), "o:2: found '3', expected an item from 0 to 2");
  EXPECT_EQ(refusal("0\n\n0\n"), "o:3: item '0' is there twice, expected each item once");
  EXPECT_EQ(refusal("2\n0\n"), "o: item 1 is missing, expected each of 3 items once");
  EXPECT_EQ(refusal("0 1 2"), "o:1: found '0 1 2', expected an item from 0 to 2");
  EXPECT_TRUE(refusal("[0, 1,\n 2").starts_with("o:2: ")) << refusal("[0, 1,\n 2");
  EXPECT_EQ(refusal("[0, 1, 3]"), "o: /2 is 3, which must be a whole number from 0 to 2");
  EXPECT_EQ(refusal("[0, 1, 1]"), "o: /2 item '1' is there twice, expected each item once");
  EXPECT_EQ(refusal("[0, 1, \"x\"]"), "o: /2 found 'x', expected an item from 0 to 2");
  EXPECT_EQ(refusal("[]"), "o: item 0 is missing, expected each of 3 items once");
  EXPECT_EQ(refusal("[[0, 1, 2], [0, 2]]"),
            "o: /1: item 1 is missing, expected each of 3 items once");
  EXPECT_EQ(refusal("[[0, 1, 2], 7]"), "o: /1 is 7, which must be an array");
}

}  // namespace
}  // namespace surefield
