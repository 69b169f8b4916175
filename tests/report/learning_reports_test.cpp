// The reports of evaluate, fit, select, families, recommend and sample: every number of the struct is
// different, and every field of the text, CSV and JSON is compared with the one it must show.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

#include "surefield/core/ordered_json.hpp"
#include "surefield/core/sets_text.hpp"
#include "surefield/report/evaluation_report.hpp"
#include "surefield/report/family_report.hpp"
#include "surefield/report/fit_report.hpp"
#include "surefield/report/recommend_report.hpp"
#include "surefield/report/sample_report.hpp"
#include "surefield/report/select_report.hpp"
#include "tests/report/filled_result.hpp"

namespace surefield {
namespace {

ItemPrediction filled_prediction(double shift) {
  ItemPrediction found;
  found.sets = 30;
  found.hidden_items = 70;
  found.hits = {{1, {30, 0.125 + shift, 0.0625}}, {5, {30, 0.25 + shift, 0.03125}}};
  found.reciprocal_rank = {30, 0.375 + shift, 0.015625};
  found.rank = {30, 1433.0082 + shift, 65.5353};
  found.ndcg = {30, 0.4375 + shift, 0.0078125};
  found.coverage = 0.625;
  return found;
}

Evaluation filled_evaluation() {
  Evaluation e;
  e.model_kind = "flid";
  e.names = {"crib", "swing"};
  e.items = 2;
  e.sets = 40;
  e.empty_sets = 3;
  e.mean_size = 2.75;
  e.log_z_lower = 6.25;
  e.log_z_upper = 6.5;
  e.over_all_sets = {Support::kAllSets, {40, 1.25, 0.0375}, {6.25, 6.5}, 0};
  e.over_non_empty_sets = {Support::kNonEmptySets, {37, 1.5, 0.0475}, {6, 6.125}, 3};
  e.hidden.by_gain = filled_prediction(0);
  e.hidden.by_popularity = filled_prediction(0.0001);
  e.calibrated_for = Support::kNonEmptySets;
  Calibration found;
  found.sets = 37;
  found.bins = {{2, {0.1, 0.2}, 0.15, 0.16, 0.01}};
  found.items = {{0.11, 0.12, 1.5}, {0.21, 0.22, -2.5}};
  found.expected_error = 0.021;
  found.worst_bin_error = 0.022;
  found.mean_square_z = 1.75;
  found.impossible = 4;
  e.calibration = found;
  e.marginals_by = "boxes";
  e.marginals_error = 0.00121;
  e.seconds = 0.875;
  return e;
}

TEST(EvaluationReport, TextShowsEveryNumberInItsPlace) {
  EXPECT_EQ(
      evaluation_text(filled_evaluation()),
      "40 sets of 2 items, 2.75 items a set, 3 empty; flid, 0.875 s\n"
      "\nmean log-likelihood a set, certified (natural logarithm)\n"
      "  over all sets        -5.250000  to  -5.000000  +- 0.0375 over sets\n"
      "  over non-empty sets  -4.625000  to  -4.500000  +- 0.0475 over sets  3 empty sets "
      "left out\n"
      "\nhidden items: 70 of 30 sets of two items or more, a sample of all (--seconds judges as "
      "many as it can)\n"
      "                                         by gain         by popularity\n"
      "  hit rate at 1                 0.1250 +- 0.0625      0.1251 +- 0.0625\n"
      "  hit rate at 5                 0.2500 +- 0.0312      0.2501 +- 0.0312\n"
      "  mean reciprocal rank          0.3750 +- 0.0156      0.3751 +- 0.0156\n"
      "  ndcg                          0.4375 +- 0.0078      0.4376 +- 0.0078\n"
      "  mean rank                 1433.0082 +- 65.5353  1433.0083 +- 65.5353\n"
      "  items among the first 10                62.5 %                62.5 %\n"
      "\ncalibration of the marginals over non-empty sets, by boxes (wrong by at most 0.0013)\n"
      "  expected calibration error 0.02100, worst bin 0.02200, mean square z 1.75, 4 items "
      "that cannot be so\n"
      "  items         marginals  predicted  observed       +-\n"
      "      2  0.1000 to 0.2000    0.15000   0.16000  0.01000\n"
      "  furthest off:\n"
      "       z  predicted  observed  item\n"
      "    -2.5     0.2100    0.2200  swing\n"
      "     1.5     0.1100    0.1200  crib\n");
}

TEST(EvaluationReport, SaysThatItWasStoppedEarlyWhicheverPartWas) {
  const std::string early = "stopped early: what follows is of the sets that were judged by then\n";
  EXPECT_EQ(evaluation_text(filled_evaluation()).find(early), std::string::npos);
  const std::vector<std::function<void(Evaluation&)>> stops{
      [](Evaluation& e) { e.over_all_sets->complete = false; },
      [](Evaluation& e) { e.over_non_empty_sets->complete = false; },
      [](Evaluation& e) { e.hidden.by_gain.complete = false; },
      [](Evaluation& e) { e.hidden.by_popularity->complete = false; },
      [](Evaluation& e) { e.calibration->complete = false; }};
  for (const auto& stop : stops) {
    Evaluation e = filled_evaluation();
    stop(e);
    EXPECT_NE(evaluation_text(e).find(early), std::string::npos);
    EXPECT_EQ(OrderedJson::parse(evaluation_json(e))["complete"], false);
  }
}

TEST(EvaluationReport, CsvHoldsEveryMeasure) {
  EXPECT_EQ(evaluation_csv(filled_evaluation()),
            "measure,scorer,lower,upper,standard_error,count\n"
            "log_likelihood_all_sets,model,-5.25,-5,0.037499999999999999,40\n"
            "log_likelihood_non_empty_sets,model,-4.625,-4.5,0.047500000000000001,37\n"
            "hit_rate_at_1,gain,0.125,0.125,0.0625,30\n"
            "hit_rate_at_5,gain,0.25,0.25,0.03125,30\n"
            "mean_reciprocal_rank,gain,0.375,0.375,0.015625,30\n"
            "mean_rank,gain,1433.0082,1433.0082,65.535300000000007,30\n"
            "ndcg,gain,0.4375,0.4375,0.0078125,30\n"
            "coverage,gain,0.625,0.625,,30\n"
            "hit_rate_at_1,popularity,0.12509999999999999,0.12509999999999999,0.0625,30\n"
            "hit_rate_at_5,popularity,0.25009999999999999,0.25009999999999999,0.03125,30\n"
            "mean_reciprocal_rank,popularity,0.37509999999999999,0.37509999999999999,0.015625,30\n"
            "mean_rank,popularity,1433.0083,1433.0083,65.535300000000007,30\n"
            "ndcg,popularity,0.43759999999999999,0.43759999999999999,0.0078125,30\n"
            "coverage,popularity,0.625,0.625,,30\n"
            "expected_calibration_error,model,0.021000000000000001,0.021000000000000001,,37\n"
            "worst_bin_error,model,0.021999999999999999,0.021999999999999999,,37\n"
            "mean_square_z,model,1.75,1.75,,37\n");
}

TEST(EvaluationReport, JsonHoldsEveryFieldUnderItsName) {
  EXPECT_EQ(OrderedJson::parse(evaluation_json(filled_evaluation())),
            OrderedJson::parse(R"({"surefield": "1", "command": "evaluate",
    "model": {"kind": "flid", "n": 2, "items": ["crib", "swing"]}, "complete": true, "sets": 40, "empty_sets": 3,
    "mean_size": 2.75, "log_z_lower": 6.25, "log_z_upper": 6.5, "log_z_exact": false,
    "log_likelihood_all_sets": {"lower": -5.25, "upper": -5.0, "standard_error": 0.0375,
                                "sets": 40},
    "log_likelihood_non_empty_sets": {"lower": -4.625, "upper": -4.5, "standard_error": 0.0475,
                                      "sets": 37},
    "prediction_by_gain": {"sets": 30, "hidden_items": 70,
      "hit_rates": [{"at": 1, "rate": {"mean": 0.125, "standard_error": 0.0625}},
                    {"at": 5, "rate": {"mean": 0.25, "standard_error": 0.03125}}],
      "mean_reciprocal_rank": {"mean": 0.375, "standard_error": 0.015625},
      "mean_rank": {"mean": 1433.0082, "standard_error": 65.5353},
      "ndcg": {"mean": 0.4375, "standard_error": 0.0078125}, "coverage": 0.625},
    "prediction_by_popularity": {"sets": 30, "hidden_items": 70,
      "hit_rates": [{"at": 1, "rate": {"mean": 0.1251, "standard_error": 0.0625}},
                    {"at": 5, "rate": {"mean": 0.2501, "standard_error": 0.03125}}],
      "mean_reciprocal_rank": {"mean": 0.3751, "standard_error": 0.015625},
      "mean_rank": {"mean": 1433.0083, "standard_error": 65.5353},
      "ndcg": {"mean": 0.4376, "standard_error": 0.0078125}, "coverage": 0.625},
    "prediction_by_co_occurrence": null, "gain_less_popularity": null,
    "gain_less_co_occurrence": null,
    "calibration": {"sets": 37, "expected_calibration_error": 0.021, "worst_bin_error": 0.022,
      "mean_square_z": 1.75, "impossible_items": 4,
      "bins": [{"items": 2, "low": 0.1, "high": 0.2, "predicted": 0.15, "observed": 0.16,
                "standard_error": 0.01}],
      "items": [{"predicted": 0.11, "observed": 0.12, "z": 1.5},
                {"predicted": 0.21, "observed": 0.22, "z": -2.5}],
      "support": "non-empty sets", "marginals_by": "boxes", "marginals_error": 0.00121},
    "seconds": 0.875})"));
}

TEST(EvaluationReport, EveryScorerAndDifferenceIsUnderItsOwnName) {
  Evaluation e = filled_evaluation();
  e.hidden.by_co_occurrence = filled_prediction(0.25);
  e.hidden.over_popularity = filled_prediction(0.5);
  e.hidden.over_co_occurrence = filled_prediction(0.75);
  const OrderedJson json = OrderedJson::parse(evaluation_json(e));
  const std::string csv = evaluation_csv(e);
  const auto check = [&](const char* field, const char* scorer, double shift) {
    EXPECT_EQ(json[field]["mean_reciprocal_rank"]["mean"], 0.375 + shift) << field;
    const std::string row =
        fmt::format("\nmean_reciprocal_rank,{},{:.17g},", scorer, 0.375 + shift);
    EXPECT_NE(csv.find(row), std::string::npos) << row << csv;
  };
  check("prediction_by_gain", "gain", 0);
  check("prediction_by_popularity", "popularity", 0.0001);
  check("prediction_by_co_occurrence", "co-occurrence", 0.25);
  check("gain_less_popularity", "gain - popularity", 0.5);
  check("gain_less_co_occurrence", "gain - co-occurrence", 0.75);
}

FitEntry filled_fit() {
  FitEntry entry;
  entry.path = "m,1.json";
  entry.fold = 2;
  entry.fit.model = make_flid({0.5, 0.25}, {}, 0);
  entry.fit.model_name = "flid";
  entry.fit.method = "nce";
  entry.fit.status = Status::kConverged;
  entry.fit.log_z_estimate = 1.25;
  entry.fit.trace = {{3, -1.5, -1.75, 0.5}};
  entry.fit.passes = 7;
  entry.fit.best_epoch = 5;
  entry.fit.sets = 60;
  entry.fit.empty_sets = 4;
  entry.fit.seconds = 0.375;
  FoldLikelihood held;
  held.sets = 20;
  held.lower = -8.00001;
  held.upper = -7.50001;
  held.lower_not_empty = -6.5;
  held.upper_not_empty = -6.25;
  entry.held_out = held;
  entry.fit.penalty = 30;
  entry.fit.pairs = 77;
  entry.fit.trials = {{100, -2}, {30, -1}};
  entry.fit.notes = {"so it seems"};
  ItemJudgement hidden;
  hidden.by_gain = filled_prediction(0);
  hidden.by_popularity = filled_prediction(0.0001);
  hidden.over_popularity = filled_prediction(-0.5);
  entry.hidden = hidden;
  return entry;
}

TEST(FitReport, EveryFormatShowsEveryNumberInItsPlace) {
  const FitEntry entry = filled_fit();
  EXPECT_EQ(
      fit_text(entry),
      "fold 2: flid, items: 2, learned by nce from sets: 60; converged, best of 7 epochs is "
      "5, log Z estimated at 1.2500, couplings: 77, penalty 30, the best of 2 by folds, 0.38 s\n"
      "note: so it seems\n"
      "4 empty sets are left out of training; they set the chance of the empty set\n"
      "held-out log-likelihood of 20 sets, a set: -8.0001 to -7.5000; among sets that are "
      "not empty: -6.5000 to -6.2500\n"
      "hidden items of 30 sets: mean reciprocal rank 0.3750, hit rate 0.2500 at 5, nan at 10; "
      "by popularity 0.3751, 0.2501, nan\n"
      "warning: hidden items are ranked no better than by popularity: mean reciprocal rank "
      "0.3750 against 0.3751, -0.1250 +- 0.0156\n");
  EXPECT_EQ(fit_csv(std::vector{entry}),
            "path,fold,model,method,sets,status,passes,log_z_estimate,held_out_sets,"
            "log_likelihood_lower,log_likelihood_upper,not_empty_lower,not_empty_upper,seconds,"
            "penalty,mean_reciprocal_rank,hit_rate_at_5,hit_rate_at_10,"
            "popularity_mean_reciprocal_rank\n"
            "\"m,1.json\",2,flid,nce,60,converged,7,1.25,20,-8.0000099999999996,"
            "-7.5000099999999996,-6.5,-6.25,0.375,30,0.375,0.25,,0.37509999999999999\n");
  SetStatistics statistics;
  statistics.sets = 80;
  statistics.items = 2;
  statistics.mean_size = 1.625;
  statistics.median_size = 1.5;
  statistics.largest_size = 6;
  statistics.empty_sets = 9;
  statistics.distinct_sets = 11;
  statistics.never_seen = 1;
  EXPECT_EQ(OrderedJson::parse(fit_json(std::vector{entry}, statistics, 13)),
            OrderedJson::parse(R"({"surefield": "1", "command": "fit",
    "data": {"sets": 80, "items": 2, "distinct_sets": 11, "empty_sets": 9, "never_seen": 1,
             "mean_size": 1.625, "median_size": 1.5, "largest_size": 6}, "seed": 13,
    "models": [{"path": "m,1.json", "fold": 2, "kind": "flid", "model": "flid", "method": "nce",
      "sets": 60, "status": "converged", "passes": 7, "best_epoch": 5, "log_z_estimate": 1.25,
      "penalty": 30.0, "held_out": {"sets": 20, "log_likelihood_lower": -8.00001, "log_likelihood_upper": -7.50001,
                   "not_empty_lower": -6.5, "not_empty_upper": -6.25},
      "hidden_items": {"sets": 30,
        "model": {"mean_reciprocal_rank": 0.375, "hit_rate_at_5": 0.25, "hit_rate_at_10": null,
                  "ndcg": 0.4375, "coverage": 0.625},
        "popularity": {"mean_reciprocal_rank": 0.3751, "hit_rate_at_5": 0.2501,
                       "hit_rate_at_10": null, "ndcg": 0.4376, "coverage": 0.625},
        "over_popularity": {"mean_reciprocal_rank": -0.125, "standard_error": 0.015625}},
      "verdict": null, "notes": ["so it seems"],
      "seconds": 0.375, "trace": [{"epoch": 3, "training": -1.5, "watched": -1.75}]}]})"));
  FitEntry plain = entry;
  plain.held_out.reset();
  plain.fold.reset();
  plain.fit.log_z_estimate.reset();
  plain.fit.penalty.reset();
  plain.hidden.reset();
  EXPECT_TRUE(fit_csv(std::vector{plain}).ends_with("7,,,,,,,0.375,,,,,\n"));
}

TEST(FamilyReport, EveryFormatShowsEveryNumberInItsPlace) {
  FamilyRow row;
  row.model = "flid";
  row.hidden.by_gain = filled_prediction(0);
  row.hidden.by_gain.hits.push_back({10, {30, 0.875, 0.25}});
  row.hidden.by_popularity = filled_prediction(0.125);
  row.hidden.by_co_occurrence = filled_prediction(0.25);
  row.hidden.over_popularity = filled_prediction(-0.5);
  row.behind = {30, 0.75, 0.1875};
  row.likelihood = {-3.5, -3.25};
  row.over_items = {0.5, 0.75001};
  row.over_items_error = 0.09375;
  row.seconds = 1.5;
  FamilyChoice choice;
  choice.rows = {row};
  choice.leader = "flid";
  choice.winner = "modular";
  choice.verdict = "so it is";
  choice.unpaid = {{"dpp", "it is dear"}};
  choice.unfinished = {"thin"};
  choice.sets = 40;
  choice.items = 2;
  choice.folds = 3;
  EXPECT_EQ(family_csv(choice),
            "model,mean_reciprocal_rank,hit_rate_at_5,hit_rate_at_10,ndcg,coverage,over_popularity,"
            "standard_error,log_likelihood_lower,log_likelihood_upper,over_items_lower,"
            "over_items_upper,seconds\n"
            "flid,0.375,0.25,0.875,0.4375,0.625,-0.125,0.015625,-3.5,-3.25,0.5,"
            "0.75000999999999995,1.5\n");
  EXPECT_EQ(OrderedJson::parse(family_json(choice)),
            OrderedJson::parse(R"({"surefield": "1", "command": "select",
    "data": {"sets": 40, "items": 2, "folds": 3}, "by": "hidden items", "verdict": "so it is",
    "notes": ["dpp was not compared: it is dear", "thin was not compared: time ran out"],
    "complete": true, "leader": "flid", "winner": "modular",
    "rows": [{"model": "flid", "mean_reciprocal_rank": 0.375, "standard_error": 0.015625,
      "hit_rate_at_5": 0.25, "hit_rate_at_10": 0.875, "ndcg": 0.4375, "coverage": 0.625,
      "over_popularity": -0.125, "over_popularity_standard_error": 0.015625,
      "behind": 0.75, "behind_standard_error": 0.1875,
      "log_likelihood_lower": -3.5, "log_likelihood_upper": -3.25,
      "over_items_lower": 0.5, "over_items_upper": 0.75001, "over_items_standard_error": 0.09375,
      "seconds": 1.5}],
    "baselines": [{"model": "popularity", "mean_reciprocal_rank": 0.5, "standard_error": 0.015625,
        "hit_rate_at_5": 0.375, "hit_rate_at_10": null, "ndcg": 0.5625, "coverage": 0.625},
      {"model": "co-occurrence", "mean_reciprocal_rank": 0.625, "standard_error": 0.015625,
        "hit_rate_at_5": 0.5, "hit_rate_at_10": null, "ndcg": 0.6875, "coverage": 0.625}]})"));
  const std::string text = family_text(choice);
  for (const char* part : {"so it is\n40 sets of 2 items, 3 folds\n", "0.3750", "0.2500", "0.8750",
                           "0.4375", "62.5 %", "-0.1250 +- 0.0156", "-3.500 to -3.250",
                           "0.500 to 0.751", "1.50\n", "\nnote: dpp was not compared: it is dear\n",
                           "\nnote: thin was not compared: time ran out\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
}

SelectResult filled_selection() {
  SelectResult result;
  result.rows = {{2, 0.5, Summary{{-9.00001, -8.75}, 0.125}, Summary{{-7.5, -7.25}, 0.0625}, 1.5},
                 {3, 0.75, Summary{{-6.5, -6.25}, {}}, Summary{{-5.5, -5.25001}, {}}, 2.5}};
  result.by_agreement = Choice{1, {0}};
  result.by_likelihood = Choice{0, {1}};
  result.left = {0, 1};
  result.winner = 1;
  result.verdict = "so it is";
  result.notes = {"less was done"};
  result.sets = 90;
  result.items = 12;
  result.folds = 4;
  result.seconds = 7.5;
  return result;
}

TEST(SelectReport, EveryFormatShowsEveryNumberInItsPlace) {
  const SelectResult result = filled_selection();
  EXPECT_TRUE(select_text(result).starts_with(
      "so it is\n90 sets of 12 items, 4 folds, 7.5 s\n\n"
      "      D  beta  agreement from       to      +-  likelihood from       to      +-  seconds\n"
      "   l  2   0.5         -9.0001  -8.7500  0.1250          -7.5000  -7.2500  0.0625     1.50\n"
      "  a   3  0.75         -6.5000  -6.2500       -          -5.5000  -5.2500       -     "
      "2.50\n"
      "\nnote: less was done\n"))
      << select_text(result);
  EXPECT_EQ(select_csv(result),
            "dims,beta,pa_lower,pa_upper,pa_standard_error,log_likelihood_lower,"
            "log_likelihood_upper,log_likelihood_standard_error,seconds\n"
            "2,0.5,-9.0000099999999996,-8.75,0.125,-7.5,-7.25,0.0625,1.5\n"
            "3,0.75,-6.5,-6.25,,-5.5,-5.2500099999999996,,2.5\n");
  EXPECT_EQ(OrderedJson::parse(select_json(result)),
            OrderedJson::parse(R"({"surefield": "1", "command": "select",
    "data": {"sets": 90, "items": 12, "folds": 4}, "by": "both", "verdict": "so it is",
    "notes": ["less was done"], "complete": true, "decided": false, "winner": null,
    "rows": [{"dims": 2, "beta": 0.5, "pa_lower": -9.00001, "pa_upper": -8.75,
              "pa_standard_error": 0.125, "log_likelihood_lower": -7.5,
              "log_likelihood_upper": -7.25, "log_likelihood_standard_error": 0.0625,
              "seconds": 1.5},
             {"dims": 3, "beta": 0.75, "pa_lower": -6.5, "pa_upper": -6.25,
              "pa_standard_error": null, "log_likelihood_lower": -5.5,
              "log_likelihood_upper": -5.25001, "log_likelihood_standard_error": null,
              "seconds": 2.5}],
    "seconds": 7.5, "left": [{"dims": 2, "beta": 0.5}, {"dims": 3, "beta": 0.75}],
    "plainest": {"dims": 3, "beta": 0.75},
    "by_agreement": {"best": {"dims": 3, "beta": 0.75},
                     "not_told_apart": [{"dims": 2, "beta": 0.5}]},
    "by_likelihood": {"best": {"dims": 2, "beta": 0.5},
                      "not_told_apart": [{"dims": 3, "beta": 0.75}]}})"));
}

RecommendResult filled_recommendation() {
  RecommendResult answer;
  answer.result = testing::filled_result();
  answer.result.upper_bound = 5.0500001;
  answer.method = "mean field";
  answer.have = {0};
  answer.out = {2};
  answer.suggestions = {
      {1, 0.625, 1.125, {{0, 0.875, 0.0625}}, {{2, 0.1875, 0.3125}}, {{0, -0.375}}}};
  answer.left = 4;
  answer.completion.steps = {{1, 2.125}};
  answer.completion.start_value = 9.5;
  answer.completion.end_value = 11.625;
  return answer;
}

TEST(RecommendReport, EveryFormatShowsEveryNumberInItsPlace) {
  const RecommendResult answer = filled_recommendation();
  EXPECT_EQ(recommend_text(answer),
            "have          crib\n"
            "out           a,b\n"
            "marginals     mean field, elbo 3.030000; no other is better than 5.050001, certified\n"
            "model         flid, n = 3, 0.125 s\n"
            "guarantee     half\n"
            "note          one\n"
            "note          two\n"
            "\n"
            "  rank  marginal      gain  item\n"
            "     1  0.625000  1.125000  swing\n"
            "        because of    crib  -0.375000 of its gain\n"
            "        replaces      crib  0.875000 -> 0.062500\n"
            "        complements   a,b  0.187500 -> 0.312500\n"
            "  ... and 3 more (-k)\n"
            "\ngreedy completion of the basket, F from 9.500000 to 11.625000\n"
            "  +2.125000  swing\n");
  EXPECT_EQ(recommend_csv(answer),
            "rank,index,item,marginal,gain,exact,replaces,complements,because\n"
            "1,1,swing,0.625,1.125,false,crib -0.812500,\"a,b +0.125000\",crib -0.375000\n");
  EXPECT_EQ(OrderedJson::parse(recommend_json(answer)),
            OrderedJson::parse(R"({"surefield": "1", "command": "recommend",
    "model": {"kind": "flid", "n": 3, "items": ["crib", "swing", "a,b"]},
    "inverse_temperature": 1.5, "have": [0], "out": [2], "exact": false, "method": "mean field",
    "status": "epoch-limit", "elbo": 3.03, "upper_bound": 5.0500001, "certified_global": false,
    "log_z_lower": 2.02, "log_z_upper": 7.0700005, "log_z_exact": false,
    "suggestions": [{"item": 1, "name": "swing", "marginal": 0.625, "gain": 1.125,
      "replaces": [{"item": 0, "name": "crib", "before": 0.875, "after": 0.0625}],
      "complements": [{"item": 2, "name": "a,b", "before": 0.1875, "after": 0.3125}],
      "because": [{"item": 0, "name": "crib", "effect": -0.375}]}],
    "left": 4, "completion": [{"item": 1, "name": "swing", "gain": 2.125}],
    "completion_from": 9.5, "completion_to": 11.625, "marginals": [0.25, 0.5, 0.75],
    "guarantee": "half", "notes": ["one", "two"], "seed": 17, "threads": 4, "seconds": 0.125})"));
}

TEST(SampleReport, LinesAndJsonHoldTheSets) {
  const Problem problem =
      make_problem(make_flid({1, 2, 3}, {}, 0), {"crib", "a,b", "swing"}, unit_box(3), {});
  SampleResult result;
  result.method = "perfect";
  result.exact = true;
  result.acceptance = 0.375;
  result.sets = {{0, 1}, {}, {2}};
  EXPECT_EQ(sample_lines(result, problem),
            std::string(kSetsDeclaration) + "\ncrib,\"a,b\"\n\"\"\nswing\n");
  EXPECT_EQ(OrderedJson::parse(sample_json(result, problem, 21)),
            OrderedJson::parse(R"({"surefield": "1", "command": "sample",
    "model": {"kind": "flid", "n": 3, "items": ["crib", "a,b", "swing"]}, "method": "perfect",
    "exact": true, "acceptance": 0.375, "seed": 21, "sets": [[0, 1], [], [2]]})"));
}

}  // namespace
}  // namespace surefield
