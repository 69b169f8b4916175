#include "surefield/io/utf8.hpp"

#include <gtest/gtest.h>

namespace surefield {
namespace {

// The first and the last of every length, beside what is next to them and is none: RFC 3629, section 4.
TEST(Utf8, IsWhatRfc3629SaysItIs) {
  for (const char* good :
       {"", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "a\xC3\xA9z"})
    EXPECT_TRUE(is_utf8(good)) << ::testing::PrintToString(good);
  for (const char* bad :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC2", "\xC2\x7F", "\xC2\xC0", "\xE0\x9F\xBF",
        "\xE1\x80", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF", "\xF1\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    EXPECT_FALSE(is_utf8(bad)) << ::testing::PrintToString(bad);
}

TEST(Utf8, EveryLatin1ByteBecomesOneCharacter) {
  EXPECT_EQ(utf8_of_latin1("a\x7F\x80\xE9\xFF"), "a\x7F\xC2\x80\xC3\xA9\xC3\xBF");
}

}  // namespace
}  // namespace surefield
