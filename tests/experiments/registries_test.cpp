// Models learned from registries and judged on held-out ones: generated registries stand in for the
// real.
#include "surefield/experiments/registries.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "surefield/api/registries.hpp"
#include "surefield/io/item_names.hpp"
#include "surefield/io/sets_file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surefield {
namespace {

using Json = nlohmann::json;
using testing::refusal;

/// Generated registries, by id, named as the real ones are.
void add_registries(const testing::TemporaryFolder& folder, const std::string& category,
                    Index items, Index sets) {
  auto made = generate_registries(
      {.category = category, .items = items, .sets = sets, .dimensions = 2, .seed = 6});
  ItemNames names;
  names.names = made.data.names;
  names.categories.assign(items, category);
  folder.write("1_2_" + category + "_item_names.txt", item_names_text(names));
  made.data.names.clear();
  folder.write("1_2_" + category + "_regs.csv", sets_text(made.data));
}

TEST(RegistryStudy, RanksLearnersAsTheLawOfTheRegistriesSays) {
  const testing::TemporaryFolder folder("registries-ranks");
  add_registries(folder, "nursery", 8, 600);
  add_registries(folder, "camping", 5, 200);
  folder.write("1_2_broken_regs.csv", "1,x\n");
  const RegistryStudyOptions how{
      .folder = folder.text(),
      .folds = 3,
      .run = 2,
      .learners = {"popularity", "modular", "modular-non-empty", "dpp", "flid", "thin"},
      .dimensions = {2},
      .budget = Budget().with_threads(2)};
  const RegistryStudy study = registry_study(how);
  EXPECT_TRUE(study.complete);
  ASSERT_EQ(study.faults.size(), 1U);
  EXPECT_TRUE(study.faults[0].starts_with("broken: ")) << study.faults[0];
  ASSERT_EQ(study.rows.size(), 2U * 6 * 2);           // categories, learners, folds
  EXPECT_EQ(study.rows.front().category, "camping");  // by the number of items
  EXPECT_EQ(study.rows.back().items, 8U);
  for (const auto& row : study.rows) {
    EXPECT_EQ(row.all_sets.has_value(), row.learner != "popularity");
    if (row.all_sets) {
      EXPECT_LE(row.all_sets->low, row.all_sets->high);
      EXPECT_LE(row.all_sets->low, row.non_empty->low);  // what the empty set had is shared out
      EXPECT_LT(row.non_empty->width(), row.learner == "flid" ? 2.1e-3 : 1e-9) << row.learner;
      EXPECT_LT(row.non_empty->high, 0);
    }
    EXPECT_LE(row.hit_rate_at_1, row.hit_rate_at_5);
    EXPECT_EQ(row.hit_rate_at_10, 1);  // there are no more than 8 items
    EXPECT_GE(row.reciprocal_rank, row.hit_rate_at_1);
  }
  for (const auto& row : summaries(study)) {
    if (row.learner != "flid" || row.category != "nursery") continue;
    EXPECT_EQ(row.folds, 2U);
    EXPECT_GT(row.gain_over_modular.mean, 0.05);  // substitutes, which modular cannot say
    EXPECT_GT(row.gain_over_modular_non_empty.mean, 0.02);
    EXPECT_GT(row.gain_over_modular.mean, row.gain_over_modular_non_empty.mean);
  }

  // The same on one thread, to the last digit, training times aside.
  auto alone = how;
  alone.budget = Budget().with_threads(1);
  RegistryStudy again = registry_study(alone);
  RegistryStudy first = study;
  for (auto* s : {&again, &first})
    for (auto& row : s->rows) row.seconds = 0;
  EXPECT_EQ(registry_study_csv(again), registry_study_csv(first));
}

TEST(RegistryStudy, SaysWhatAutoPickedAndTakesEveryLearner) {
  const testing::TemporaryFolder folder("registries-auto");
  add_registries(folder, "camping", 5, 120);
  const RegistryStudy study =
      registry_study({.folder = folder.text(), .folds = 3, .run = 1, .dimensions = {1}});
  ASSERT_EQ(study.rows.size(), registry_learners().size());
  EXPECT_TRUE(study.faults.empty());
  for (const RegistryFold& row : study.rows) {
    EXPECT_EQ(row.picked.empty(), row.learner != "auto") << row.learner;
    EXPECT_EQ(row.non_empty.has_value(), row.learner != "popularity") << row.learner;
  }
  const std::string picked = study.rows.back().picked;
  EXPECT_NE(registry_study_text(study).find("auto (" + picked + " 1)"), std::string::npos);
  EXPECT_EQ(refusal([&] { registry_study({.folder = folder.text(), .learners = {"magic"}}); }),
            "registries: there is no learner 'magic'");
}

TEST(RegistryStudy, SumsUpFoldsByHand) {
  RegistryStudy study;
  study.folds = 2;
  const auto add = [&](const std::string& learner, Index fold, double low, double high,
                       double hit) {
    RegistryFold row;
    row.category = "toys";
    row.items = 3;
    row.sets = 20;
    row.learner = learner;
    row.fold = fold;
    row.all_sets = Interval{low - 1, high - 1};
    row.non_empty = Interval{low, high};
    row.hit_rate_at_5 = hit;
    study.rows.push_back(row);
  };
  add("modular", 1, -3, -3, 0.2);
  add("modular", 2, -5, -5, 0.4);
  add("flid", 1, -2.5, -2.3, 0.5);  // middle -2.4: 0.6 above modular
  add("flid", 2, -4.1, -3.9, 0.5);  // middle -4.0: 1.0 above
  const auto rows = summaries(study);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[1].non_empty->low, -3.3, 1e-12);
  EXPECT_NEAR(rows[1].all_sets->high, -4.1, 1e-12);
  EXPECT_NEAR(rows[1].gain_over_modular.mean, 0.8, 1e-12);
  EXPECT_NEAR(rows[1].gain_over_modular.standard_error, 0.2, 1e-12);  // half of |1.0 - 0.6|
  EXPECT_NEAR(rows[0].hit_rate_at_5.mean, 0.3, 1e-12);
  EXPECT_EQ(rows[0].gain_over_modular.mean, 0);

  const Json json = Json::parse(registry_study_json(study));
  EXPECT_EQ(json["experiment"], "registries");
  EXPECT_EQ(json["rows"].size(), 2U);
  EXPECT_NEAR(json["rows"][1]["gain_over_modular"]["mean"].get<double>(), 0.8, 1e-12);
  EXPECT_NE(registry_study_text(study).find("0.8000 +- 0.2000"), std::string::npos);

  study.rows[2].non_empty.reset();  // a fold whose log Z was not bounded: no mean is claimed
  EXPECT_FALSE(summaries(study)[1].non_empty);
  EXPECT_TRUE(
      Json::parse(registry_study_json(study))["rows"][1]["log_likelihood_non_empty"].is_null());
}

TEST(RegistryStudy, StopsWhenToldAndSaysWhatItRefuses) {
  const testing::TemporaryFolder folder("registries-refuses");
  EXPECT_EQ(refusal([&] { registry_study({.folder = folder.text()}); }),
            folder.text() + ": it holds no file ..._<category>_regs.csv");
  EXPECT_EQ(refusal([] { registry_study({.folder = "no/such"}); }),
            "no/such: there is no such folder of registries");
  add_registries(folder, "camping", 5, 50);
  EXPECT_EQ(refusal([&] { registry_study({.folder = folder.text(), .categories = {"cars"}}); }),
            folder.text() + ": it holds no registries of the category 'cars'");
  EXPECT_EQ(refusal([&] { registry_study({.folder = folder.text(), .run = 11}); }),
            "registries: 11 folds are to be run, which must be from 1 to 10");
  EXPECT_EQ(refusal([&] { registry_study({.folder = folder.text(), .folds = 1}); }),
            "registries: there are 1 folds, which must be at least 2");
  const RegistryStudy stopped =
      registry_study({.folder = folder.text(), .budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(stopped.complete);
  EXPECT_TRUE(stopped.rows.empty());
  EXPECT_NE(registry_study_text(stopped).find("stopped early"), std::string::npos);
}

}  // namespace
}  // namespace surefield
