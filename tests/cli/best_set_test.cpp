#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;

TEST(BestSetCli, FindsAndProvesTheBestSetOfAFewItems) {
  const Program surefield;
  surefield.write("three.json", R"({"surefield": "1", "kind": "pairwise", "constant": 0,
    "items": ["crib", "pram", "hat"], "bias": [3, 2, 1], "edges": [[0, 1, -4]]})");
  const Outcome text = surefield("best-set three.json");
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_TRUE(has(text.out, "the best set, certified")) << text.out;
  EXPECT_TRUE(has(text.out, "  2 items\n  crib\n  hat\n")) << text.out;  // 3 + 1
  const auto one = nlohmann::json::parse(surefield("best-set three.json -k 1 --format json").out);
  EXPECT_EQ(one["names"], (std::vector<std::string>{"crib"}));
  EXPECT_NEAR(one["value"].get<double>(), 3, 1e-12);
  EXPECT_GE(one["upper"].get<double>(), 3);
  const Outcome without = surefield("best-set three.json --out crib --format csv");
  EXPECT_EQ(without.out, "item,name\n1,pram\n2,hat\n");
  const Outcome none = surefield("best-set three.json -k 0 --in crib");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_TRUE(has(none.err, "1 items must be in, more than the 0")) << none.err;
}

}  // namespace
}  // namespace surefield
