// The reports of infer, agree and logz: every number of the struct is different, and every field of
// the text, CSV and JSON is compared with the one it must show. Two fields swapped are noticed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "surefield/core/ordered_json.hpp"
#include "surefield/report/agree_report.hpp"
#include "surefield/report/log_z_report.hpp"
#include "surefield/report/result_csv.hpp"
#include "surefield/report/result_json.hpp"
#include "surefield/report/result_text.hpp"
#include "tests/report/filled_result.hpp"

namespace surefield {
namespace {

using testing::filled_result;

TEST(ResultReport, TextShowsEveryNumberInItsPlace) {
  EXPECT_EQ(result_text(filled_result()),
            "answer        at least 59.9 % of the optimum, certified\n"
            "elbo          3.030000\n"
            "upper bound   5.050000 of the best elbo\n"
            "log Z         2.020000 to 7.070001\n"
            "model         flid, n = 3\n"
            "algorithm     bscb, epoch-limit, 0.125 s\n"
            "guarantee     half\n"
            "note          one\n"
            "note          two\n"
            "\n"
            "  epoch       value   seconds  from the top\n"
            "    0.5  1.10000000  0.010000    1.20000000\n"
            "      2  1.30000000  0.020000\n"
            "\n"
            "  marginal  item\n"
            "  0.750000  a,b\n"
            "  0.500000  swing\n"
            "  0.250000  crib\n");
}

TEST(ResultReport, TextSaysHowManyItemsThereAreWhereverTheirMarginalsAre) {
  Result result = filled_result();
  result.size = 3;
  result.marginals.clear();
  result.marginals_file = "x.npy";
  EXPECT_NE(result_text(result).find(", n = 3\n"), std::string::npos) << result_text(result);
}

TEST(ResultReport, TextRoundsBoundsOutwards) {
  Result result = filled_result();
  result.upper_bound = 5.0500004;
  result.log_z_lower = -2.0200006;
  const std::string text = result_text(result);
  EXPECT_NE(text.find("upper bound   5.050001 of"), std::string::npos) << text;
  EXPECT_NE(text.find("log Z         -2.020001 to 7.070001"), std::string::npos) << text;
  result.upper_bound = 3.0300006;
  EXPECT_NE(result_text(result).find("at least 99.9 %"), std::string::npos);
  result.elbo = -3.25;
  result.upper_bound = -3;
  EXPECT_NE(result_text(result).find("within 0.2501 of the optimum"), std::string::npos)
      << "the difference is 0.25 and whatever the subtraction lost";
  result.log_z_upper.reset();
  EXPECT_NE(result_text(result).find(" to not known\n"), std::string::npos);
}

Result with_set_marginals(const ItemIntervals& of_sets) {
  Result result = filled_result();
  result.set_marginals = of_sets;
  return result;
}

TEST(ResultReport, MarginalsOfTheSetsStandBesideThoseOfMeanField) {
  ItemIntervals of_sets{.in = {{0.125, 0.25}, {0.5, 0.5}, {0.625, 0.7000001}}, .method = "leaves"};
  const Result wide = with_set_marginals(of_sets), none = with_set_marginals({});
  of_sets.exact = true;
  const Result exact = with_set_marginals(of_sets);
  EXPECT_NE(result_text(wide, 1).find(
                "marginals     of the best product distribution, which the certificate is "
                "about; beside them those of p(S) itself, in certified intervals, by leaves\n"),
            std::string::npos);
  EXPECT_NE(result_text(wide, 1).find("\n  marginal  at least   at most  item\n"
                                      "  0.750000  0.625000  0.700001  a,b\n"),
            std::string::npos)
      << result_text(wide, 1);
  EXPECT_NE(result_text(exact, 0).find("  marginal   of p(S)  item\n  0.250000  0.187500  crib"),
            std::string::npos)
      << result_text(exact, 0);
  EXPECT_NE(result_text(none, 1).find("those of p(S) itself are not known\n"), std::string::npos);
  EXPECT_TRUE(result_csv(wide).starts_with(
      "index,item,marginal,at_least,at_most\n0,crib,0.25,0.125,0.25\n"));
  EXPECT_TRUE(
      result_csv(none).starts_with("index,item,marginal,at_least,at_most\n0,crib,0.25,,\n"));
  const OrderedJson json = OrderedJson::parse(result_json(wide))["set_marginals"];
  EXPECT_EQ(json["low"], OrderedJson({0.125, 0.5, 0.625}));
  EXPECT_EQ(json["high"], OrderedJson({0.25, 0.5, 0.7000001}));
  EXPECT_EQ(json["exact"], false);
  EXPECT_EQ(json["method"], "leaves");
  EXPECT_TRUE(OrderedJson::parse(result_json(none))["set_marginals"].is_null());
}

TEST(ResultReport, CsvIsOneLineAnItem) {
  EXPECT_EQ(result_csv(filled_result()),
            "index,item,marginal\n0,crib,0.25\n1,swing,0.5\n2,\"a,b\",0.75\n");
}

TEST(ResultReport, JsonHoldsEveryFieldUnderItsName) {
  EXPECT_EQ(OrderedJson::parse(result_json(filled_result())),
            OrderedJson::parse(R"({"surefield": "1", "command": "infer",
    "model": {"kind": "flid", "n": 3, "items": ["crib", "swing", "a,b"]},
    "objective": "elbo", "inverse_temperature": 1.5, "algorithm": "bscb", "status": "epoch-limit",
    "elbo": 3.03, "elbo_lower": 3.0299, "upper_bound": 5.05, "upper_bound_method": "boxes",
    "certified_global": false, "log_z_lower": 2.02, "log_z_upper": 7.0700005, "log_z_exact": false,
    "log_z_method": "both ways", "basis": "proved", "marginals": [0.25, 0.5, 0.75],
    "trace": [{"epoch": 0.5, "value": 1.1, "seconds": 0.01, "top": 1.2},
              {"epoch": 2.0, "value": 1.3, "seconds": 0.02}],
    "guarantee": "half", "notes": ["one", "two"], "seed": 17, "threads": 4, "seconds": 0.125})"));
}

LogZResult interval(double lower, double upper, bool exact, const std::string& method,
                    double seconds) {
  LogZResult result;
  result.lower = lower;
  result.upper = upper;
  result.exact = exact;
  result.lower_method = result.upper_method = method;
  result.seconds = seconds;
  return result;
}

AgreementBounds agreement_bounds(double lower, double upper, double elbo, double elbo_lower) {
  AgreementBounds bounds;
  bounds.pa_lower = lower;
  bounds.pa_upper = upper;
  bounds.pa_elbo = elbo;
  bounds.pa_elbo_lower = elbo_lower;
  return bounds;
}

AgreeResult filled_agreement() {
  AgreeResult answer;
  answer.result = filled_result();
  answer.result.command = "agree";
  answer.bounds = agreement_bounds(-4.75, -4.5, 2.25, -5.25);
  answer.first = interval(11.25, 11.5, false, "first way", 0.31);
  answer.second = interval(12.25, 12.25, true, "second way", 0.32);
  answer.both = interval(13.25, 13.5, false, "third way", 0.33);
  return answer;
}
const std::vector<std::string> kNames{"one", "two", "three"};

TEST(AgreeReport, TextShowsEveryIntervalInItsPlace) {
  const std::string text = agree_text(filled_agreement(), kNames);
  EXPECT_TRUE(text.starts_with(
      "PA            -4.750000 to -4.500000, certified; log of the mass shared at beta = 1.5\n"
      "mean field    -5.250000, a lower bound of PA\n"
      "log Z'        11.250000 to 11.500000, certified (first way) of one\n"
      "log Z''       12.250000, exact (second way) of two\n"
      "log Z+        13.250000 to 13.500000, certified (third way) of the sum\n"
      "\n"
      "the PA distribution p'(S) p''(S), its elbo the PA-ELBO:\n"
      "answer        at least"))
      << text;
}

TEST(AgreeReport, JsonHoldsEveryIntervalUnderItsName) {
  const OrderedJson json = OrderedJson::parse(agree_json(filled_agreement(), kNames));
  EXPECT_EQ(json["command"], "agree");
  EXPECT_EQ(json["elbo"], 3.03);
  EXPECT_EQ(json["pa_lower"], -4.75);
  EXPECT_EQ(json["pa_upper"], -4.5);
  EXPECT_EQ(json["pa_exact"], false);
  EXPECT_EQ(json["pa_elbo"], 2.25);
  EXPECT_EQ(json["pa_elbo_lower"], -5.25);
  EXPECT_EQ(json["models"], OrderedJson::parse(R"([
    {"name": "one", "log_z": {"lower": 11.25, "upper": 11.5, "exact": false, "method": "first way",
                              "basis": "proved", "seconds": 0.31}},
    {"name": "two", "log_z": {"lower": 12.25, "upper": 12.25, "exact": true,
                              "method": "second way", "basis": "proved", "seconds": 0.32}}])"));
}

AgreePairs filled_pairs() {
  AgreePairs table;
  table.log_z = {interval(1.25, 1.5, false, "x", 0.1), interval(2.25, 2.5, false, "y", 0.2)};
  table.rows = {{0, 1, agreement_bounds(-7.5, -7.25, 3.5, -8.5), 0.75}};
  table.mean_lower = -9.5;
  table.mean_upper = -9.25;
  table.mean_elbo = 4.5;
  table.mean_elbo_lower = -10.5;
  table.inverse_temperature = 0.5;
  table.seconds = 0.875;
  return table;
}

TEST(AgreeReport, PairsAreShownEachNumberUnderItsHead) {
  const std::vector tables{filled_pairs()};
  EXPECT_EQ(agree_pairs_text(tables, kNames),
            "mean PA -9.500000 to -9.250000, certified over 1 pairs at beta = 0.5; widest interval "
            "0.250; 0.875 s\n\n"
            "  first  second   PA lower   PA upper  mean field   PA-ELBO  seconds\n"
            "  one    two     -7.500000  -7.250000   -8.500000  3.500000     0.75\n");
  EXPECT_EQ(agree_pairs_csv(tables, kNames),
            "inverse_temperature,first,second,pa_lower,pa_upper,pa_exact,pa_elbo,pa_elbo_lower,"
            "seconds\n0.5,one,two,-7.5,-7.25,false,3.5,-8.5,0.75\n");
  EXPECT_EQ(OrderedJson::parse(agree_pairs_json(tables, std::vector<std::string>{"one", "two"})),
            OrderedJson::parse(R"({"surefield": "1", "command": "agree", "tables": [
    {"inverse_temperature": 0.5, "mean_pa_lower": -9.5, "mean_pa_upper": -9.25,
     "mean_pa_elbo": 4.5, "mean_pa_elbo_lower": -10.5, "exact": false,
     "models": [{"name": "one", "log_z": {"lower": 1.25, "upper": 1.5, "exact": false,
                                          "method": "x", "basis": "proved", "seconds": 0.1}},
                {"name": "two", "log_z": {"lower": 2.25, "upper": 2.5, "exact": false,
                                          "method": "y", "basis": "proved", "seconds": 0.2}}],
     "pairs": [{"first": 0, "second": 1, "pa_lower": -7.5, "pa_upper": -7.25, "pa_exact": false,
                "pa_elbo": 3.5, "pa_elbo_lower": -8.5, "seconds": 0.75}],
     "seconds": 0.875}]})"));
}

// Of two temperatures the one of the greater lower end leads; that is certain once the other's upper end is below it.
TEST(AgreeReport, TheLargestMeanIsCertifiedWhereIntervalsAreApart) {
  const auto said = [](const Interval& other) {
    std::vector tables{filled_pairs(), filled_pairs()};
    tables[0].mean_lower = other.low, tables[0].mean_upper = other.high;
    tables[1].mean_lower = 1, tables[1].mean_upper = 3;
    tables[1].inverse_temperature = 2;
    const std::string text = agree_pairs_text(tables, kNames);
    return text.substr(text.rfind("\nlargest"));
  };
  EXPECT_EQ(said({0, 0.5}), "\nlargest mean at beta = 2, certified\n");
  EXPECT_EQ(said({0, 2}), "\nlargest mean at beta = 2, but the intervals overlap\n");
}

LogZResult filled_log_z() {
  LogZResult result;
  result.model_kind = "flid";
  result.items = 2;
  result.values = {{"mean field", Side::kLower, 1.00000000049, 0, 0, 0.25},
                   {"hoelder", Side::kUpper, 3.00000000001, 0, 0, 0.5},
                   {"annealing", Side::kEstimate, 2.5, 0.0625, 0, 0.75}};
  result.refused = {{"determinant", "no"}, {"forest", "no"}, {"cut", "other"}};
  result.lower = 1.7963332294;
  result.upper = 1.7963332295;
  result.lower_method = "one way";
  result.upper_method = "another";
  result.value = 1.79633322945;
  result.seconds = 4.5;
  result.names = {"crib", "a,b"};
  result.marginals = {{0.12345678, 0.23456781}, {0.5, 0.75}};
  result.marginals_method = "boxes";
  result.marginals_wanted = true;
  return result;
}

TEST(LogZReport, TextShowsEveryNumberInItsPlaceAndBoundsRoundedOutwards) {
  EXPECT_EQ(log_z_text(filled_log_z()),
            "log Z from 1.796333229 to 1.796333230, certified\n"
            "flid, n = 2, natural logarithm, 4.5 s\n\n"
            "  method      side            value     +-   seconds\n"
            "  mean field  lower     1.000000000         0.250000\n"
            "  hoelder     upper     3.000000001         0.500000\n"
            "  annealing   estimate  2.500000000  0.062  0.750000\n"
            "  determinant  does not apply: no\n"
            "  forest       does not apply: for the same reason\n"
            "  cut          does not apply: other\n"
            "\nmarginals P(item in S), certified intervals by boxes\n\n"
            "   at least    at most  item\n"
            "  0.5000000  0.7500000  a,b\n"
            "  0.1234567  0.2345679  crib\n");
  LogZResult wide = filled_log_z();
  wide.marginals = {{0.125, 0.875}, {0.25, 0.5}};  // shown by their middle
  EXPECT_TRUE(
      log_z_text(wide, 1).ends_with("   at least    at most  item\n"
                                    "  0.1250000  0.8750000  crib\n"
                                    "  ... and 1 more (--top 0 shows all)\n"))
      << log_z_text(wide, 1);
  LogZResult exact = filled_log_z();
  exact.exact = exact.marginals_exact = true;
  const std::string text = log_z_text(exact, 1);
  EXPECT_TRUE(text.starts_with("log Z = 1.796333229, exact\n"));
  EXPECT_TRUE(
      text.ends_with("exact by boxes\n\n   marginal  item\n  0.5000000  a,b\n  ... and 1 more "
                     "(--top 0 shows all)\n"))
      << text;
}

TEST(LogZReport, CsvAndJsonHoldEveryField) {
  LogZResult result = filled_log_z();
  EXPECT_EQ(log_z_csv(result),
            "index,item,lower,upper\n0,crib,0.12345678,0.23456780999999999\n1,\"a,b\",0.5,0.75\n");
  EXPECT_EQ(OrderedJson::parse(log_z_json(result)),
            OrderedJson::parse(R"({"surefield": "1", "command": "logz",
    "model": {"kind": "flid", "n": 2, "items": ["crib", "a,b"]},
    "log_z_lower": 1.7963332294, "log_z_upper": 1.7963332295, "log_z_exact": false,
    "log_z_method": "one way, another", "basis": "proved", "failure": null,
    "methods": [{"method": "mean field", "side": "lower", "value": 1.00000000049, "seconds": 0.25},
                {"method": "hoelder", "side": "upper", "value": 3.00000000001, "seconds": 0.5},
                {"method": "annealing", "side": "estimate", "value": 2.5, "seconds": 0.75,
                 "standard_error": 0.0625, "outside": false}],
    "refused": [{"method": "determinant", "reason": "no"}, {"method": "forest", "reason": "no"},
                {"method": "cut", "reason": "other"}],
    "seconds": 4.5, "marginals_lower": [0.12345678, 0.5], "marginals_upper": [0.23456781, 0.75],
    "marginals_exact": false, "marginals_method": "boxes"})"));
  result.marginals_wanted = false;
  EXPECT_EQ(log_z_csv(result),
            "method,side,value,standard_error,seconds\n"
            "mean field,lower,1.00000000049,0,0.25\n"
            "hoelder,upper,3.00000000001,0,0.5\n"
            "annealing,estimate,2.5,0.0625,0.75\n");
}

TEST(LogZReport, MarksAnEstimateOutsideWhatIsProvedAndSaysWhatIsAssumedAndWhatFailed) {
  LogZResult result = filled_log_z();
  result.values[2].outside = true;
  EXPECT_NE(log_z_text(result).find("annealing (outside what is proved)"), std::string::npos);
  EXPECT_EQ(OrderedJson::parse(log_z_json(result))["methods"][2]["outside"], true);
  result.basis = Basis::kAssumesSubmodular;
  EXPECT_NE(log_z_text(result).find(", if F is submodular, which is assumed\n"), std::string::npos);
  result.failure = "contradiction: a and b";
  EXPECT_TRUE(log_z_text(result).starts_with("log Z: contradiction: a and b\n"));
  EXPECT_EQ(OrderedJson::parse(log_z_json(result))["failure"], "contradiction: a and b");
}

}  // namespace
}  // namespace surefield
