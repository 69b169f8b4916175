// What every answer leaves short of what was asked for, one reason at a time.
#include "surefield/report/endings.hpp"

#include <gtest/gtest.h>

#include <array>

#include "surefield/models/families.hpp"

namespace surefield {
namespace {

void expect_reason(const Ending& ending, const std::string& reason) {
  const std::vector<std::string> reasons = shortfalls(ending);
  ASSERT_EQ(reasons.size(), 1U) << reason;
  EXPECT_EQ(reasons[0], reason);
}
void expect_none(const Ending& ending) { EXPECT_TRUE(shortfalls(ending).empty()); }

const std::string kWide = "the interval is 0.5 wide, wider than the 0.25 asked for";

TEST(Endings, OfInference) {
  Result result;
  result.status = Status::kConverged;
  result.elbo = -4;
  result.upper_bound = -2;
  InferWork work;
  expect_none(ending_of(result, work, false));
  expect_reason(ending_of(result, work, true), "interrupted");
  work.how.certify = 1;
  work.how.wanted_gap = 0.5;  // of |elbo|
  expect_none(ending_of(result, work, false));
  work.how.wanted_gap = 0.25;
  expect_reason(ending_of(result, work, false),
                "the relative gap is 0.5, more than the 0.25 asked for");
  result.status = Status::kFailed;
  expect_reason(ending_of(result, work, false), "failed");
  result.status = Status::kEpochLimit;
  work.how.certify.reset();
  expect_reason(ending_of(result, work, false), "epoch-limit");
  work.how.epochs_given = true;
  expect_none(ending_of(result, work, false));
}

TEST(Endings, OfLogZ) {
  LogZResult result;
  result.lower = 1;
  result.upper = 1.5;
  LogZWork work;
  work.how.width = 0.5;
  expect_none(ending_of(result, work, false));
  expect_reason(ending_of(result, work, true), "interrupted");
  work.how.width = 0.25;
  expect_reason(ending_of(result, work, false), kWide);
  result.exact = true;
  expect_none(ending_of(result, work, false));
  work.how.marginals = true;
  expect_reason(ending_of(result, work, false), "no method gives marginals of this model");
  result.marginals_method = "some";
  expect_none(ending_of(result, work, false));
  result.failure = "why";
  expect_reason(ending_of(result, work, false), "failed");
}

TEST(Endings, OfSetsDrawnAndOfTheBest) {
  SampleWork sample;
  sample.how.count = 2;
  SampleResult drawn;
  drawn.sets.resize(2);
  expect_none(ending_of(drawn, sample, false));
  expect_reason(ending_of(drawn, sample, true), "interrupted");
  drawn.sets.resize(1);
  expect_reason(ending_of(drawn, sample, false), "1 of the 2 sets are drawn");
  BestSetResult best;
  best.status = Status::kDone;
  best.lower = 4;
  best.upper = 6;
  BestSetWork work;
  work.how.wanted_gap = 0.5;
  expect_none(ending_of(best, work, false));
  expect_reason(ending_of(best, work, true), "interrupted");
  work.how.wanted_gap = 0.25;
  expect_reason(ending_of(best, work, false),
                "the relative gap is 0.5, more than the 0.25 asked for");
  best.status = Status::kFailed;
  expect_reason(ending_of(best, work, false), "failed");
}

TEST(Endings, OfAgreementTheWidestIntervalAndTheLastPair) {
  AgreeWork work;
  work.how.width = 0.25;
  AgreeResult two;
  two.result.status = Status::kEpochLimit;  // is no question
  two.bounds.pa_lower = -1;
  two.bounds.pa_upper = -0.75;
  expect_none(ending_of(two, work, false));
  expect_reason(ending_of(two, work, true), "interrupted");
  two.bounds.pa_upper = -0.5;
  expect_reason(ending_of(two, work, false), kWide);
  AgreePairs narrow;
  narrow.rows = {{0, 1, {}, 0}};
  narrow.rows[0].bounds.pa_lower = -1;
  narrow.rows[0].bounds.pa_upper = -0.9375;
  AgreePairs wide = narrow, cut = narrow;
  wide.rows[0].bounds.pa_upper = -0.5;
  cut.complete = false;
  expect_none(ending_of(std::array{narrow, narrow}, work, false));
  expect_reason(ending_of(std::array{wide, narrow}, work, false), kWide);
  expect_reason(ending_of(std::array{narrow, wide}, work, false), kWide);
  expect_reason(ending_of(std::array{narrow, cut}, work, false), "interrupted");
  expect_reason(ending_of(std::array{narrow}, work, true), "interrupted");
}

TEST(Endings, OfSuggestionsSelectionsAndFamilies) {
  RecommendResult recommended;
  expect_none(ending_of(recommended, false));
  expect_reason(ending_of(recommended, true), "interrupted");
  recommended.result.status = Status::kInterrupted;
  expect_reason(ending_of(recommended, false), "interrupted");
  for (const bool dimensions : {false, true})
    for (const bool families : {false, true}) {
      ModelSelection selected;
      if (dimensions) selected.dimensions = SelectResult{};
      if (families) selected.families = FamilyChoice{};
      expect_none(ending_of(selected, false));
      expect_reason(ending_of(selected, true), "interrupted");
      if (dimensions) {
        selected.dimensions->complete = false;
        expect_reason(ending_of(selected, false), "interrupted");
        selected.dimensions->complete = true;
      }
      if (families) {
        selected.families->complete = false;
        expect_reason(ending_of(selected, false), "interrupted");
      }
    }
}

TEST(Endings, OfAnEvaluation) {
  Evaluation found;
  found.log_z_lower = 1;
  found.log_z_upper = 1.5;
  EvaluateWork work;
  work.how.width = 0.5;
  expect_none(ending_of(found, work, false));
  expect_reason(ending_of(found, work, true), "interrupted");
  work.how.width = 0.25;
  expect_reason(ending_of(found, work, false), kWide);
  found.log_z_exact = true;
  expect_none(ending_of(found, work, false));
  found.hidden.by_gain.complete = false;
  expect_reason(ending_of(found, work, false), "interrupted");
}

TEST(Endings, OfTrainingWithFoldsAndWithout) {
  const auto of = [](const char* model, double width) {
    FitEntry entry;
    entry.fit.model = make_flid({0}, {}, 0);
    entry.fit.model_name = model;
    entry.fit.status = Status::kConverged;
    entry.held_out.emplace();
    entry.held_out->upper = width;
    return std::vector<FitEntry>{entry};
  };
  FitWork work;
  work.width = 0.25;
  expect_none(ending_of(of("flid", 0.5), work, 1, true, false));
  expect_reason(ending_of(of("flid", 0.5), work, 1, true, true), "interrupted");
  work.folds = 2;
  expect_reason(ending_of(of("flid", 0.5), work, 1, false, false), kWide);
  expect_none(ending_of(of("flid", 0.125), work, 1, true, false));
  auto folds = of("flid", 0.5);
  folds.push_back(of("flid", 0.125)[0]);
  expect_reason(ending_of(folds, work, 2, true, false), kWide);  // the widest counts
  std::swap(folds[0], folds[1]);
  expect_reason(ending_of(folds, work, 2, true, false), kWide);
  for (const char* both_signs : {"pairwise", "fldc"}) {
    expect_none(ending_of(of(both_signs, 0.5), work, 1, false, false));
    expect_reason(ending_of(of(both_signs, 0.5), work, 1, true, false), kWide);
  }
  expect_reason(ending_of(of("flid", 0.125), work, 3, true, false), "folds not learned: 2");
  auto entries = of("flid", 0.125);
  entries[0].fit.status = Status::kInterrupted;
  expect_reason(ending_of(entries, work, 1, true, false), "interrupted");
  entries[0].fit.status = Status::kFailed;
  expect_reason(ending_of(entries, work, 1, true, false), "failed");
  entries = of("flid", 0.125);
  entries[0].held_out.reset();
  expect_reason(ending_of(entries, work, 1, true, false),
                "the interval is wider than asked for: it has not both ends");
}

}  // namespace
}  // namespace surefield
