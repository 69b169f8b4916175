// The text table, the CSV table and the JSON envelope that all reports share.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "surefield/report/csv_table.hpp"
#include "surefield/report/json_envelope.hpp"
#include "surefield/report/text_table.hpp"

namespace surefield {
namespace {

TEST(TextTable, ColumnsNeverTouchAndNumbersStandToTheRight) {
  TextTable table({{"method", TextTable::Side::kLeft}, {"value"}, {"s"}});
  table.add({"a", "1433.0082 +- 65.5353", "1431.3587"});
  table.add({"a much longer name", "7", "2"});
  EXPECT_EQ(table.text(),
            "  method                             value          s\n"
            "  a                   1433.0082 +- 65.5353  1431.3587\n"
            "  a much longer name                     7          2\n");
}

TEST(TextTable, CountsCharactersAndObeysNone) {
  TextTable table({{"", TextTable::Side::kLeft}, {"", TextTable::Side::kLeft}});
  table.add({"\u00e9t\u00e9", "x"});
  table.add({"abcd", "\x1b[2Jy"});
  table.add({"z", ""});
  table.add_line("a\nb", 2);
  EXPECT_EQ(table.text(), "  \u00e9t\u00e9   x\n  abcd  ?[2Jy\n  z\n    a?b\n");
  EXPECT_EQ(two_columns({{"submodular-double-greedy", "double greedy"}}),
            "  submodular-double-greedy  double greedy\n");
  EXPECT_EQ(named_line("elbo", "1"), "elbo          1\n");
  EXPECT_EQ(named_line("a name that is long", "1"), "a name that is long  1\n");
  EXPECT_EQ(TextTable({}).text(), "");
}

TEST(CsvTable, QuotesTextAndKeepsEveryBit) {
  CsvTable csv{"name", "x", "y", "n", "ok"};
  csv.add("a,\"b\"\nc", 0.1, std::optional<double>(), 3U, true);
  csv.add("plain", -1e300, std::optional<double>(2.5), -4, false);
  csv.add("", NAN, INFINITY, std::size_t{0}, true);
  EXPECT_EQ(csv.text(),
            "name,x,y,n,ok\n"
            "\"a,\"\"b\"\"\nc\",0.10000000000000001,,3,true\n"
            "plain,-1.0000000000000001e+300,2.5,-4,false\n"
            ",,,0,true\n");
}

TEST(JsonEnvelope, VersionAndCommandComeFirstAndBytesAreReplaced) {
  const auto json = json_answer("logz", {{"b", 1}, {"a", "\xff"}});
  EXPECT_EQ(json_text(json),
            "{\n  \"surefield\": \"1\",\n  \"command\": \"logz\",\n  \"b\": 1,\n  \"a\": "
            "\"\uFFFD\"\n}\n");
}

}  // namespace
}  // namespace surefield
