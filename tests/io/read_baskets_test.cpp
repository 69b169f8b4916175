#include "surefield/io/baskets/read_baskets.hpp"

#include <gtest/gtest.h>

#include <map>

#include "surefield/core/random.hpp"
#include "surefield/core/sets_text.hpp"
#include "surefield/io/baskets/fields.hpp"
#include "surefield/io/baskets/line_source.hpp"
#include "surefield/io/baskets/match_items.hpp"
#include "surefield/io/utf8.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;
using Names = std::vector<std::string>;
using namespace std::string_literals;

std::string refused(std::string_view text, const BasketOptions& options = {}) {
  return testing::refusal([&] { parse_baskets(text, "b.csv", options); });
}
std::string said(std::string_view text, const BasketOptions& options = {}) {
  return understood(parse_baskets(text, "b.csv", options), "b.csv");
}

TEST(Fields, ByHand) {
  Fields fields;
  const auto split = [&](std::string_view line, Separator separator) {
    fields.split(line, separator, "f", 3);
    return fields.copy();
  };
  EXPECT_EQ(split("a, b ,\"c, d\" , \"say \"\"so\"\"\",", Separator::kComma),
            (Names{"a", "b", "c, d", "say \"so\"", ""}));
  EXPECT_TRUE(fields.quoted(2) && !fields.quoted(4));
  fields.drop_padding();
  EXPECT_EQ(fields.size(), 4U);
  EXPECT_EQ(split("a\t\tb c\t", Separator::kTab), (Names{"a", "", "b c", ""}));
  EXPECT_EQ(split("  1 \t 2  \"\" \"a b\" ", Separator::kBlanks), (Names{"1", "2", "", "a b"}));
  EXPECT_EQ(split("5\" nail;b", Separator::kSemicolon), (Names{"5\" nail", "b"}));
  EXPECT_EQ(split("", Separator::kPipe), (Names{""}));
  EXPECT_EQ(testing::refusal([&] { split("a,\"b", Separator::kComma); }),
            "f:3: found '\"b', expected a closing quote on the same line");
  EXPECT_EQ(testing::refusal([&] { split("\"b\"c,a", Separator::kComma); }),
            "f:3: found 'c' behind a closing quote, expected a separator (comma)");
}

TEST(LineSource, PiecesOfAnySizeGiveTheSameLines) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::string text;
    Names truth{""};
    for (Index k = random.below(60); k > 0; --k) {
      const Index kind = random.below(6);
      if (kind < 3) {
        truth.back() += static_cast<char>('a' + kind);
        text += static_cast<char>('a' + kind);
        continue;
      }
      const char* const ends[] = {"\n", "\r\n", "\r"};
      // A CR before an LF of its own would be one CRLF.
      if (kind == 3 && !text.empty() && text.back() == '\r') continue;
      text += ends[kind - 3];
      truth.emplace_back();
    }
    if (truth.back().empty()) truth.pop_back();
    std::string_view left = text;
    LineSource lines(
        [&](char* there, Index most) {
          const Index count = std::min<Index>({most, left.size(), 1 + random.below(3)});
          left.copy(there, count);
          left.remove_prefix(count);
          return count;
        },
        "f");
    if (seed % 2 == 0) lines.head();
    Names read;
    while (lines.next()) read.emplace_back(lines.line());
    EXPECT_EQ(read, truth) << seed;
    EXPECT_EQ(lines.number(), truth.size());
  }
}

TEST(Utf16, ByHand) {
  const auto converted = [](std::string bytes, bool big, bool last) {
    std::string text;
    const bool fine = append_utf16(text, bytes, big, last);
    return text + (fine ? "" : "!") + std::to_string(bytes.size());
  };
  EXPECT_EQ(converted(std::string("a\0\xE9\0\xAC\x20", 6), false, true), "a\u00E9\u20AC0");
  EXPECT_EQ(converted(std::string("\0a\x20\xAC", 4), true, true), "a\u20AC0");
  EXPECT_EQ(converted("\x3D\xD8\x00\xDE"s, false, true), "\U0001F6000");
  EXPECT_EQ(converted("\x3D\xD8\x00"s, false, false), "3") << "half a pair waits";
  EXPECT_EQ(converted("\x3D\xD8"s, false, true), "!2");
  EXPECT_EQ(converted("\x00\xDE\x00\x00"s, false, false), "!4") << "a second half first";
  EXPECT_EQ(refused("\xFF\xFE\x61\x00\x0A\x00\x62"s),
            "b.csv:2: found half a character, expected UTF-16 text as its first bytes say");
}

TEST(ReadBaskets, SaysWhatItUnderstood) {
  EXPECT_EQ(said("a,b\nc\n"), "b.csv: 2 sets of 3 items, one set a line, separated by commas");
  EXPECT_EQ(said("a\nc\n"), "b.csv: 2 sets of 2 items, one set of one item a line");
  EXPECT_EQ(said("# x\nInvoice No;SKU\n1;a\n1;b\n2;\n"),
            "b.csv: 2 sets of 2 items, one item a line, of order 'Invoice No' the item 'SKU', "
            "separated by semicolons, with a header, 1 comment line, 1 line without an item");
  EXPECT_EQ(said("7|a\n7|b\n8|a\n"),
            "b.csv: 2 sets of 2 items, one item a line, the order in column 1, the item in column "
            "2, separated by pipes");
  EXPECT_EQ(said("x,a,b,c\n9,0,1,1\n8,0,0,0\n"),
            "b.csv: 2 sets of 3 items, a row of 0 and 1 a set after its first column, separated by "
            "commas, with a header");
  EXPECT_EQ(said("th\xE9,a\nb\n"),
            "b.csv: 2 sets of 3 items, one set a line, separated by commas, in ISO 8859-1");
  EXPECT_EQ(said("1 2\n3\n"), "b.csv: 2 sets of 3 items, one set a line, separated by white space");
}

TEST(ReadBaskets, LabelsAreKeptAndNumbersInOrder) {
  const Baskets numbers = parse_baskets("900001,7\n12,900001,12\n", "b");
  EXPECT_EQ(numbers.data.names, (Names{"7", "12", "900001"}));
  EXPECT_EQ(numbers.data.sets, (Sets{{2, 0}, {1, 2}}));
  EXPECT_EQ(numbers.data.repeated_items, 1U);
  EXPECT_EQ(numbers.first_lines, (std::vector<Index>{1, 2, 1}));
  const Baskets zeros = parse_baskets("007,7\n12\n", "b");
  EXPECT_EQ(zeros.data.names, (Names{"007", "7", "12"})) << "007 and 7 differ";
  EXPECT_EQ(zeros.data.sets, (Sets{{0, 1}, {2}}));
}

TEST(ReadBaskets, TheEmptySetInEveryForm) {
  EXPECT_EQ(parse_baskets("a,b\n\"\"\n\na\n", "b").data.sets, (Sets{{0, 1}, {}, {0}}));
  EXPECT_EQ(parse_baskets("a,b\n\"\"\n\na\n", "b").data.blank_lines, 1U);
  EXPECT_EQ(
      parse_baskets("a,b\n\na\n", "b", {.blank_lines = SetsOptions::Blank::kEmptySet}).data.sets,
      (Sets{{0, 1}, {}, {0}}));
  EXPECT_EQ(parse_baskets("a,b,\n,,\n\"\",,\na,,\nb,a,c\n", "b").data.sets,
            (Sets{{0, 1}, {}, {0}, {1, 0, 2}}));
  EXPECT_EQ(parse_baskets("order,item\n5,\n6,a\n7,\n7,b\n", "b").data.sets, (Sets{{}, {0}, {1}}));
  EXPECT_EQ(parse_baskets("a,b,c\n0,0,0\n1,0,1\n", "b").data.sets, (Sets{{}, {0, 2}}));
  EXPECT_EQ(parse_baskets("\"\"\n", "b").data.sets, (Sets{{}}));
  EXPECT_EQ(parse_baskets("", "b").data.sets, (Sets{}));
}

TEST(ReadBaskets, AnOrderMayComeAgain) {
  const Baskets read = parse_baskets("order,item\nx,a\ny,b\nx,c\ny,b\nx,a\n", "b");
  EXPECT_EQ(read.data.sets, (Sets{{0, 2}, {1}}));
  EXPECT_EQ(read.data.repeated_items, 2U);
}

TEST(ReadBaskets, RefusesWhatHasTwoReadings) {
  const std::map<std::string, std::string> two{
      {"a b\nc\n",
       "b.csv:1: words with blanks between them, and no line has a comma, semicolon, tab or pipe; "
       "type --separator space if blanks separate the items, --separator comma if they are within"},
      {"a,b\nc;d\n",
       "b.csv:2: several marks could separate the fields; type --separator comma or --separator "
       "semicolon"},
      {"1,2\n3 4\n",
       "b.csv:2: numbers are separated by blanks here and by comma on line 1; type --separator "
       "comma or --separator space"},
      {"items\na,b\n",
       "b.csv:1: 'items' may be an item or a header; type --header if the first line is one, "
       "--no-header if it is data"},
      {"1,2\n1,3\n",
       "b.csv:1: every line has 2 fields: it may be a set, or one item of an order; type --form "
       "lines if every line is a set, --long ORDER,ITEM (names or numbers of columns) if it is one "
       "item of an order"},
      {"0,1\n1,0\n0,1\n",
       "b.csv:2: lines of 0 and 1 may be sets of the items 0 and 1 or rows of a matrix; type "
       "--form "
       "lines or --form matrix"},
      {"2,a,b\n1,c\n3,a,b,c\n",
       "b.csv:1: the first field of every line is the number of the others; take it out, or type "
       "--form lines if it is an item"},
      {"order,item,product\n1,a,b\n",
       "b.csv:1: which columns are the order and the item? Type --long ORDER,ITEM; there are "
       "order, "
       "item, product"},
      {"order,item\n1,a,b\n",
       "b.csv:2: the header names an order and an item, but the lines differ in their number of "
       "fields; a set a line has no column of orders (--form lines --no-header takes all fields as "
       "items)"},
      {"a\nth\xE9\nth\xC3\xA9\n",
       "b.csv:2: found 'th\\xe9', which is not UTF-8 as others are; type --encoding latin1 or "
       "--encoding windows-1252"},
      {"\x80\n",
       "b.csv:1: found '\\x80', which is neither UTF-8 nor ISO 8859-1; type --encoding latin1 or "
       "--encoding windows-1252"},
  };
  for (const auto& [text, why] : two) EXPECT_EQ(refused(text), why) << text;
  for (const char* text : {"A1,x,p\nA1,y,q\nA2,x,p\n", "1,a\n2,b\n", "a,1\nb,1\n", "5,1\n6,1\n",
                           "1001,5,1\n1001,6,1\n", "2024-01-01,7,a\n2024-01-02,7,b\n"})
    EXPECT_NE(refused(text).find("--long ORDER,ITEM"), std::string::npos) << text;
  for (const char* text : {"a,b\nb,c\n", "1,2\n3,4\n", "a,b,c\nc,a,d\n", "1,2,3\n4,5,6\n", "1,2\n",
                           "1,2,\n1,3,4\n1,,\n"})
    EXPECT_EQ(parse_baskets(text, "b").layout.form, Form::kLines) << text;
}

TEST(ReadBaskets, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refused("1,,2\n3\n"), "b.csv:1: field 2 is empty, expected an item");
  EXPECT_EQ(refused("a,\"b\n"), "b.csv:1: found '\"b', expected a closing quote on the same line");
  EXPECT_EQ(refused(std::string("a\nb\0c\n", 6)), "b.csv:2: found a byte 0, expected text");
  EXPECT_EQ(refused("a\n\n", {.blank_lines = SetsOptions::Blank::kRefuse}),
            "b.csv:2: the line is blank, expected a set of items");
  EXPECT_EQ(refused("a,b,c\n0,1,2\n", {.form = Form::kMatrix}),
            "b.csv:2: found '2' in column 3, expected 0 or 1 in a matrix");
  EXPECT_EQ(refused("a,b,a\n0,1,1\n"), "b.csv:1: two columns are called 'a'");
  EXPECT_EQ(refused("order,item\n,a\n1,b\n"), "b.csv:2: the order of item 'a' is empty");
  EXPECT_EQ(refused("a,b\n1,x\n", {.order_column = "a", .item_column = "c"}),
            "b.csv:1: --long: no column is called 'c'; there are a, b");
  EXPECT_EQ(refused("a,b\n1,x\n", {.order_column = "1", .item_column = "3"}),
            "b.csv:1: --long: there is no column 3, the line has 2");
  EXPECT_EQ(refused("a,b\n1,x\n", {.order_column = "1", .item_column = "1"}),
            "b.csv: --long: the order and the item are the same column");
  EXPECT_EQ(refused("a,b\nc,x\n", {.order_column = "1", .item_column = "2"}),
            "b.csv:1: the first line may be a header or data; type --header or --no-header");
  EXPECT_EQ(refused("a,b\n1,x\n", {.header = false, .order_column = "a", .item_column = "b"}),
            "b.csv: --long: a column is named 'a', but --no-header says that there are no names; "
            "give its number");
  EXPECT_EQ(refused("th\xE9\n", {.encoding = Encoding::kUtf8}),
            "b.csv:1: found 'th\\xe9', which is not UTF-8; type --encoding latin1 or --encoding "
            "windows-1252");
  EXPECT_EQ(refused("\x81\n", {.encoding = Encoding::kWindows1252}),
            "b.csv:1: found '\\x81', which is not windows-1252; type another --encoding");
  EXPECT_EQ(refused("a\x01\n"), "b.csv:1: found 'a\\x01', a label with a control character");
  const std::string late = "order,item\n" + [] {
    std::string rows;
    for (int k = 0; k < 200000; ++k)
      rows += std::to_string(k / 3) + ",a" + std::to_string(k % 7) + "\n";
    return rows;
  }() + "1,2,3\n";
  EXPECT_EQ(refused(late), "b.csv:200002: the line has 3 fields, expected 2 as the first line has");
}

TEST(ReadBaskets, AFileLongerThanItsHeadReadsAsWritten) {
  const testing::TemporaryFolder folder("baskets");
  Random random(3);
  std::string text;
  std::vector<std::vector<std::string>> truth;
  for (int k = 0; k < 60000; ++k) {
    auto& set = truth.emplace_back();
    const Index size = random.below(5);
    for (Index j = 0; j < size; ++j) {
      std::string label = "item " + std::to_string(1000 * j + random.below(900));
      text += (j > 0 ? ";" : "") + label;
      set.push_back(std::move(label));
    }
    text += set.empty() ? "\"\"\r\n" : "\r\n";
  }
  ASSERT_GT(text.size(), std::size_t{1} << 20);
  folder.write("b.csv", text);
  const Baskets read = read_baskets((folder.path() / "b.csv").string());
  ASSERT_EQ(read.data.sets.size(), truth.size());
  for (std::size_t s = 0; s < truth.size(); ++s) {
    ASSERT_EQ(read.data.sets[s].size(), truth[s].size()) << s;
    for (std::size_t j = 0; j < truth[s].size(); ++j)
      ASSERT_EQ(read.data.names[read.data.sets[s][j]], truth[s][j]) << s;
  }
}

TEST(ReadBaskets, WhatIsWrittenReadsBack) {
  const Names odd{"plain", "a, b", "say \"so\"", "two words", "#7",  " x",
                  "7",     "-",    "a;b|c",      "order",     "item"};
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    std::string text = std::string(kSetsDeclaration) + "\n";
    std::vector<Names> truth;
    for (Index s = random.below(6); s > 0; --s) {
      auto& set = truth.emplace_back();
      for (const Index i : permutation(odd.size(), random))
        if (random.chance(seed % 3 == 0 ? 0.1 : 0.4)) set.push_back(odd[i]);
      append_set(text, set, [](const std::string& label) { return set_field(label); });
    }
    const Baskets read = parse_baskets(text, "f");
    std::vector<Names> found;
    for (const auto& set : read.data.sets) {
      auto& names = found.emplace_back();
      for (const auto item : set) names.push_back(read.data.names[item]);
    }
    EXPECT_EQ(found, truth) << text;
    EXPECT_EQ(read.comments, 0U);
  }
}

TEST(MatchItems, ByHand) {
  const auto read = [] { return parse_baskets("b,a\n\"\"\nx,b\n", "f"); };
  const LabelPlaces places{{1}, {0}, std::nullopt};  // b, a, x
  EXPECT_EQ(in_items(read(), places, 2, {"a", "b"}, true, "f", "").sets, (Sets{{1, 0}, {}, {1}}));
  EXPECT_EQ(in_items(read(), places, 2, {"a", "b"}, true, "f", "").unknown_items, 1U);
  EXPECT_EQ(testing::refusal([&] {
              in_items(read(), places, 2, {"a", "b"}, false, "f", "one of 2");
            }),
            "f:3: found 'x', expected one of 2");
  EXPECT_EQ(in_items(read(), {{0}, {0}, {1}}, 2, {"ab", "x"}, true, "f", "").sets,
            (Sets{{0}, {}, {1, 0}}))
      << "two labels of one item";
  EXPECT_EQ(counts_from(Names{"3", "0"}, 3), 0U);
  EXPECT_EQ(counts_from(Names{"3", "1"}, 3), 1U);
  EXPECT_EQ(counts_from(Names{"2", "1"}, 3), std::nullopt);
  EXPECT_EQ(counts_from(Names{"a", "3"}, 3), std::nullopt);
}

TEST(ReadBaskets, RandomBytesAreReadOrRefusedWithTheirLine) {
  const std::vector<std::string> pieces{
      "a",  "b",  "1",    "0", "12",    ",",    ";",    "\t",   "|",        " ",    "\n",
      "\r", "\"", "\"\"", "#", "order", "item", "true", "\xE9", "\xC3\xA9", "\x80", "\xEF\xBB\xBF",
      ",,", "0,1"};
  Index read = 0, refusals = 0;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    Random random(seed);
    std::string text;
    for (Index k = random.below(40); k > 0; --k)
      if (random.chance(seed % 4 == 0 ? 0.5 : 0.02))
        text += static_cast<char>(random.bits());
      else
        text += pieces[random.below(pieces.size())];
    BasketOptions options;
    if (random.chance(0.2)) options.form = static_cast<Form>(random.below(3));
    if (random.chance(0.2)) options.header = random.chance(0.5);
    if (random.chance(0.2))
      options.separator = random.chance(0.5) ? Separator::kBlanks : Separator::kTab;
    if (random.chance(0.2)) options.encoding = static_cast<Encoding>(random.below(3));
    if (random.chance(0.1)) {
      options.order_column = "1";
      options.item_column = random.chance(0.5) ? "2" : "item";
    }
    try {
      const Baskets found = parse_baskets(text, "f.csv", options);
      ++read;
      ASSERT_EQ(found.data.names.size(), found.data.items);
      ASSERT_EQ(found.first_lines.size(), found.data.items);
      for (const auto& set : found.data.sets)
        for (const auto item : set) ASSERT_LT(item, found.data.items);
      EXPECT_FALSE(understood(found, "f").empty());
    } catch (const Error& error) {
      ++refusals;
      const std::string why = error.what();
      EXPECT_TRUE(why.starts_with("f.csv:")) << why;
      EXPECT_EQ(why.find('\n'), std::string::npos) << why;
    }
  }
  EXPECT_GT(read, 3000U);
  EXPECT_GT(refusals, 3000U);
}

TEST(ReadBaskets, TheGroceries) {
  SUREFIELD_NEEDS_DATA("baskets/groceries.csv");
  const Baskets read = read_baskets(testing::shared_data("baskets/groceries.csv").string());
  EXPECT_EQ(understood(read, "groceries.csv"),
            "groceries.csv: 9835 sets of 169 items, one set a line, separated by commas");
  Index milk = 0;
  for (const auto& set : read.data.sets)
    for (const auto item : set) milk += read.data.names[item] == "whole milk";
  EXPECT_EQ(milk, 2513U);  // as published: the most frequent item
}

TEST(ReadBaskets, TheRegistriesAreReadAsBefore) {
  SUREFIELD_NEEDS_DATA("registries");
  for (const auto& path : testing::shared_files("registries", "_regs.csv")) {
    const SetCollection before = read_sets(path.string());
    const SetCollection now = read_baskets(path.string()).data;
    EXPECT_EQ(now.sets.size(), before.sets.size()) << path;
    for (Index s = 0; s < now.sets.size(); ++s)
      for (Index k = 0; k < now.sets[s].size(); ++k)
        ASSERT_EQ(now.names[now.sets[s][k]], std::to_string(before.sets[s][k] + 1)) << path;
  }
}

}  // namespace
}  // namespace surefield
