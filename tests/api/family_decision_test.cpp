#include "surefield/api/family_decision.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/learn/item_baselines.hpp"

namespace surefield {
namespace {

/// A family judged on forty sets: by how much it ranks and likes them better than popularity and items by themselves
/// do. Ranks differ by 0.01 from one set to the next, likelihoods by 0.1, each family in its own way.
JudgedFamily judged_as(const std::string& model, double ranks, double over, double half) {
  JudgedFamily family;
  family.row.model = model;
  ItemPrediction by_gain, over_popularity;
  std::vector<double> gains;
  for (Index k = 0; k < 40; ++k) {
    const double gain = ranks + ((k + model.size()) % 2 == 0 ? 0.005 : -0.005);
    gains.push_back(gain);
    by_gain.by_set.push_back({.set = k, .reciprocal_rank = 0.2 + gain, .hits = {}});
    family.over.push_back(over + ((k / 2 + model.size()) % 2 == 0 ? 0.05 : -0.05));
  }
  by_gain.sets = 40;
  over_popularity.reciprocal_rank = surefield::mean_of(gains);
  by_gain.reciprocal_rank = over_popularity.reciprocal_rank;
  by_gain.reciprocal_rank.mean += 0.2;
  family.row.hidden.by_gain = by_gain;
  family.row.hidden.over_popularity = over_popularity;
  family.half = half;
  family.row.over_items = {over - half, std::isfinite(half) ? over + half : over};
  family.row.over_items_error = surefield::mean_of(family.over).standard_error;
  return family;
}

std::string winner_of(std::vector<JudgedFamily> families) { return decide_family(families).winner; }

TEST(FamilyDecision, WhatIsNearlyAsGoodAndCertifiedWins) {
  // The standard error of a difference of ranks is at most 0.01 / sqrt(39) = 0.0016, so 0.008 is told apart.
  EXPECT_EQ(winner_of({judged_as("thin", 0.092, 0.7, 0), judged_as("pairwise", 0.1, -12, 13)}),
            "thin");
  EXPECT_EQ(winner_of({judged_as("thin", 0.092, 0.7, 0), judged_as("pairwise", 0.1, 0, kInfinity)}),
            "thin");
  // Less than nine tenths of the gain: hidden items come first, if the leader is known to be worth it.
  EXPECT_EQ(winner_of({judged_as("thin", 0.088, 0.7, 0), judged_as("pairwise", 0.1, 0.3, 0.1)}),
            "pairwise");
  EXPECT_EQ(winner_of({judged_as("thin", 0.088, 0.7, 0), judged_as("pairwise", 0.1, -12, 13)}),
            "thin");
  EXPECT_EQ(winner_of({judged_as("thin", 0.078, 0.7, 0), judged_as("pairwise", 0.1, -12, 13)}),
            "pairwise");
  // Behind, plainer, and not more likely: nothing is to be had for it.
  EXPECT_EQ(winner_of({judged_as("thin", 0.092, 0.7, 0), judged_as("pairwise", 0.1, 0.7, 0)}),
            "pairwise");
}

TEST(FamilyDecision, OfEqualRanksTheHighestCertifiedLikelihoodWinsThenThePlainest) {
  EXPECT_EQ(winner_of({judged_as("flid", 0.1, 0.2, 0), judged_as("thin", 0.1, 0.7, 0)}), "thin");
  EXPECT_EQ(winner_of({judged_as("flid", 0.1, 0.2, 0), judged_as("thin", 0.1, 0.7, 0.6)}), "flid");
  EXPECT_EQ(winner_of({judged_as("modular", 0.1, 0.7, 0), judged_as("thin", 0.1, 0.71, 0)}),
            "modular");
  std::vector<JudgedFamily> both{judged_as("flid", 0.05, 0, 0), judged_as("thin", 0.1, -1, 0)};
  const FamilyDecision decision = decide_family(both);  // thin is proved worse than items are
  EXPECT_EQ(decision.leader, "flid");
  EXPECT_EQ(decision.winner, "flid");
  EXPECT_NEAR(both[1].row.behind.mean, -0.05, 1e-12);
}

}  // namespace
}  // namespace surefield
