#include "surefield/io/sets_file.hpp"

#include <gtest/gtest.h>

#include "surefield/core/random.hpp"
#include "surefield/io/item_names.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;
using Blank = SetsOptions::Blank;

TEST(SetsFile, IdsByHand) {
  const auto read = parse_sets("4,5,6\r\n\r\n2 1\n7 , 3", "f");
  EXPECT_EQ(read.sets, (Sets{{3, 4, 5}, {1, 0}, {6, 2}}));
  EXPECT_EQ(read.items, 7U);
  EXPECT_EQ(read.blank_lines, 1U);
  EXPECT_TRUE(read.names.empty());
  EXPECT_EQ(parse_sets("0,2\n", "f", {.first_id = 0}).sets, (Sets{{0, 2}}));
  EXPECT_EQ(parse_sets("", "f").items, 0U);
}

TEST(SetsFile, NamesByHand) {
  const auto read =
      parse_sets("Swing,\"Squirts, five\"\n \"Squirts, five\" , \"a \"\"b\"\"\"\n", "f");
  EXPECT_EQ(read.sets, (Sets{{0, 1}, {1, 2}}));
  EXPECT_EQ(read.names, (std::vector<std::string>{"Swing", "Squirts, five", "a \"b\""}));
  const auto known = parse_sets("b,a\n3,a\n", "f", {.names = {"a", "b", "c d"}});
  EXPECT_EQ(known.sets, (Sets{{1, 0}, {2, 0}})) << "an id counts where no name is a number";
  EXPECT_EQ(known.items, 3U);
  EXPECT_EQ(parse_sets("7,5\n", "f", {.names = {"5", "7"}}).sets, (Sets{{1, 0}}));
  EXPECT_EQ(
      parse_sets("2,1\n", "f", {.items_are = SetsOptions::Items::kIds, .names = {"2", "1"}}).sets,
      (Sets{{1, 0}}));
}

TEST(SetsFile, OdditiesAreCountedAsAsked) {
  const std::string text = "1,2,2,1\n\n9,3\n";
  const auto read = parse_sets(
      text, "f", {.items = 4, .blank_lines = Blank::kEmptySet, .unknown = OddInput::kCount});
  EXPECT_EQ(read.sets, (Sets{{0, 1}, {}, {2}}));
  EXPECT_EQ(read.items, 4U);
  EXPECT_EQ(read.blank_lines, 1U);
  EXPECT_EQ(read.repeated_items, 2U);
  EXPECT_EQ(read.unknown_items, 1U);
}

TEST(SetsFile, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text, SetsOptions options = {}) {
    return testing::refusal([&] { parse_sets(text, "s.csv", options); });
  };
  EXPECT_EQ(refusal("1\n0\n"), "s.csv:2: found '0', expected an item id, a whole number from 1");
  EXPECT_EQ(refusal("1,-3\n"), "s.csv:1: found '-3', expected an item id, a whole number from 1");
  EXPECT_EQ(refusal("1\nabc\n"),
            "s.csv:2: found 'abc', expected an item id, a whole number from 1");
  EXPECT_EQ(refusal("nan,1\n"), "s.csv:1: found 'nan', expected an item id, a whole number from 1");
  EXPECT_EQ(refusal("1\n5\n", {.items = 4}), "s.csv:2: found '5', expected an item from 1 to 4");
  EXPECT_EQ(refusal("a\nb\n", {.names = {"a"}}),
            "s.csv:2: found 'b', expected the name of one of 1 items");
  EXPECT_EQ(refusal("1,,2\n"), "s.csv:1: field 2 is empty, expected an item");
  EXPECT_EQ(refusal("1,\n"), "s.csv:1: field 2 is empty, expected an item");
  EXPECT_EQ(refusal("1\n\n", {.blank_lines = Blank::kRefuse}),
            "s.csv:2: the line is blank, expected a set of items");
  EXPECT_EQ(refusal("1,2,1\n", {.repeated = OddInput::kRefuse}),
            "s.csv:1: item '1' is there twice, expected each item once");
  EXPECT_EQ(refusal("a,\"b\n"), "s.csv:1: found '\"b', expected a closing quote on the same line");
  EXPECT_EQ(refusal("\"b\"c,a\n"), "s.csv:1: found 'c' behind a closing quote, expected a comma");
  EXPECT_EQ(refusal("99999999999\n"),
            "s.csv:1: found '99999999999', but a file of this size may have at most 1048588 items");
  EXPECT_EQ(refusal("1\n", {.first_id = 2}), "sets: the first id is 2, which must be 0 or 1");
  EXPECT_EQ(refusal("1\n", {.items = 2, .names = {"a"}}), "sets: there are 1 names, but 2 items");
  EXPECT_EQ(refusal("a\n", {.names = {"a", "a"}}),
            "item names: 'a' is the name of item 1 and of item 2");
}

TEST(SetsFile, WritesWhatItReads) {
  const std::vector<std::string> odd{"plain", "a, b", "say \"so\"", "two words", "7", "-"};
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Random random(seed);
    SetCollection sets;
    sets.items = odd.size();
    for (Index s = 0; s < random.below(6); ++s) {
      auto& set = sets.sets.emplace_back();
      for (const Index i : permutation(odd.size(), random))
        if (random.chance(0.5)) set.push_back(static_cast<std::uint32_t>(i));
    }
    const Index first_id = seed % 2;
    const auto ids =
        parse_sets(sets_text(sets, first_id), "f",
                   {.first_id = first_id, .items = odd.size(), .blank_lines = Blank::kEmptySet});
    EXPECT_EQ(ids.sets, sets.sets) << seed;
    sets.names = odd;
    const auto named =
        parse_sets(sets_text(sets), "f", {.names = odd, .blank_lines = Blank::kEmptySet});
    EXPECT_EQ(named.sets, sets.sets) << seed;
  }
}

TEST(ItemNames, ByHand) {
  const auto read =
      parse_item_names("1 toys: Ramp : Baby\r\n\n2 Good night: a tale\n3 toys:odd", "f");
  EXPECT_EQ(read.names,
            (std::vector<std::string>{"Ramp : Baby", "Good night: a tale", "toys:odd"}));
  EXPECT_EQ(read.categories, (std::vector<std::string>{"toys", "", ""}));
  EXPECT_EQ(read.first_id, 1U);
  EXPECT_EQ(parse_item_names("0 a\n1 b\n", "f").first_id, 0U);
  EXPECT_EQ(parse_item_names("1 caf\xE9\n", "f").names[0], "caf\xC3\xA9") << "ISO 8859-1";
  EXPECT_EQ(parse_item_names("1 caf\xC3\xA9\n", "f").names[0], "caf\xC3\xA9") << "UTF-8";
  EXPECT_EQ(parse_item_names(item_names_text(read), "f").names, read.names);
  EXPECT_EQ(parse_item_names(item_names_text(read), "f").categories, read.categories);
}

TEST(ItemNames, RefusesByFileAndLine) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_item_names(text, "n.txt"); });
  };
  EXPECT_EQ(refusal("2 a\n"), "n.txt:1: found '2', expected the item id 1 or 0");
  EXPECT_EQ(refusal("1 a\n3 b\n"), "n.txt:2: found '3', expected the item id 2");
  EXPECT_EQ(refusal("1 a\nx b\n"), "n.txt:2: found 'x', expected the item id 2");
  EXPECT_EQ(refusal("1\n"), "n.txt:1: the line ends, expected the name of item 1");
  EXPECT_EQ(refusal("1 toys: \n"), "(nothing was refused)") << "the name is 'toys:'";
}

TEST(Registries, HaveTheirPublishedRowsAndItems) {
  SUREFIELD_NEEDS_DATA("registries");
  struct Row {
    std::string category;
    Index rows, items;
  };
  const std::vector<Row> rows{
      {"furniture", 7093, 32}, {"carseats", 7566, 34}, {"safety", 8892, 36},
      {"media", 5904, 58},     {"toys", 10073, 62},    {"diaper", 16759, 100},
      {"feeding", 19001, 100}, {"gear", 16823, 100},   {"bedding", 16370, 100}};
  for (const auto& [category, count, items] : rows) {
    const auto start = testing::shared_data("registries/1_100_100_100_" + category).string();
    const auto names = read_item_names(start + "_item_names.txt");
    EXPECT_EQ(names.names.size(), items) << category;
    EXPECT_EQ(names.categories, std::vector<std::string>(items, category));
    const auto sets = read_sets(start + "_regs.csv");
    EXPECT_EQ(sets.sets.size(), count) << category;
    EXPECT_EQ(sets.items, items) << category;
    EXPECT_EQ(sets.blank_lines + sets.repeated_items + sets.unknown_items, 0U) << category;
    const auto strict = read_sets(
        start + "_regs.csv",
        {.names = names.names, .blank_lines = Blank::kRefuse, .repeated = OddInput::kRefuse});
    EXPECT_EQ(strict.sets, sets.sets);
  }
}

}  // namespace
}  // namespace surefield
