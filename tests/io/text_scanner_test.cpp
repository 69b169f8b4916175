#include "surefield/io/text_scanner.hpp"

#include <gtest/gtest.h>

#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using Comments = TextScanner::Comments;

std::string refusal_of(std::string_view text, void (*read)(TextScanner&)) {
  return testing::refusal([&] {
    TextScanner scanner(text, "f");
    read(scanner);
  });
}

TEST(TextScanner, CountsLinesAndSkipsBlanks) {
  TextScanner scanner(
      "\xEF\xBB\xBF"
      "1 \t2\r\n\r\n  3.5\r\n-4e2",
      "f");
  EXPECT_EQ(scanner.whole("x", 0, 9), 1U);
  EXPECT_FALSE(scanner.at_line_end());
  EXPECT_EQ(scanner.number(), 2);
  EXPECT_TRUE(scanner.at_line_end());
  EXPECT_EQ(scanner.line(), 1U);
  EXPECT_EQ(scanner.number(), 3.5);
  EXPECT_EQ(scanner.line(), 3U);
  EXPECT_EQ(scanner.number(), -400);
  EXPECT_EQ(scanner.line(), 4U);
  EXPECT_TRUE(scanner.at_end());
}

TEST(TextScanner, SkipsTheCommentLinesOfTheFormatAndNoOthers) {
  TextScanner hash("# one\n 1 # 2\n", "f", Comments::kHash);
  EXPECT_EQ(hash.number(), 1);
  EXPECT_EQ(hash.token("x"), "#");  // not at the start of its line
  TextScanner letter("c one\n1\nc\ncat", "f", Comments::kLetterC);
  EXPECT_EQ(letter.number(), 1);
  EXPECT_EQ(letter.token("x"), "cat");
  TextScanner none("# 1", "f");
  EXPECT_EQ(none.token("x"), "#");
}

TEST(TextScanner, ReadsNumbersInFullOrNotAtAll) {
  const auto number = [](std::string_view text) {
    return testing::refusal([&] { TextScanner(text, "f").number("a weight"); });
  };
  EXPECT_EQ(number("abc"), "f:1: found 'abc', expected a number (a weight)");
  EXPECT_EQ(number("\n1x"), "f:2: found '1x', expected a number (a weight)");
  EXPECT_EQ(number("nan"), "f:1: found 'nan', expected a finite number (a weight)");
  EXPECT_EQ(number("-inf"), "f:1: found '-inf', expected a finite number (a weight)");
  EXPECT_EQ(number("1e999"), "f:1: found '1e999', expected a number that fits a double (a weight)");
  EXPECT_EQ(number("1e-999"),
            "f:1: found '1e-999', expected a number that fits a double (a weight)");
  EXPECT_EQ(number("0x10"), "f:1: found '0x10', expected a number (a weight)");
  EXPECT_EQ(number("+-1"), "f:1: found '+-1', expected a number (a weight)");
  EXPECT_EQ(number("+"), "f:1: found '+', expected a number (a weight)");
  EXPECT_EQ(number(" \n"), "f:2: the file ends, expected a number (a weight)");
  EXPECT_EQ(refusal_of("x", [](TextScanner& s) { s.number(); }),
            "f:1: found 'x', expected a number");
  EXPECT_EQ(TextScanner("+1.5", "f").number(), 1.5);
  EXPECT_EQ(TextScanner("5e-324", "f").number(), 5e-324);
}

TEST(TextScanner, HoldsWholeNumbersToTheirRange) {
  const auto whole = [](std::string_view text) {
    return testing::refusal([&] { TextScanner(text, "f").whole("a node", 1, 9); });
  };
  for (const std::string text : {"0", "10", "-3", "1.0", "99999999999999999999999", "+1", "0x1"})
    EXPECT_EQ(whole(text), "f:1: found '" + text + "', expected a node from 1 to 9");
  EXPECT_EQ(whole(""), "f:1: the file ends, expected a node from 1 to 9");
  EXPECT_EQ(refusal_of("1", [](TextScanner& s) { s.whole("a node", 1, 0); }),
            "f:1: found '1', expected a node, of which there are none");
}

TEST(TextScanner, ACountCannotExceedWhatTheFileCanHold) {
  const auto count = [](std::string_view text) {
    return testing::refusal([&] { TextScanner(text, "f").count("edges", 4); });
  };
  EXPECT_EQ(count("2 1 2\n1 2"), "(nothing was refused)");  // 8 bytes and an end: two edges of 4
  EXPECT_EQ(count("3 1 2\n1 2"),
            "f:1: found '3', but the rest of the file can hold at most 2 edges");
  EXPECT_EQ(count("18446744073709551615"),
            "f:1: found '18446744073709551615', but the rest of the file can hold at most 0 edges");
  EXPECT_EQ(count("18446744073709551616"),
            "f:1: found '18446744073709551616', expected a number of edges, a whole number from 0");
  EXPECT_EQ(count("-1"), "f:1: found '-1', expected a number of edges, a whole number from 0");
  EXPECT_EQ(refusal_of("2000000", [](TextScanner& s) { s.implied_count("nodes"); }),
            "f:1: found '2000000', but a file of this size may have at most 1048583 nodes");
  EXPECT_EQ(TextScanner("1000000", "f").implied_count("nodes"), 1000000U);
}

TEST(TextScanner, ShowsGarbageOnOneShortLine) {
  using namespace std::string_literals;
  EXPECT_EQ(refusal_of("\x01\xff\x7f"s + "a'b", [](TextScanner& s) { s.number(); }),
            "f:1: found '\\x01\\xff\\x7fa'b', expected a number");
  EXPECT_EQ(refusal_of(std::string(1000, 'z'), [](TextScanner& s) { s.number(); }),
            "f:1: found '" + std::string(40, 'z') + "...', expected a number");
  EXPECT_EQ(refusal_of("\0\0"s, [](TextScanner& s) { s.number(); }),
            "f:1: found '\\x00\\x00', expected a number");
}

TEST(TextScanner, SaysWhatFollowsTheEnd) {
  EXPECT_EQ(refusal_of("1\n2\n", [](TextScanner& s) { s.number(), s.expect_end("1 edges"); }),
            "f:2: found '2', expected the end of the file after 1 edges");
}

}  // namespace
}  // namespace surefield
