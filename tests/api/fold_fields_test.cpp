// What travels between processes comes back whole: every field of a fold, none left out.
#include "surefield/api/fold_fields.hpp"

#include <gtest/gtest.h>

#include "surefield/models/flid/flid.hpp"

namespace surefield {
namespace {

ItemPrediction some_prediction(double at) {
  const MeanEstimate mean{.count = 4, .mean = at, .standard_error = at / 10};
  return {.sets = 4,
          .sets_left_out = 5,
          .hidden_items = 6,
          .hits = {{7, mean}},
          .reciprocal_rank = {8, at + 1, 0.1},
          .rank = {9, at + 2, 0.2},
          .ndcg = {10, at + 3, 0.3},
          .coverage = 0.4,
          .by_set = {{.set = 11, .rank = 12, .reciprocal_rank = 13, .ndcg = 14, .hits = {15}}},
          .complete = false};
}

FoldFit some_fold() {
  FamilyChoice choice;
  choice.rows = {{.model = "thin",
                  .hidden = {},
                  .behind = {.count = 3, .mean = 0.1, .standard_error = 0.2},
                  .likelihood = {-4, -3},
                  .over_items = {0.25, 0.5},
                  .over_items_error = 0.125,
                  .seconds = 7,
                  .penalty = 30}};
  choice.rows[0].hidden.by_gain = some_prediction(0.5);
  choice.leader = "pairwise";
  choice.winner = "thin";
  choice.verdict = "because";
  choice.sets = 20;
  choice.items = 21;
  choice.folds = 22;
  choice.judged = 23;
  choice.unfinished = {"dpp"};
  choice.unpaid = {{"fldc", "too much"}};
  choice.complete = false;

  FoldFit fold;
  fold.fold = 2;
  fold.fit.model = make_flid({0.1, -0.2, 1.0 / 3}, {0.5, 0.25, 0.125}, 1);
  fold.fit.items = {"bread", "butter", "jam"};
  fold.fit.model_name = "flid";
  fold.fit.method = "nce";
  fold.fit.status = Status::kEpochLimit;
  fold.fit.log_z_estimate = 1.5;
  fold.fit.trace = {{.epoch = 1, .training = -3, .watched = -4, .constant = -5}};
  fold.fit.passes = 31;
  fold.fit.best_epoch = 32;
  fold.fit.penalty = 33;
  fold.fit.trials = {{.penalty = 34, .held_out = 35}};
  fold.fit.pairs = 36;
  fold.fit.notes = {"one", "two"};
  fold.fit.choice = choice;
  fold.fit.sets = 37;
  fold.fit.empty_sets = 38;
  fold.fit.operations = 39;
  fold.fit.seconds = 40;
  fold.held_out = FoldLikelihood{
      .sets = 41, .lower = 42, .upper = 43, .lower_not_empty = 44, .upper_not_empty = 45};
  fold.hidden = ItemJudgement{.by_gain = some_prediction(0.1),
                              .by_popularity = some_prediction(0.2),
                              .by_co_occurrence = some_prediction(0.3),
                              .over_popularity = some_prediction(0.4),
                              .over_co_occurrence = {}};
  return fold;
}

void expect_back(const MeanEstimate& one, const MeanEstimate& other) {
  EXPECT_EQ(one.count, other.count);
  EXPECT_EQ(one.mean, other.mean);
  EXPECT_EQ(one.standard_error, other.standard_error);
}

void expect_back(const ItemPrediction& one, const ItemPrediction& other) {
  EXPECT_EQ(one.sets, other.sets);
  EXPECT_EQ(one.sets_left_out, other.sets_left_out);
  EXPECT_EQ(one.hidden_items, other.hidden_items);
  ASSERT_EQ(one.hits.size(), 1U);
  EXPECT_EQ(one.hits[0].at, other.hits[0].at);
  expect_back(one.hits[0].rate, other.hits[0].rate);
  expect_back(one.reciprocal_rank, other.reciprocal_rank);
  expect_back(one.rank, other.rank);
  expect_back(one.ndcg, other.ndcg);
  EXPECT_EQ(one.coverage, other.coverage);
  ASSERT_EQ(one.by_set.size(), 1U);
  EXPECT_EQ(one.by_set[0].set, other.by_set[0].set);
  EXPECT_EQ(one.by_set[0].rank, other.by_set[0].rank);
  EXPECT_EQ(one.by_set[0].reciprocal_rank, other.by_set[0].reciprocal_rank);
  EXPECT_EQ(one.by_set[0].ndcg, other.by_set[0].ndcg);
  EXPECT_EQ(one.by_set[0].hits, other.by_set[0].hits);
  EXPECT_EQ(one.complete, other.complete);
}

TEST(FoldFields, AFoldComesBackWhole) {
  const FoldFit fold = some_fold();
  const FoldFit back = received(unpacked<SentFold>(packed(sent(fold))));
  EXPECT_EQ(back.fold, fold.fold);
  const FitResult &one = back.fit, &other = fold.fit;
  EXPECT_EQ(one.model.as<Flid>()->utility, other.model.as<Flid>()->utility);
  EXPECT_EQ(one.items, other.items);
  EXPECT_EQ(one.model_name, other.model_name);
  EXPECT_EQ(one.method, other.method);
  EXPECT_EQ(one.status, other.status);
  EXPECT_EQ(one.log_z_estimate, other.log_z_estimate);
  ASSERT_EQ(one.trace.size(), 1U);
  EXPECT_EQ(one.trace[0].epoch, other.trace[0].epoch);
  EXPECT_EQ(one.trace[0].training, other.trace[0].training);
  EXPECT_EQ(one.trace[0].watched, other.trace[0].watched);
  EXPECT_EQ(one.trace[0].constant, other.trace[0].constant);
  EXPECT_EQ(one.passes, other.passes);
  EXPECT_EQ(one.best_epoch, other.best_epoch);
  EXPECT_EQ(one.penalty, other.penalty);
  ASSERT_EQ(one.trials.size(), 1U);
  EXPECT_EQ(one.trials[0].penalty, other.trials[0].penalty);
  EXPECT_EQ(one.trials[0].held_out, other.trials[0].held_out);
  EXPECT_EQ(one.pairs, other.pairs);
  EXPECT_EQ(one.notes, other.notes);
  EXPECT_EQ(one.sets, other.sets);
  EXPECT_EQ(one.empty_sets, other.empty_sets);
  EXPECT_EQ(one.operations, other.operations);
  EXPECT_EQ(one.seconds, other.seconds);
}

TEST(FoldFields, SoDoWhatWasComparedAndWhatWasJudged) {
  const FoldFit fold = some_fold();
  const FoldFit back = received(unpacked<SentFold>(packed(sent(fold))));
  ASSERT_TRUE(back.fit.choice && back.held_out && back.hidden);
  const FamilyChoice &one = *back.fit.choice, &other = *fold.fit.choice;
  ASSERT_EQ(one.rows.size(), 1U);
  EXPECT_EQ(one.rows[0].model, "thin");
  expect_back(one.rows[0].hidden.by_gain, other.rows[0].hidden.by_gain);
  expect_back(one.rows[0].behind, other.rows[0].behind);
  EXPECT_EQ(one.rows[0].likelihood, other.rows[0].likelihood);
  EXPECT_EQ(one.rows[0].over_items, other.rows[0].over_items);
  EXPECT_EQ(one.rows[0].over_items_error, other.rows[0].over_items_error);
  EXPECT_EQ(one.rows[0].seconds, other.rows[0].seconds);
  EXPECT_EQ(one.rows[0].penalty, other.rows[0].penalty);
  EXPECT_EQ(one.leader, other.leader);
  EXPECT_EQ(one.winner, other.winner);
  EXPECT_EQ(one.verdict, other.verdict);
  EXPECT_EQ(one.sets, other.sets);
  EXPECT_EQ(one.items, other.items);
  EXPECT_EQ(one.folds, other.folds);
  EXPECT_EQ(one.judged, other.judged);
  EXPECT_EQ(one.unfinished, other.unfinished);
  EXPECT_EQ(one.unpaid, other.unpaid);
  EXPECT_EQ(one.complete, other.complete);
  EXPECT_EQ(back.held_out->sets, 41U);
  EXPECT_EQ(back.held_out->lower, 42);
  EXPECT_EQ(back.held_out->upper, 43);
  EXPECT_EQ(back.held_out->lower_not_empty, 44);
  EXPECT_EQ(back.held_out->upper_not_empty, 45);
  expect_back(back.hidden->by_gain, fold.hidden->by_gain);
  expect_back(*back.hidden->by_popularity, *fold.hidden->by_popularity);
  expect_back(*back.hidden->by_co_occurrence, *fold.hidden->by_co_occurrence);
  expect_back(*back.hidden->over_popularity, *fold.hidden->over_popularity);
  EXPECT_FALSE(back.hidden->over_co_occurrence);
}

}  // namespace
}  // namespace surefield
