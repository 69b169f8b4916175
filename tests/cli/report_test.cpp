#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "surefield/core/error.hpp"
#include "surefield/report/page.hpp"
#include "tests/cli/program.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::has;
using testing::Outcome;
using testing::Program;
using Json = nlohmann::json;

/// The data block of the page that begins with this tag.
std::string block_of(const std::string& page, const std::string& tag) {
  const std::size_t begin = page.find(tag) + tag.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(ReportPage, HoldsTheResultWithTheSameNumbers) {
  const Program surefield;
  ASSERT_EQ(surefield("generate flid --items 6 -q -o model.json").exit_code, 0);
  ASSERT_EQ(surefield("infer model.json --format json -q -o infer.json").exit_code, 0);
  const Outcome made = surefield("report infer.json --title 'A </title> of mine'");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, "");
  EXPECT_EQ(made.err, "wrote report.html\n");
  const std::string page = surefield.read("report.html");
  EXPECT_EQ(Json::parse(block_of(page, "<script type=\"application/json\" class=\"result\">")),
            Json::parse(surefield.read("infer.json")));
  const Json about =
      Json::parse(block_of(page, "<script type=\"application/json\" id=\"report\">"));
  EXPECT_EQ(about["title"], "A </title> of mine");
  EXPECT_EQ(about["files"], Json({"infer.json"}));
  EXPECT_FALSE(has(page, "A </title>"));
}

TEST(ReportPage, NamesTheFileItRefuses) {
  const Program surefield;
  surefield.write("text.json", "not at all");
  surefield.write("cut.json", "{\"surefield\": \"1\", \"comm");
  surefield.write("empty.json", "");
  surefield.write("other.json", "{\"a\": 1}");
  surefield.write("list.json", "[1, 2]");
  surefield.write("newer.json", "{\"surefield\": \"2\", \"command\": \"infer\"}");
  surefield.write("deep.json", std::string(100000, '['));
  const auto refused = [&](const std::string& file, const std::string& why) {
    const Outcome outcome = surefield("report " + file);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.err, "surefield: " + file + ": " + why + "\n");
    EXPECT_EQ(surefield.read("report.html"), "") << "nothing is written";
  };
  const std::string not_a_result =
      "is JSON but not a result of surefield, which has \"surefield\": \"1\" and a \"command\"; "
      "results are written by --format json";
  refused("text.json", "is not JSON: it goes wrong at byte 2 of 10");
  refused("cut.json", "is not JSON: it ends too early, after 24 bytes");
  refused("empty.json", "is not JSON: it is empty");
  refused("other.json", not_a_result);
  refused("list.json", not_a_result);
  refused("newer.json", "is a result of version 2, and this program reads version 1");
  refused("deep.json", "nests deeper than 64 levels, which no result of surefield does");
  refused("none.json", "cannot be read: No such file or directory");
  EXPECT_EQ(surefield("report").exit_code, 2);
}

TEST(ReportPage, OneDamagedFileLeavesTheOthersOnThePage) {
  const Program surefield;
  surefield.write("good.json", "\xEF\xBB\xBF{\"surefield\": \"1\", \"command\": \"dance\"}");
  surefield.write("bad.json", "{");
  const Outcome outcome = surefield("report good.json bad.json -o page.html");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_TRUE(has(outcome.err, "surefield: bad.json: is not JSON"));
  EXPECT_TRUE(has(outcome.err, "1 of 2 files are not on the page"));
  EXPECT_TRUE(has(surefield.read("page.html"),
                  "class=\"result\">{\"surefield\":\"1\",\"command\":\"dance\"}</script>"));
  EXPECT_EQ(surefield("report good.json -q -o no/such/folder/page.html").exit_code, 2);
}

TEST(ReportPage, NothingInAStringEndsItsDataBlock) {
  const std::string text =
      R"({"surefield": "1", "command": "a \" b \\", "x": "</script> <!-- \u003c"})";
  const std::string block = page_json("x.json", text);
  EXPECT_EQ(block,
            R"({"surefield":"1","command":"a \" b \\","x":"\u003c/script> \u003c!-- \u003c"})");
  EXPECT_EQ(Json::parse(block), Json::parse(text));
  EXPECT_EQ(testing::refusal([] { report_page("<html>", {}, "t"); }),
            "report: the template of the page has no <!--surefield:results-->");
}

TEST(ReportPage, ResultsSayWhatWasTypedForThem) {
  const Program surefield;
  ASSERT_EQ(surefield("generate flid --items 5 -q -o 'a model.json'").exit_code, 0);
  const auto arguments = [&](const std::string& line) {
    return Json::parse(surefield(line).out)["arguments"];
  };
  EXPECT_EQ(arguments("infer 'a model.json' --seed 7 --threads 2 -q --format json"),
            Json({"infer", "a model.json", "--seed", "7", "--format", "json"}));
  EXPECT_EQ(surefield("logz 'a model.json' --format=json -ologz.json --threads=2 -q").exit_code, 0);
  EXPECT_EQ(Json::parse(surefield.read("logz.json"))["arguments"],
            Json({"logz", "a model.json", "--format=json"}));
  EXPECT_FALSE(has(surefield("infer 'a model.json'").out, "arguments"));
}

}  // namespace
}  // namespace surefield
