#include "surefield/io/point_file.hpp"

#include <gtest/gtest.h>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/report/result_json.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using Point = std::vector<double>;

TEST(PointFile, ReadsLinesAndJson) {
  EXPECT_EQ(parse_point("# start\n0.25\r\n\n1", "f", 2), (Point{0.25, 1}));
  EXPECT_EQ(parse_point("\n [0.25, 1]\n", "f", 2), (Point{0.25, 1}));
  EXPECT_EQ(parse_point("{\"marginals\": [0, 1e-3]}", "f", 2), (Point{0, 1e-3}));
  EXPECT_EQ(parse_point("", "f", 0), Point{});
}

TEST(PointFile, ReadsTheMarginalsOfAResultToTheLastBit) {
  const Result result = infer(make_problem(generate("flid", {.items = 15})), {});
  EXPECT_EQ(parse_point(result_json(result), "f", 15), result.marginals);
}

TEST(PointFile, RefusesByFileAndPlace) {
  const auto refusal = [](std::string_view text) {
    return testing::refusal([&] { parse_point(text, "p", 2); });
  };
  EXPECT_EQ(refusal("0.5\n1.5\n"), "p:2: found '1.5', expected a number from 0 to 1");
  EXPECT_EQ(refusal("0.5\n-0.1\n"), "p:2: found '-0.1', expected a number from 0 to 1");
  EXPECT_EQ(refusal("nan\n1\n"), "p:1: found 'nan', expected a number from 0 to 1");
  EXPECT_EQ(refusal("0.5 0.5\n"), "p:1: found '0.5 0.5', expected a number from 0 to 1");
  EXPECT_EQ(refusal("0.5\n"), "p: there are 1 numbers, expected 2, one an item");
  EXPECT_EQ(refusal("[0, 0, 0]"), "p: there are 3 numbers, expected 2, one an item");
  EXPECT_EQ(refusal("[0, 2]"), "p: /1 is 2, which must be a number from 0 to 1");
  EXPECT_EQ(refusal("[0, null]"), "p: /1 is null, which must be a finite number");
  EXPECT_EQ(refusal("{\"elbo\": 1}"), "p: / has no 'marginals'");
  EXPECT_TRUE(refusal("[0,\n1").starts_with("p:2: ")) << refusal("[0,\n1");
}

}  // namespace
}  // namespace surefield
