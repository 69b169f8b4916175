#include "surefield/core/packing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "surefield/core/log_z_fields.hpp"

namespace surefield {
namespace {

struct Packable {
  std::string text;
  std::string_view name;
  std::vector<double> numbers;
  std::vector<std::optional<std::pair<int, std::string>>> rows;
  Side side = Side::kUpper;
  bool is_so = false;
};

auto fields_of(Packable& value) {
  auto& [text, name, numbers, rows, side, is_so] = value;
  return std::tie(text, name, numbers, rows, side, is_so);
}

TEST(Packing, GivesEveryFieldBack) {
  const Packable value{.text = std::string("a\0b", 3),
                       .name = "mean field",
                       .numbers = {-0.0, 0.1, INFINITY, std::numeric_limits<double>::denorm_min()},
                       .rows = {std::pair(3, std::string("three")), std::nullopt},
                       .side = Side::kExact,
                       .is_so = true};
  std::string bytes = packed(value);
  const auto back = unpacked<Packable>(bytes);
  EXPECT_EQ(back.text, value.text);
  EXPECT_EQ(back.numbers, value.numbers);
  EXPECT_TRUE(std::signbit(back.numbers[0]));
  EXPECT_EQ(back.rows, value.rows);
  EXPECT_EQ(back.side, Side::kExact);
  EXPECT_TRUE(back.is_so);
  bytes.assign(bytes.size(), '?');  // a name outlives the bytes that it came in
  EXPECT_EQ(back.name, "mean field");
  EXPECT_EQ(lasting("mean field").data(), back.name.data());
}

TEST(Packing, GivesBackWhatAPointerPointsTo) {
  using Shared = std::shared_ptr<const std::vector<double>>;
  const auto back = unpacked<std::pair<Shared, Shared>>(
      packed(std::pair(Shared(), std::make_shared<const std::vector<double>>(3, 0.1))));
  EXPECT_EQ(back.first, nullptr);
  EXPECT_EQ(*back.second, std::vector<double>(3, 0.1));
}

TEST(Packing, GivesAResultAboutLogZBack) {
  LogZResult found;
  found.values = {{.method = "tree", .side = Side::kLower, .value = 1.5}};
  found.refused = {{"exact", "too large"}};
  found.lower = 1.5;
  found.marginals = {{0.25, 0.5}};
  found.basis = Basis::kAssumesSubmodular;
  const auto back = unpacked<LogZResult>(packed(found));
  EXPECT_EQ(back.values.at(0).method, "tree");
  EXPECT_EQ(back.values.at(0).value, 1.5);
  EXPECT_EQ(back.refused, found.refused);
  EXPECT_EQ(back.lower, found.lower);
  EXPECT_FALSE(back.upper);
  EXPECT_EQ(back.marginals, found.marginals);
  EXPECT_EQ(back.basis, found.basis);
}

TEST(Packing, RefusesBytesThatAreTooFewOrTooMany) {
  const std::string bytes = packed(std::vector<double>{1, 2});
  EXPECT_EQ(unpacked<std::vector<double>>(bytes), (std::vector<double>{1, 2}));
  EXPECT_THROW(unpacked<std::vector<double>>(bytes.substr(0, 20)), Error);
  EXPECT_THROW(unpacked<std::vector<double>>(bytes + "x"), Error);
}

}  // namespace
}  // namespace surefield
