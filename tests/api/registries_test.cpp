#include "surefield/api/registries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "surefield/api/registry_words.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/sets_file.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;

TEST(Registries, AreSetsOfNamedItemsWithoutAnEmptyOne) {
  for (const auto& category : registry_categories()) {
    SCOPED_TRACE(category.name);
    const auto made = generate_registries(
        {.category = std::string(category.name), .items = 60, .sets = 400, .seed = 3});
    EXPECT_EQ(made.data.items, 60U);
    EXPECT_EQ(made.data.sets.size(), 400U);
    EXPECT_EQ(std::set<std::string>(made.data.names.begin(), made.data.names.end()).size(), 60U);
    EXPECT_EQ(made.groups.size(), category.needs.size());
    EXPECT_EQ(made.truth.size(), 60U);
    bool comma = false;
    bool quote = false;
    for (const auto& name : made.data.names) {
      comma = comma || name.find(',') != std::string::npos;
      quote = quote || name.find('"') != std::string::npos;
    }
    EXPECT_TRUE(comma);
    EXPECT_TRUE(quote);
    for (const auto& set : made.data.sets) {
      EXPECT_FALSE(set.empty());
      EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
      EXPECT_LT(set.back(), 60U);
    }
    for (Index i = 0; i < 60; ++i) {  // its own need weighs most
      EXPECT_GE(made.truth.weight(i, made.group_of[i]), 3);
      for (Index d = 0; d < made.truth.dimensions; ++d) {
        if (d != made.group_of[i]) {
          EXPECT_LE(made.truth.weight(i, d), 0.4);
        }
      }
    }
  }
}

TEST(Registries, FollowTheTrueModel) {
  const auto made = generate_registries({.items = 8, .sets = 20000, .dimensions = 3, .seed = 5});
  auto values = reference::all_values(made.truth);
  values[0] = -kInfinity;
  const double log_z = log_sum_exp(values);
  std::vector<double> seen(values.size(), 0);
  for (const auto& set : made.data.sets) {
    std::size_t code = 0;
    for (const auto i : set) code |= std::size_t{1} << i;
    ++seen[code];
  }
  double chi_square = 0;
  double degrees = 0;
  for (std::size_t code = 1; code < values.size(); ++code) {
    const double expected = 20000 * std::exp(values[code] - log_z);
    if (expected < 5) continue;
    chi_square += (seen[code] - expected) * (seen[code] - expected) / expected;
    ++degrees;
  }
  EXPECT_GT(degrees, 20);
  EXPECT_LT(chi_square, degrees + 5 * std::sqrt(2 * degrees));
}

TEST(Registries, AreTheSameBytesForTheSameSeed) {
  const RegistryOptions options{.items = 30, .sets = 200, .seed = 11};
  const auto a = generate_registries(options);
  const auto b = generate_registries(options);
  EXPECT_EQ(sets_text(a.data), sets_text(b.data));
  EXPECT_EQ(a.truth.weights, b.truth.weights);
  auto other = options;
  other.seed = 12;
  EXPECT_NE(sets_text(generate_registries(other).data), sets_text(a.data));
  // The first line of a seed, written down: another machine must print the same.
  EXPECT_EQ(
      sets_text(a.data).substr(0, sets_text(a.data).find('\n')),
      R"("Larkfield Premium Sling, 27"" x 16""","Owlet Lane Deluxe Rear-Facing Seat, 27"" x 16""",)"
      "Littlebrook Premium Wide Neck Bottles");
}

TEST(Registries, ReadBackAsTheyWereWritten) {
  const auto made = generate_registries({.category = "kitchen", .items = 50, .sets = 300});
  SetsOptions how;
  how.names = made.data.names;
  const auto back = parse_sets(sets_text(made.data), "sets.csv", how);
  EXPECT_EQ(back.sets, made.data.sets);
  ItemNames items;
  items.names = made.data.names;
  items.categories.assign(50, "kitchen");
  EXPECT_EQ(parse_item_names(item_names_text(items), "names.txt").names, made.data.names);
}

/// Share of the sets that serve both needs, over what it would be if they were independent.
double lift(const Registries& made, Index a, Index b) {
  double with_a = 0;
  double with_b = 0;
  double both = 0;
  for (const auto& set : made.data.sets) {
    bool has_a = false;
    bool has_b = false;
    for (const auto i : set) {
      has_a = has_a || made.group_of[i] == a;
      has_b = has_b || made.group_of[i] == b;
    }
    with_a += has_a, with_b += has_b, both += has_a && has_b;
  }
  return both * static_cast<double>(made.data.sets.size()) / (with_a * with_b);
}

TEST(Registries, ComplementsComeTogetherAndSubstitutesDoNot) {
  RegistryOptions options{.items = 40, .sets = 6000, .seed = 2};
  const auto plain = generate_registries(options);
  options.complements = true;
  const auto styled = generate_registries(options);
  EXPECT_EQ(styled.truth.size(), 0U);
  double greatest_plain = 0;
  double greatest_styled = 0;
  for (Index a = 0; a < plain.groups.size(); ++a)
    for (Index b = 0; b < a; ++b) {
      greatest_plain = std::max(greatest_plain, lift(plain, a, b));
      greatest_styled = std::max(greatest_styled, lift(styled, a, b));
    }
  EXPECT_LT(greatest_plain, 1.1);
  EXPECT_GT(greatest_styled, 1.4);
  // Two items of one need in a set: rare in both.
  double doubled = 0;
  for (const auto& set : plain.data.sets) {
    std::set<Index> needs;
    for (const auto i : set) needs.insert(plain.group_of[i]);
    doubled += needs.size() < set.size();
  }
  EXPECT_LT(doubled / 6000, 0.2);
}

TEST(Registries, HaveAboutTheSizeAskedForAndASkewOfPopularity) {
  const auto made = generate_registries({.items = 100, .sets = 4000, .mean_size = 6.0});
  double total = 0;
  std::vector<double> counts(100, 0);
  for (const auto& set : made.data.sets) {
    total += static_cast<double>(set.size());
    for (const auto i : set) ++counts[i];
  }
  EXPECT_NEAR(total / 4000, 6, 0.8);
  std::sort(counts.rbegin(), counts.rend());
  EXPECT_GT(counts[0], 5 * counts[50]);
}

TEST(Registries, SmallestAndLargeCases) {
  const auto one = generate_registries({.items = 1, .sets = 3});
  EXPECT_EQ(one.data.sets, (std::vector<std::vector<std::uint32_t>>{{0}, {0}, {0}}));
  EXPECT_TRUE(generate_registries({.sets = 0}).data.sets.empty());
  const auto many = generate_registries({.items = 5000, .sets = 1, .dimensions = 20});
  EXPECT_EQ(std::set<std::string>(many.data.names.begin(), many.data.names.end()).size(), 5000U);
  EXPECT_EQ(many.groups[12], many.groups[0] + " 2");
}

TEST(Registries, SayWhatTheyRefuse) {
  EXPECT_EQ(refusal([] { generate_registries({.category = "cars"}); }),
            "registries: the category 'cars' is not known; there are nursery, kitchen, camping, "
            "office, garden");
  EXPECT_EQ(refusal([] { generate_registries({.items = 0}); }),
            "registries: there are 0 items, which must be at least 1");
  EXPECT_EQ(refusal([] { generate_registries({.items = 3, .dimensions = 5}); }),
            "registries: there are 5 dimensions, which must be from 1 to the number of items, 3");
  EXPECT_EQ(refusal([] { generate_registries({.items = 8, .dimensions = 2, .mean_size = 2.5}); }),
            "registries: the mean size is 2.5, which must be above 0 and below the number of "
            "dimensions, 2");
  EXPECT_EQ(refusal([] { generate_registries({.sets = 100'000'001}); }),
            "registries: 100000001 sets is more than the limit of 100000000");
}

}  // namespace
}  // namespace surefield
