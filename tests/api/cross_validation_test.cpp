#include "surefield/api/cross_validation.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "surefield/io/formats.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

SetCollection some_sets() {
  SetCollection data;
  data.items = 3;
  for (std::uint32_t k = 0; k < 12; ++k) data.sets.push_back({k % 3});
  for (std::uint32_t k = 0; k < 4; ++k) data.sets.push_back({0, 1 + k % 2});
  return data;
}

CrossValidationOptions modular(Index folds) {
  CrossValidationOptions options;
  options.fit.model = "modular";
  options.folds = folds;
  options.seed = 5;
  return options;
}

TEST(CrossValidation, EveryFoldIsWhatItWouldBeAlone) {
  const SetCollection data = some_sets();
  CrossValidationOptions options = modular(4);
  options.budget = Budget().with_threads(2);
  std::atomic<int> told = 0;
  options.done = [&](Index, const FoldFit&) { ++told; };
  const auto all = cross_validate(data, options);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(told, 4);
  for (Index k = 0; k < 4; ++k) {
    EXPECT_EQ(all[k].fold, k + 1);
    EXPECT_EQ(all[k].fit.sets, 12U);
    CrossValidationOptions alone = modular(4);
    alone.fold = k + 1;
    const auto one = cross_validate(data, alone);
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].held_out->lower, all[k].held_out->lower);
    // The same by hand: the fold's own parts.
    const Fold parts = fold_of(data, 4, k, 5);
    FitOptions how;
    how.model = "modular";
    const auto by_hand = fold_likelihood(fit(parts.training, how), parts.held_out,
                                         {.goal = LogZGoal::kWidth, .width = 1e-3});
    EXPECT_EQ(by_hand->lower, all[k].held_out->lower);
    EXPECT_EQ(by_hand->sets, all[k].held_out->sets);
  }
}

/// Another process, as far as results can tell: they travel as bytes.
class CrewByBytes final : public Crew {
 public:
  std::size_t size() const override { return 2; }
  bool answers() const override { return true; }
  bool share(const Tasks& tasks) override {
    std::vector<std::string> results;
    for (std::size_t t = 0; t < tasks.count; ++t) results.push_back(tasks.run(t));
    for (std::size_t t = 0; t < tasks.count; ++t) tasks.keep(t, results[t]);
    return true;
  }
  void lead(const Budget&, const std::function<void(Helpers*)>& search, const Answerers&) override {
    search(nullptr);
  }
};

TEST(CrossValidation, FoldsOfOtherProcessesComeBackWhole) {
  CrewByBytes crew;
  for (const char* const model : {"modular", "flid", "pairwise", "thin", "dpp", "auto"}) {
    CrossValidationOptions options = modular(2);
    options.fit.model = model;
    options.fit.nce.epochs = 3;
    options.fit.nce.dimensions = 1;
    const auto one = cross_validate(some_sets(), options);
    options.crew = &crew;
    int told = 0;
    options.done = [&](Index k, const FoldFit& found) {
      EXPECT_EQ(found.fold, k + 1);
      ++told;
    };
    const auto many = cross_validate(some_sets(), options);
    ASSERT_EQ(many.size(), one.size());
    EXPECT_EQ(told, 2);
    for (std::size_t k = 0; k < one.size(); ++k) {
      const auto text = [](const FoldFit& found) {
        return model_text({.model = found.fit.model, .items = {}, .box = unit_box(3)},
                          format_named("json"));
      };
      EXPECT_EQ(text(one[k]), text(many[k])) << model;
      EXPECT_EQ(one[k].held_out->lower, many[k].held_out->lower);
      EXPECT_EQ(one[k].held_out->upper_not_empty, many[k].held_out->upper_not_empty);
      EXPECT_EQ(one[k].hidden->by_gain.reciprocal_rank.mean,
                many[k].hidden->by_gain.reciprocal_rank.mean);
      EXPECT_EQ(one[k].hidden->by_gain.by_set.size(), many[k].hidden->by_gain.by_set.size());
      EXPECT_EQ(one[k].fit.model_name, many[k].fit.model_name);
      EXPECT_EQ(one[k].fit.notes, many[k].fit.notes);
      EXPECT_EQ(one[k].fit.passes, many[k].fit.passes);
      EXPECT_EQ(one[k].fit.trace.size(), many[k].fit.trace.size());
      ASSERT_EQ(one[k].fit.choice.has_value(), many[k].fit.choice.has_value());
      if (one[k].fit.choice) {
        EXPECT_EQ(one[k].fit.choice->verdict, many[k].fit.choice->verdict);
      }
    }
  }
}

TEST(CrossValidation, WithoutFoldsOneModelLearnsFromAllSets) {
  const auto found = cross_validate(some_sets(), modular(0));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].fold);
  EXPECT_FALSE(found[0].held_out);
  EXPECT_EQ(found[0].fit.sets, 16U);
}

TEST(CrossValidation, FoldsNotBegunAreLeftOut) {
  CrossValidationOptions options = modular(4);
  std::atomic<bool> stop = false;
  Index done = 0;
  options.done = [&](Index, const FoldFit&) { stop = ++done == 2; };
  options.budget = Budget().stopped_by(stop);
  EXPECT_EQ(cross_validate(some_sets(), options).size(), 2U);
}

TEST(CrossValidation, ADeadlineEndsTheLearningOfEachModelAndNotItsJudgement) {
  CrossValidationOptions options = modular(2);
  options.fit.model = "flid";
  options.fit.nce.epochs = 3;
  options.fit.nce.dimensions = 1;
  for (const FoldFit& found : cross_validate(some_sets(), options))
    EXPECT_NE(found.fit.status, Status::kInterrupted);
  options.deadline = 0;
  const auto ended = cross_validate(some_sets(), options);
  ASSERT_EQ(ended.size(), 2U);
  for (const FoldFit& found : ended) {
    EXPECT_EQ(found.fit.status, Status::kInterrupted);
    EXPECT_TRUE(found.held_out);
    EXPECT_TRUE(found.hidden->by_gain.complete);
    EXPECT_GT(found.hidden->by_gain.sets, 0U);
  }
}

TEST(CrossValidation, RefusesFoldsThatAreNotThere) {
  CrossValidationOptions options = modular(4);
  options.fold = 5;
  EXPECT_EQ(testing::refusal([&] { cross_validate(some_sets(), options); }),
            "fit: fold is 5, which must be from 1 to 4");
  options.folds = 0;
  EXPECT_EQ(testing::refusal([&] { cross_validate(some_sets(), options); }),
            "fit: fold 5 needs the number of folds");
  EXPECT_EQ(testing::refusal([&] { cross_validate(some_sets(), modular(17)); }).substr(0, 45),
            "folds: the number of folds is 17, more than t");
}

}  // namespace
}  // namespace surefield
