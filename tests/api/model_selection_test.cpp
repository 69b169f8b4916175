#include "surefield/api/model_selection.hpp"

#include <nlohmann/json.hpp>

#include "gtest/gtest.h"
#include "surefield/api/fit_auto.hpp"
#include "surefield/api/registries.hpp"
#include "surefield/core/ordered_json.hpp"
#include "surefield/models/families.hpp"
#include "surefield/report/family_report.hpp"
#include "surefield/report/select_report.hpp"
#include "surefield/report/selection_report.hpp"

namespace surefield {
namespace {

using Strings = std::vector<std::string>;

SetCollection small_registries(std::uint64_t seed) {
  return generate_registries({.items = 10, .sets = 300, .dimensions = 2, .seed = seed}).data;
}

SelectWork small_selection() {
  SelectWork work;
  work.how.dimensions = {0, 1, 2};
  work.how.folds = 2;
  work.how.training.epochs = 15;
  work.how.training.starts = 1;
  return work;
}

ModelSelection selection_of(const SetCollection& data, const SelectWork& work, bool both) {
  return select_models(data, work, both, options_of(work, 3, Budget()),
                       family_options_of(work, 3, Budget()));
}

/// What does not depend on the clock.
std::string json_without_seconds(const std::string& text) {
  auto json = OrderedJson::parse(text);
  json.erase("seconds");
  for (auto& row : json["rows"]) row.erase("seconds");
  return json.dump();
}

TEST(ModelSelection, BothUnlessAnOptionAsksForOne) {
  EXPECT_TRUE(asks_for_both(Strings{}));
  EXPECT_TRUE(asks_for_both(Strings{"folds", "seed", "deadline"}));
  for (const char* one : {"dims", "beta", "by", "families"})
    EXPECT_FALSE(asks_for_both(Strings{"folds", one}));
}

TEST(ModelSelection, OneOfTheTwoIsWhatItIsByItself) {
  const SetCollection data = small_registries(1);
  SelectWork work = small_selection();
  const ModelSelection dimensions = selection_of(data, work, false);
  EXPECT_FALSE(dimensions.families);
  const SelectOptions how = options_of(work, 3, Budget());
  EXPECT_EQ(json_without_seconds(selection_json(dimensions)),
            json_without_seconds(select_json(select_model(data, how))));
  EXPECT_EQ(selection_csv(dimensions).substr(0, 9), "dims,beta");
  EXPECT_EQ(dimensions.winner(),
            "D = " + std::to_string(
                         dimensions.dimensions->rows[dimensions.dimensions->winner].dimensions));
  EXPECT_EQ(dimensions.verdict(), dimensions.dimensions->verdict);
  work.families = {"modular", "flid"};
  const ModelSelection families = selection_of(data, work, true);  // named, so they alone
  EXPECT_FALSE(families.dimensions);
  FitOptions learn = family_options_of(work, 3, Budget());
  EXPECT_EQ(json_without_seconds(selection_json(families)),
            json_without_seconds(family_json(choose_family(
                data, {.fit = &learn, .families = work.families, .folds = 2, .seed = 3}))));
  EXPECT_EQ(families.winner(), families.families->winner);
}

TEST(ModelSelection, OfBothTheMostLikelyFlidIsAmongTheFamilies) {
  const SetCollection data = small_registries(2);
  const SelectWork work = small_selection();
  const ModelSelection both = selection_of(data, work, true);
  ASSERT_TRUE(both.dimensions && both.families);
  const auto likely = [&](Index k) { return both.dimensions->rows[k].likelihood->mean.low; };
  const Index d = likely(2) > likely(1) ? 2 : 1;
  Strings models;
  for (const FamilyRow& row : both.families->rows) models.push_back(row.model);
  EXPECT_EQ(models, families_to_compare(10));
  FitOptions learn = family_options_of(work, 3, Budget());
  learn.nce.dimensions = d;
  const FamilyChoice alone = choose_family(
      data, {.fit = &learn, .families = families_to_compare(10), .folds = 2, .seed = 3});
  EXPECT_EQ(both.families->rows[1].hidden.by_gain.reciprocal_rank.mean,
            alone.rows[1].hidden.by_gain.reciprocal_rank.mean);
  EXPECT_EQ(both.winner(), both.families->winner);
  EXPECT_EQ(both.verdict(), both.dimensions->verdict + "; " + both.families->verdict);
  const auto json = nlohmann::json::parse(selection_json(both));
  EXPECT_EQ(json["families"]["winner"], both.families->winner);
  EXPECT_EQ(json["families"]["rows"].size(), models.size());
  EXPECT_FALSE(json["families"].contains("command"));
  EXPECT_EQ(selection_text(both),
            select_text(*both.dimensions) + "\n" + family_text(*both.families));
}

TEST(ModelSelection, ItemsByThemselvesAreComparedOnce) {
  SelectWork work = small_selection();
  work.how.dimensions = {0};
  const ModelSelection both = selection_of(small_registries(3), work, true);
  for (const FamilyRow& row : both.families->rows) EXPECT_NE(row.model, "flid");
}

TEST(ModelSelection, TheOneThatLeadsIsLearnedFromAllSets) {
  const SetCollection data = small_registries(4);
  const SelectWork work = small_selection();
  const FitOptions learn = family_options_of(work, 3, Budget());
  ModelSelection selected = selection_of(data, work, false);
  selected.dimensions->winner = 2;
  FitOptions two = learn;
  two.model = "flid";
  two.nce.dimensions = 2;
  const AnyModel expected = fit(data, two).model;
  EXPECT_EQ(trained_on_all(data, selected, learn).as<Flid>()->weights,
            expected.as<Flid>()->weights);
  selected.dimensions->rows[2].inverse_temperature = 0.5;
  EXPECT_EQ(trained_on_all(data, selected, learn).as<Flid>()->utility[0],
            0.5 * expected.as<Flid>()->utility[0]);
  selected.families = FamilyChoice{};
  selected.families->winner = "modular";
  EXPECT_EQ(trained_on_all(data, selected, learn).as<Flid>()->dimensions, 0u);
  selected.families->winner = "flid";
  selected.dimensions->rows[1].likelihood->mean.low = -1e9;
  EXPECT_EQ(trained_on_all(data, selected, learn).as<Flid>()->weights,
            expected.as<Flid>()->weights);
  selected.dimensions->rows[2].likelihood.reset();
  EXPECT_EQ(trained_on_all(data, selected, learn).as<Flid>()->dimensions, 1u)
      << "what has no likelihood does not lead by it";
}

TEST(ModelSelection, ADeadlineIsForBoth) {
  SelectWork work = small_selection();
  work.how.training.epochs = 100'000'000;
  work.how.training.held_aside = 0;
  work.thorough = true;
  work.how.deadline = 2;
  const ModelSelection both = selection_of(small_registries(5), work, true);
  EXPECT_TRUE(both.families) << "there is time left for them";
}

TEST(ModelSelection, AnInterruptedComparisonHasNoFamilies) {
  const SelectWork work = small_selection();
  const ModelSelection none =
      select_models(small_registries(6), work, true, options_of(work, 3, Budget().within(0)),
                    family_options_of(work, 3, Budget().within(0)));
  EXPECT_FALSE(none.families);
  EXPECT_FALSE(none.complete());
  EXPECT_FALSE(none.has_winner());
}

}  // namespace
}  // namespace surefield
