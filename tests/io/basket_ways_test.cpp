// The table of docs/baskets.md: the same 20 baskets in many ways, each read right or refused with
// the option that helps.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "surefield/io/baskets/read_baskets.hpp"
#include "surefield/io/read_file.hpp"
#include "tests/support/basket_ways.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::BasketWay;

BasketOptions options_of(const std::string& typed) {
  BasketOptions options;
  std::istringstream words(typed);
  std::string word, value;
  while (words >> word) {
    if (word == "--header") {
      options.header = true;
      continue;
    }
    words >> value;
    if (word == "--separator") options.separator = separator_named(value);
    if (word == "--encoding") options.encoding = encoding_named(value);
    if (word == "--form") options.form = form_named(value);
    if (word == "--blank") options.blank_lines = SetsOptions::Blank::kEmptySet;
    if (word == "--long") {
      options.order_column = value.substr(0, value.find(','));
      options.item_column = value.substr(value.find(',') + 1);
    }
  }
  return options;
}

using NamedSets = std::vector<std::set<std::string>>;

NamedSets truth_of(const BasketWay& way) {
  NamedSets sets;
  for (const auto& basket : testing::twenty_baskets()) {
    auto& set = sets.emplace_back();
    for (const int item : basket) set.insert(way.labels[static_cast<std::size_t>(item)]);
  }
  return sets;
}

NamedSets named(const SetCollection& data) {
  NamedSets sets;
  for (const auto& items : data.sets) {
    auto& set = sets.emplace_back();
    for (const auto item : items) set.insert(data.names.at(item));
  }
  return sets;
}

TEST(BasketWays, EachIsReadRightOrRefusedWithTheOptionThatHelps) {
  for (const BasketWay& way : testing::basket_ways()) {
    SCOPED_TRACE(way.about + " " + way.typed);
    const auto read = [&] { return parse_baskets(way.text, "b.csv", options_of(way.typed)); };
    if (!way.refused.empty()) {
      const std::string why = testing::refusal(read);
      EXPECT_TRUE(why.starts_with("b.csv:")) << why;
      EXPECT_NE(why.find(way.refused), std::string::npos) << why;
      continue;
    }
    try {
      const Baskets found = read();
      EXPECT_EQ(named(found.data), truth_of(way)) << understood(found, "b.csv");
      EXPECT_EQ(found.data.items, 6U);
      EXPECT_EQ(found.data.repeated_items, 0U);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// `| number | way | first line | typed | outcome |`, as the page has it.
std::string row_of(std::size_t number, const BasketWay& way) {
  std::string first = way.text.substr(0, way.text.find_first_of("\r\n"));
  if (first.starts_with("\xEF\xBB\xBF")) first = first.substr(3);
  if (first.starts_with("\xFF\xFE")) first = "bread\tmilk";
  first = testing::replaced(testing::replaced(first, "\t", "⇥"), "|", "\\|");
  const auto code = [](const std::string& text) { return text.empty() ? "" : " `" + text + "`"; };
  return "| " + std::to_string(number) + " | " + way.about + " |" + code(first) + " |" +
         code(way.typed) + " | " +
         (way.refused.empty() ? "read" : "refused: `" + way.refused + "`") + " |";
}

TEST(BasketWays, ThePageHasEachOfThem) {
  const std::string page = read_file(std::string(SUREFIELD_SOURCE_DIR) + "/docs/baskets.md");
  const auto ways = testing::basket_ways();
  EXPECT_GE(ways.size(), 40U);
  for (std::size_t k = 0; k < ways.size(); ++k) {
    const std::string row = row_of(k + 1, ways[k]);
    EXPECT_NE(page.find(row + "\n"), std::string::npos) << "the page lacks\n" << row;
  }
  const auto rows = std::count(page.begin(), page.end(), '\n') > 0
                        ? page.find("\n| " + std::to_string(ways.size() + 1) + " | ")
                        : std::string::npos;
  EXPECT_EQ(rows, std::string::npos) << "the page has a row that is not tested";
}

}  // namespace
}  // namespace surefield
