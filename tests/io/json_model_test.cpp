#include "surefield/io/json_model.hpp"

#include <gtest/gtest.h>

#include "surefield/models/families.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

std::string refusal_of(std::string_view text) {
  return testing::refusal([&] { parse_json_model(text, "m.json"); });
}
/// The refusal of a model of that kind with those members.
std::string refusal_of(const std::string& kind, const std::string& members) {
  return refusal_of(R"({"surefield": "1", "kind": ")" + kind + R"(", )" + members + "}");
}

TEST(JsonModel, EveryKindReadsBackBitByBit) {
  for (Index kind = 0; kind < testing::kAllKinds; ++kind)
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const Index n = kind == testing::kBasicKinds ? 1 + seed % 5 : seed % 6;
      ModelFile file{testing::random_any_model(kind, n, seed), {}, unit_box(n)};
      if (seed % 2 == 0)
        for (Index i = 0; i < n; ++i) {
          file.items.push_back(message("item \"", i, "\"\n\xC3\xA9"));
          file.box.low[i] = 0.1 / static_cast<double>(seed);
        }
      const std::string text = json_model_text(file);
      const ModelFile again = parse_json_model(text, "f");
      EXPECT_TRUE(testing::same(again.model, file.model))
          << kind_of(file.model) << " " << seed << "\n"
          << text;
      EXPECT_EQ(again.items, file.items);
      EXPECT_EQ(again.box, file.box);
      EXPECT_EQ(json_model_text(again), text);
    }
}

TEST(JsonModel, IsLaidOutForReading) {
  const ModelFile file{make_graph_cut({0.1, -2}, {{0, 1, 3}}), {"a", "b"}, {{0, 1}, {1, 1}}};
  EXPECT_EQ(json_model_text(file),
            "{\n  \"surefield\": \"1\",\n  \"kind\": \"cut\",\n  \"items\": [\"a\",\"b\"],\n"
            "  \"box\": {\"low\":[0.0,1.0],\"high\":[1.0,1.0]},\n  \"directed\": false,\n"
            "  \"bias\": [0.1,-2.0],\n  \"edges\": [\n    [0,1,3.0]\n  ]\n}\n");
}

TEST(JsonModel, WhatMayBeLeftOutHasItsDefault) {
  const auto read = [](const std::string& members) {
    return parse_json_model(R"({"surefield": "1", )" + members + "}", "f").model;
  };
  EXPECT_TRUE(testing::same(read(R"("kind": "pairwise", "bias": [1, 2], "edges": [[0, 1, -1]])"),
                            AnyModel(make_pairwise_field({1, 2}, std::vector<Edge>{{0, 1, -1}}))));
  EXPECT_TRUE(testing::same(read(R"("kind": "cut", "bias": [1, 2], "edges": [])"),
                            AnyModel(make_graph_cut({1, 2}, {}))));
  const std::vector<std::vector<Entry>> sure{{{1, 1.0}}};
  EXPECT_TRUE(testing::same(
      read(R"("kind": "coverage", "cost": [1, 2], "concepts": [{"weight": 3, "items": [1]}])"),
      AnyModel(make_coverage({1, 2}, {3}, sure))));
  const AnyModel concave = read(
      R"("kind": "concave-over-modular", "modular": [1], "groups": [{"weight": 1, "shape": "log", "items": [0], "weights": [2]}])");
  EXPECT_EQ(concave.as<ConcaveOverModular>()->tolerance, 1e-10);
  const AnyModel log_det = read(R"("kind": "log-det", "kernel": [[2]])");
  EXPECT_EQ(log_det.as<LogDet>()->samples, 1000U);
  EXPECT_EQ(log_det.as<LogDet>()->seed, 1U);
}

TEST(JsonModel, NamesTheLineThatIsNotJson) {
  EXPECT_EQ(refusal_of(""),
            "m.json:1: found no JSON: unexpected end of input; expected '[', '{', or a literal");
  EXPECT_EQ(refusal_of("{\n\"a\": 1,\n]"),
            "m.json:3: found no JSON: unexpected ']'; expected string literal");
  EXPECT_EQ(refusal_of("{\"a\": nan}"),
            "m.json:1: found no JSON: invalid literal; last read: '\"a\": na'");
  EXPECT_EQ(refusal_of("{\n\"a\": 1e999}"),
            "m.json:2: found '1e999', expected a number that fits a double");
  EXPECT_EQ(refusal_of("{\"a\": 1, \"a\": 2}"), "m.json: the key 'a' is twice in one object");
  EXPECT_EQ(refusal_of("{\"a\": {\"b\": [{\"c\": 1}, {\"c\": 2, \"c\": 3}]}}"),
            "m.json: the key 'c' is twice in one object");
  EXPECT_EQ(refusal_of("{\"a\": {\"a\": 1}} x"),
            "m.json:1: found no JSON: invalid literal; last read: '1}} x'; expected end of input");
}

TEST(JsonModel, NamesThePlaceThatIsWrong) {
  EXPECT_EQ(refusal_of("[]"), "m.json: / is an array, which must be an object");
  EXPECT_EQ(refusal_of("{}"), "m.json: / has no 'surefield'");
  EXPECT_EQ(refusal_of(R"({"surefield": "2"})"),
            "m.json: /surefield is '2', which must be '1', the version this program reads");
  EXPECT_EQ(refusal_of(R"({"surefield": 1})"), "m.json: /surefield is 1, which must be a text");
  EXPECT_EQ(
      refusal_of("flids", R"("x": 1)"),
      "m.json: /kind is 'flids', which must be one of flid, fldc, facility-location, coverage, "
      "pairwise, cut, "
      "hypergraph-cut, gibbs, concave-over-modular, log-det, sum");
  EXPECT_EQ(refusal_of("facility-location", R"("cost": [0,0,0,0,0,0,0,0,0,0],
                       "customers": [{"items": [], "benefit": []}, {"items": [1], "benefit": [2]},
                                     {"items": [-3], "benefit": [1]}])"),
            "m.json: /customers/2/items/0 is -3, which must be a whole number from 0 to 9");
  EXPECT_EQ(refusal_of("facility-location",
                       R"("cost": [0], "customers": [{"items": [0], "benefit": []}])"),
            "m.json: /customers/0/benefit has 0 numbers, but there are 1 items");
  EXPECT_EQ(refusal_of("facility-location",
                       R"("cost": [0], "customers": [{"itmes": [0], "benefit": [1]}])"),
            "m.json: /customers/0 has the unknown key 'itmes', known are: items, benefit");
  EXPECT_EQ(refusal_of("facility-location", R"("cost": [0])"), "m.json: / has no 'customers'");
  EXPECT_EQ(refusal_of("flid", R"("utility": [0], "weights": [[1]], "extra": 1)"),
            "m.json: / has the unknown key 'extra', known are: utility, weights, kind, surefield, "
            "items, box");
  EXPECT_EQ(refusal_of("flid", R"("utility": [0, "x"], "weights": [])"),
            "m.json: /utility/1 is 'x', which must be a finite number");
  EXPECT_EQ(refusal_of("flid", R"("utility": [0, 1], "weights": [[1]])"),
            "m.json: /weights has 1 rows, but there are 2 utilities");
  EXPECT_EQ(refusal_of("flid", R"("utility": [0, 1], "weights": [[1], [1, 2]])"),
            "m.json: /weights/1 has 2 numbers, which must be 1");
  EXPECT_EQ(refusal_of("pairwise", R"("bias": [0, 0], "edges": [[0, 1]])"),
            "m.json: /edges/0 has 2 numbers, which must be two nodes and a weight");
  EXPECT_EQ(refusal_of("pairwise", R"("bias": [0, 0], "edges": [[0, 1.5, 1]])"),
            "m.json: /edges/0/1 is 1.5, which must be a whole number from 0 to 1");
  EXPECT_EQ(refusal_of("pairwise", R"("bias": [], "edges": [[0, 1, 1]])"),
            "m.json: /edges/0/0 is 0, but there are no nodes");
  EXPECT_EQ(
      refusal_of("pairwise", R"("bias": [0, 0], "edges": [[1, 1, 1]])"),
      "m.json: pairwise field: edge 1-1 joins a node to itself, which must be written as a bias");
  EXPECT_EQ(refusal_of("cut", R"("directed": 1, "bias": [], "edges": [])"),
            "m.json: /directed is 1, which must be true or false");
  EXPECT_EQ(refusal_of("cut", R"("bias": {}, "edges": [])"),
            "m.json: /bias is an object, which must be an array");
  EXPECT_EQ(refusal_of("hypergraph-cut",
                       R"("bias": [0], "hyperedges": [{"weight": 1, "nodes": [0], "tail": [0]}])"),
            "m.json: /hyperedges/0 has the unknown key 'tail', known are: weight, nodes");
  EXPECT_EQ(
      refusal_of("gibbs", R"("bias": [0, 0], "terms": [{"variables": [0, 2], "coefficient": 1}])"),
      "m.json: /terms/0/variables/1 is 2, which must be a whole number from 0 to 1");
  EXPECT_EQ(
      refusal_of("coverage",
                 R"("cost": [0], "concepts": [{"weight": 1, "items": [0], "probability": [2]}])"),
      "m.json: coverage: item 0 covers concept 0 with probability 2, which must lie in [0, 1]");
  EXPECT_EQ(refusal_of("log-det", R"("kernel": [[1, 2]])"),
            "m.json: /kernel/0 has 2 numbers, which must be 1");
  EXPECT_EQ(refusal_of("log-det", R"("kernel": [[1]], "samples": 0)"),
            "m.json: /samples is 0, which must be a whole number from 1 to 4294967295");
  EXPECT_EQ(refusal_of("sum", R"("terms": [])"),
            "m.json: /terms is empty, but a sum must have one or more terms");
  EXPECT_EQ(refusal_of("sum", R"("terms": [{"weight": 1, "model": {"kind": "sum", "terms": []}}])"),
            "m.json: /terms/0/model/terms is empty, but a sum must have one or more terms");
  EXPECT_EQ(
      refusal_of(
          "sum",
          R"("terms": [{"weight": 1, "model": {"kind": "cut", "bias": [0], "edges": [], "box": 1}}])"),
      "m.json: /terms/0/model has the unknown key 'box', known are: directed, bias, edges, kind");
  EXPECT_EQ(
      refusal_of(
          "sum",
          R"("terms": [{"weight": 1, "model": {"kind": "cut", "bias": [0, 0], "edges": [[0, 0, 1]]}}])"),
      "m.json: /terms/0/model: graph cut: edge 0-0 joins a node to itself");
  const std::string cut = R"("bias": [0, 0], "edges": [], )";
  EXPECT_EQ(refusal_of("cut", cut + R"("items": ["a"])"),
            "m.json: /items has 1 names, but there are 2 items");
  EXPECT_EQ(refusal_of("cut", cut + R"("items": ["a", 1])"),
            "m.json: /items/1 is 1, which must be a text");
  EXPECT_EQ(refusal_of("cut", cut + R"("box": {"low": [0, 0]})"), "m.json: /box has no 'high'");
  EXPECT_EQ(refusal_of("cut", cut + R"("box": {"low": [0, 0], "high": [1, 2]})"),
            "m.json: /box: box: coordinate 1 has the interval [0, 2], which must lie in [0, 1]");
}

TEST(JsonModel, NamesTheShapesItKnows) {
  const auto refusal = [](const std::string& shape) {
    return refusal_of("concave-over-modular",
                      R"("modular": [0], "groups": [{"weight": 1, "items": [0], "weights": [1], )" +
                          shape + "}]");
  };
  EXPECT_EQ(refusal(R"("shape": "power")"), "m.json: /groups/0 has no valid shape: " +
                                                testing::refusal([] { make_concave("power", 0); }));
  EXPECT_EQ(refusal(R"("shape": "sqrt\n")"),
            "m.json: /groups/0 has no valid shape: concave function: the shape is \"sqrt\\x0a\", "
            "which must be power, "
            "log, ratio, saturating or truncated");
  EXPECT_EQ(refusal(R"("parameter": 1)"), "m.json: /groups/0 has no 'shape'");
}

TEST(JsonModel, RefusesToWriteWhatItCannotHold) {
  const auto refusal = [](AnyModel model, std::vector<std::string> items, Box box) {
    return testing::refusal([&] {
      json_model_text({std::move(model), std::move(items), std::move(box)});
    });
  };
  EXPECT_EQ(refusal(make_black_box(
                        1, [](Subset) { return 0.0; }, 10),
                    {}, unit_box(1)),
            "a black-box model is code, which no file can hold");
  EXPECT_EQ(refusal(make_graph_cut({0}, {}), {"\xff"}, unit_box(1)),
            "json: the item name '\\xff' is not UTF-8 text");
  EXPECT_EQ(refusal(make_graph_cut({0}, {}), {"a", "b"}, unit_box(1)),
            "json: there are 2 names, but 1 items");
  EXPECT_EQ(refusal(make_graph_cut({0}, {}), {}, unit_box(2)),
            "box: it has 2 lower and 2 upper ends, but there are 1 coordinates");
  EXPECT_EQ(refusal(make_weighted_sum(1, {}), {}, unit_box(1)),
            "a sum without terms cannot be written");
}

TEST(JsonModel, DeepNestingIsRefusedNotCrashedInto) {
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 200000; ++i) deep += open;
    EXPECT_THROW(parse_json_model(deep, "f"), Error);
  }
  EXPECT_EQ(refusal_of("cut", R"("bias": )" + std::string(100000, '[') + std::string(100000, ']') +
                                  R"(, "edges": [])"),
            "m.json: /bias/0 is an array, which must be a finite number");
}

}  // namespace
}  // namespace surefield
