#include "surefield/io/nearest_names.hpp"

#include <gtest/gtest.h>

namespace surefield {
namespace {

using Names = std::vector<std::string>;

/// The definition: the least of the four ways to begin.
std::size_t distance_by_definition(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const auto rest_a = a.substr(1), rest_b = b.substr(1);
  const bool swapped = a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0];
  if (swapped)
    return std::min({distance_by_definition(a.substr(2), b.substr(2)) + 1,
                     distance_by_definition(rest_a, rest_b) + (a[0] != b[0]),
                     distance_by_definition(rest_a, b) + 1, distance_by_definition(a, rest_b) + 1});
  return std::min({distance_by_definition(rest_a, rest_b) + (a[0] != b[0]),
                   distance_by_definition(rest_a, b) + 1, distance_by_definition(a, rest_b) + 1});
}

TEST(EditDistance, IsTheDefinition) {
  EXPECT_EQ(edit_distance("kitten", "sitting", 9), 3U);  // k -> s, e -> i, + g
  const Names words{"", "a", "ab", "ba", "abc", "cab", "bbca", "acb", "aabb"};
  for (const auto& a : words)
    for (const auto& b : words)
      for (std::size_t limit = 0; limit < 5; ++limit)
        EXPECT_EQ(edit_distance(a, b, limit), std::min(distance_by_definition(a, b), limit + 1))
            << a << " " << b << " " << limit;
  EXPECT_EQ(edit_distance("Cot", "cOT", 1), 0U);
}

TEST(NearestNames, CaseThenPrefixThenSubstringThenTypingErrors) {
  const Names names{"carrycot", "cots for two", "Cot", "coat", "pram", "boat"};
  EXPECT_EQ(nearest_names("cot", names, 9), (Names{"Cot", "cots for two", "carrycot", "coat"}));
  EXPECT_EQ(nearest_names("cot", names, 2), (Names{"Cot", "cots for two"}));
  EXPECT_EQ(nearest_names("parm", names), Names{"pram"});  // two letters swapped are one error
  EXPECT_EQ(nearest_names("pxyz", names), Names{});
  EXPECT_EQ(nearest_names("prm", names), Names{"pram"});
  EXPECT_EQ(nearest_names("", names), Names{});
  EXPECT_EQ(nearest_names("x", Names{}), Names{});
}

TEST(NearestNames, AllWordsInAnyOrder) {
  const Names names{"Robin Row Lightweight Jogging Stroller", "Robin Row Crib", "Jogging Shoes"};
  EXPECT_EQ(nearest_names("jogging Robin", names), Names{names[0]});
  EXPECT_EQ(nearest_names("Robin  Row ", names), (Names{names[0], names[1]}));
  EXPECT_EQ(nearest_names("   ", names), Names{});
}

TEST(DidYouMean, IsASentenceOrNothing) {
  const Names names{"cot", "coat", "cost"};
  EXPECT_EQ(did_you_mean("zebra", names), "");
  EXPECT_EQ(did_you_mean("coa", names), "; did you mean 'coat' or 'cot'?");
  EXPECT_EQ(did_you_mean("co", names), "; did you mean 'cot', 'coat' or 'cost'?");
  EXPECT_EQ(did_you_mean("line\n", Names{"line\nx"}), "; did you mean 'line\\x0ax'?");
}

}  // namespace
}  // namespace surefield
