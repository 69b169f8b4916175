// Data in, as it comes: the program reads baskets in any form, keeps their labels through every
// command and every model format, and checks what it is to write before the work.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/cli/program.hpp"
#include "tests/support/basket_ways.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

TEST(CliBaskets, EveryWayOfThePageIsReadOrRefusedWithItsOption) {
  const Program surefield;
  for (const auto& way : testing::basket_ways()) {
    SCOPED_TRACE(way.about + " " + way.typed);
    surefield.write("b.csv", way.text);
    const Outcome done = surefield("fit b.csv --model modular -o m.json " + way.typed);
    if (!way.refused.empty()) {
      EXPECT_EQ(done.exit_code, 2);
      EXPECT_TRUE(done.err.starts_with("surefield: b.csv:") && has(done.err, way.refused))
          << done.err;
      continue;
    }
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_TRUE(done.err.starts_with("b.csv: 20 sets of 6 items, ")) << done.err;
    EXPECT_TRUE(has(done.err, "empty sets: 1")) << done.err;
    const auto items = Json::parse(surefield.read("m.json"))["items"].get<std::set<std::string>>();
    EXPECT_EQ(items, (std::set<std::string>(way.labels.begin(), way.labels.end())));
  }
}

TEST(CliBaskets, LabelsAreTheSameInEveryCommandAndFormat) {
  const Program surefield;
  const std::vector<std::string> labels{"0012345678905", "900001", "1", "crème, fraîche", "0"};
  std::string text;
  for (int k = 0; k < 30; ++k)
    text += "0012345678905,900001\n1\n\"crème, fraîche\",1,0012345678905\n0,900001\n";
  surefield.write("b.csv", text);
  for (const std::string model : {"m.json", "m.flid"}) {
    SCOPED_TRACE(model);
    const Outcome done = surefield("fit b.csv --dims 1 --epochs 3 -o " + model);
    ASSERT_EQ(done.exit_code, 0) << done.err;
    EXPECT_EQ(has(done.err, "wrote m.flid.items.csv"), model == "m.flid") << done.err;
    const Json infer = Json::parse(surefield("infer " + model + " --in 900001 --format json").out);
    EXPECT_EQ(infer["model"]["items"], Json(labels));
    EXPECT_EQ(infer["marginals"][1], 1) << "900001 is the second";
    const Outcome recommended = surefield("recommend " + model + " --have 1,0 -k 3 --format csv");
    EXPECT_TRUE(has(recommended.out, "\"crème, fraîche\"")) << recommended.out;
    EXPECT_TRUE(has(recommended.out, "0012345678905")) << recommended.out;
    const Outcome evaluated = surefield("evaluate " + model + " b.csv --format json");
    EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
    EXPECT_EQ(has(evaluated.err, "m.flid: its items are called as m.flid.items.csv says"),
              model == "m.flid");
    const Outcome drawn = surefield("sample " + model + " -k 200 --seed 3");
    for (const auto& label : labels) EXPECT_TRUE(has(drawn.out, label)) << label;
    const Outcome other = surefield("recommend " + model + " --have 3");
    EXPECT_EQ(other.exit_code, 2) << "3 is no label";
  }
  ASSERT_EQ(surefield("convert m.flid back.json").exit_code, 0);
  EXPECT_EQ(Json::parse(surefield.read("back.json"))["items"], Json(labels));
  EXPECT_EQ(Json::parse(surefield.read("back.json"))["utility"],
            Json::parse(surefield.read("m.json"))["utility"]);
  ASSERT_EQ(surefield("convert m.json other.flid").exit_code, 0);
  EXPECT_TRUE(has(surefield("infer other.flid").out, "crème, fraîche"));
  EXPECT_TRUE(has(surefield("convert m.json - --to flid").err, "flid keeps no item names"));
}

TEST(CliBaskets, LabelsOfAnotherModelAreRefused) {
  const Program surefield;
  surefield.write("b.csv", "x,y\ny\nz,x\n");
  ASSERT_EQ(surefield("fit b.csv --model modular -o m.flid").exit_code, 0);
  surefield.write("m.flid", "3 0 0 0\n1 2 3\n");
  const Outcome stale = surefield("infer m.flid");
  EXPECT_EQ(stale.exit_code, 2);
  EXPECT_TRUE(has(stale.err, "m.flid.items.csv:1: these are the labels of another model"))
      << stale.err;
  surefield.write("m.flid.items.csv", "index,item\n0,a\n1,\"b, c\"\n2,d\n");
  EXPECT_TRUE(has(surefield("infer m.flid").out, "b, c")) << "by hand";
  surefield.write("m.flid.items.csv", "0,a\n1,b\n");
  EXPECT_TRUE(has(surefield("infer m.flid").err, "it names 2 items, the model has 3"));
  surefield.write("m.flid.items.csv", "0,a\n2,b\n");
  EXPECT_TRUE(
      has(surefield("infer m.flid").err, "m.flid.items.csv:2: found '2,b', expected 1,LABEL"));
  surefield.write("m.flid.items.csv", "0,a\n1,a\n2,c\n");
  EXPECT_TRUE(
      has(surefield("infer m.flid").err, "m.flid.items.csv:2: the label 'a' is there twice"));
}

TEST(CliBaskets, WhatSampleWritesFitAndEvaluateRead) {
  const Program surefield;
  surefield.write("m.json",
                  R"({"surefield": "1", "kind": "flid", "items": ["order", "#1", "a, b", "2"],
      "utility": [-1, -1, 0, -2], "weights": [[1], [1], [0.5], [0]]})");
  surefield.write("none.json", R"({"surefield": "1", "kind": "flid", "utility": [-1, -1, 0, -2],
      "weights": [[1], [1], [0.5], [0]]})");
  for (const std::string model : {"m.json", "none.json"})
    for (const std::string count : {"1", "2", "3", "5", "400"}) {
      SCOPED_TRACE(model + " " + count);
      const std::string sets = surefield("sample " + model + " -q --seed 4 -k " + count).out;
      surefield.write("s.csv", sets);
      long empty = 0;
      for (std::size_t at = 0; (at = sets.find("\n\"\"\n", at)) != std::string::npos; ++at) ++empty;
      const Outcome judged =
          surefield.with_input("evaluate " + model + " - --format json", "s.csv");
      ASSERT_EQ(judged.exit_code, 0) << judged.err;
      const Json json = Json::parse(judged.out);
      EXPECT_EQ(json["sets"], std::stoi(count));
      EXPECT_EQ(json["empty_sets"], empty);
      const Outcome again = surefield.with_input("fit - --model modular", "s.csv");
      if (sets.find_first_not_of("\"\n", sets.find('\n')) == std::string::npos) continue;
      ASSERT_EQ(again.exit_code, 0) << again.err << sets;
      EXPECT_EQ(has(again.err, "empty sets: " + std::to_string(empty)), empty > 0) << again.err;
      EXPECT_TRUE(again.err.starts_with("-: " + count + " set")) << again.err;
    }
}

TEST(CliBaskets, NumbersThatAreNoLabelsCountFromWhereTheyTell) {
  const Program surefield;
  surefield.write("named.json", R"({"surefield": "1", "kind": "flid", "items": ["a", "b", "c"],
      "utility": [1, 0, -2], "weights": [[0], [0], [0]]})");
  surefield.write("none.json", R"({"surefield": "1", "kind": "flid",
      "utility": [1, 0, -2], "weights": [[0], [0], [0]]})");
  surefield.write("from0.csv", "0\n0,1\n");
  surefield.write("from1.csv", "1\n1,3\n");
  surefield.write("either.csv", "1\n1,2\n");
  const auto likelihood = [&](const std::string& arguments) {
    const Outcome done = surefield("evaluate " + arguments + " --format json");
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out)["log_likelihood_all_sets"]["lower"].get<double>();
  };
  const double log_z = std::log1p(std::exp(1)) + std::log(2) + std::log1p(std::exp(-2));
  for (const std::string model : {"named.json ", "none.json "}) {
    EXPECT_NEAR(likelihood(model + "from0.csv"), (1 + 1) / 2.0 - log_z, 1e-9);
    EXPECT_NEAR(likelihood(model + "from1.csv"), (1 - 1) / 2.0 - log_z, 1e-9);
    EXPECT_NEAR(likelihood(model + "either.csv --first-id 0"), (0 - 2) / 2.0 - log_z, 1e-9);
    EXPECT_NEAR(likelihood(model + "either.csv --first-id 1"), (1 + 1) / 2.0 - log_z, 1e-9);
    EXPECT_TRUE(has(surefield("evaluate " + model + "from1.csv").err,
                    "; its items are ids from 1, as 3 is there"));
  }
  EXPECT_NEAR(likelihood("none.json either.csv"), (0 - 2) / 2.0 - log_z, 1e-9)
      << "a model without labels calls its items 0 to n - 1";
  const Outcome unclear = surefield("evaluate named.json either.csv");
  EXPECT_EQ(unclear.exit_code, 2);
  EXPECT_TRUE(has(unclear.err, "type --first-id 0, --first-id 1 or --names FILE")) << unclear.err;
  EXPECT_EQ(surefield("evaluate named.json from0.csv --first-id 1").exit_code, 2);
}

TEST(CliBaskets, WhatCannotBeWrittenIsRefusedBeforeTheWork) {
  const Program surefield;
  surefield.write("b.csv", "x,y\ny\nz,x\n");
  surefield.write(
      "m.json", R"({"surefield": "1", "kind": "flid", "utility": [1, 2], "weights": [[1], [1]]})");
  std::filesystem::create_directory(surefield.path("folder.json"));
  std::filesystem::create_symlink("b.csv", surefield.path("link.json"));
  const std::string hours = "fit b.csv --epochs 20000 --aside 0 ";
  const auto refused = [&](const std::string& arguments, const std::string& why) {
    const Outcome done = surefield(arguments);
    EXPECT_EQ(done.exit_code, 2) << arguments;
    EXPECT_TRUE(has(done.err, why)) << arguments << "\n" << done.err;
  };
  refused(hours + "-o nowhere/m.json",
          "nowhere/m.json: cannot be written: there is no folder nowhere");
  refused(hours + "-o folder.json", "folder.json: cannot be written: it is a folder, not a file");
  refused(hours + "-o link.json", "link.json: it is read by this command (b.csv)");
  refused(hours + "-o b.csv --to json", "b.csv: it is read by this command (b.csv)");
  refused(hours + "--folds 2 -o 'nowhere/{fold}.json'", "there is no folder nowhere");
  refused("fit b.csv --model dpp --epochs 1000 -o m.flid",
          "a log-det model cannot be written as flid");
  refused("select b.csv --folds 2 --model nowhere/m.json", "there is no folder nowhere");
  refused("select b.csv --folds 2 --model a.json -o a.json", "a.json is also the file of -o");
  refused("evaluate m.json b.csv -o m.json", "m.json: it is read by this command");
  refused("sample m.json -o ./m.json", "./m.json: it is read by this command (m.json)");
  refused("recommend m.json -o nowhere/a", "there is no folder nowhere");
  refused("infer m.json -o m.json", "m.json: it is read by this command");
  if (::geteuid() != 0) {
    std::filesystem::create_directory(surefield.path("closed"));
    std::filesystem::permissions(surefield.path("closed"), std::filesystem::perms::owner_read);
    refused(hours + "-o closed/m.json", "cannot be written");
  }
  EXPECT_TRUE(surefield.read("b.csv") == "x,y\ny\nz,x\n");
}

TEST(CliBaskets, StdinAndStdoutAreADash) {
  const Program surefield;
  surefield.write("b.csv", "x,y\ny\nz,x\n");
  const Outcome piped = surefield.with_input("fit - --model modular -o - -q", "b.csv");
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  EXPECT_EQ(Json::parse(piped.out)["items"], Json({"x", "y", "z"}));
  EXPECT_EQ(piped.out, surefield("fit b.csv --model modular -q").out);
  EXPECT_FALSE(std::filesystem::exists(surefield.path("-")));
}

TEST(CliBaskets, IdsThatAreNeverSeenAreItemsIfAsked) {
  const Program surefield;
  surefield.write("b.csv", "1,5\n2\n5\n");
  const auto items = [&](const std::string& typed) {
    const Outcome done = surefield("fit b.csv --model modular -q " + typed);
    EXPECT_EQ(done.exit_code, 0) << done.err;
    return Json::parse(done.out)["items"];
  };
  EXPECT_EQ(items(""), Json({"1", "2", "5"}));
  EXPECT_EQ(items("--items ids"), Json({"1", "2", "3", "4", "5"}));
  EXPECT_EQ(items("--first-id 0"), Json({"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(items("--count 6"), Json({"1", "2", "3", "4", "5", "6"}));
  surefield.write("zero.csv", "1,0\n2\n5\n");
  EXPECT_EQ(
      surefield("fit zero.csv --items ids").err,
      "surefield: zero.csv:1: found '0', expected an item id, a whole number from 1 (--first-id "
      "0 counts from 0)\n");
}

TEST(CliBaskets, TheGroceriesInAnyForm) {
  SUREFIELD_NEEDS_DATA("baskets/groceries.csv");
  const Program surefield;
  const std::string file = testing::shared_data("baskets/groceries.csv").string();
  const Outcome done = surefield("fit '" + file + "' --model modular -o g.flid");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  EXPECT_TRUE(has(done.err, "9835 sets of 169 items, one set a line, separated by commas"))
      << done.err;
  // The same as a long table, made here.
  std::ifstream lines(file);
  std::string line, table = "order;item\n";
  for (int order = 1; std::getline(lines, line); ++order)
    table += std::to_string(order) + ";" +
             testing::replaced(line, ",", "\n" + std::to_string(order) + ";") + "\n";
  surefield.write("long.csv", table);
  const Outcome same = surefield("fit long.csv --model modular -o h.flid");
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(surefield.read("h.flid"), surefield.read("g.flid"));
}

}  // namespace
}  // namespace surefield
