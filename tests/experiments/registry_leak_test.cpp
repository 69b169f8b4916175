// The study of registries against its parts put together by hand, bit for bit, on registries where
// a held-out one that leaks shows (tests/support/split_vocabulary.hpp).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "surefield/api/fit.hpp"
#include "surefield/experiments/registries.hpp"
#include "surefield/io/sets_file.hpp"
#include "surefield/learn/item_prediction.hpp"
#include "surefield/learn/modular.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "tests/support/split_vocabulary.hpp"

namespace surefield {
namespace {

class RegistryLeak : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "surefield-registry-leak-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::ofstream(folder_ / "1_toys_regs.csv") << sets_text(data_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  AnyModel learn(const RegistryFold& row, const SetCollection& training) const {
    if (row.learner == "modular-non-empty") return fit_modular_given_non_empty(training);
    if (row.learner == "modular") return fit_modular(training);
    FitOptions how;
    how.model = row.learner;
    how.seed = kSeed;
    how.nce.dimensions = row.dimensions;
    return fit(training, how).model;
  }

  MakeItemScores scores(const RegistryFold& row, const SetCollection& training,
                        AnyModel& model) const {
    if (row.learner == "popularity") return popularity_scores(training);
    model = learn(row, training);
    return gain_scores(model);
  }

  static constexpr std::uint64_t kSeed = 3;
  SetCollection data_ = testing::split_vocabulary(60, 3, kSeed);
  std::filesystem::path folder_;
};

TEST_F(RegistryLeak, NoLearnerSeesWhatItIsJudgedBy) {
  const RegistryStudy study = registry_study(
      {.folder = folder_.string(),
       .folds = 3,
       .learners = {"popularity", "modular", "modular-non-empty", "dpp", "flid", "thin"},
       .dimensions = {1},
       .seed = kSeed,
       .budget = Budget().with_threads(2)});
  ASSERT_EQ(study.rows.size(), 6U * 3);
  for (const RegistryFold& row : study.rows) {
    SCOPED_TRACE(row.learner + ", fold " + std::to_string(row.fold));
    ASSERT_EQ(row.items, data_.items);
    const Fold fold = fold_of(data_, 3, row.fold - 1, kSeed);
    AnyModel model;
    const ItemPrediction honest = predict_items(fold.held_out, scores(row, fold.training, model));
    EXPECT_EQ(row.hit_rate_at_1, honest.hits[0].rate.mean);
    EXPECT_EQ(row.hit_rate_at_5, honest.hits[1].rate.mean);
    EXPECT_EQ(row.reciprocal_rank, honest.reciprocal_rank.mean);
    // The fold's own item comes back last of all if it was never seen: a leak would show.
    AnyModel all;
    const ItemPrediction leaked = predict_items(fold.held_out, scores(row, data_, all));
    EXPECT_GT(leaked.reciprocal_rank.mean, honest.reciprocal_rank.mean + 0.05);
  }
}

}  // namespace
}  // namespace surefield
