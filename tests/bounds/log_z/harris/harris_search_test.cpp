#include "surefield/bounds/log_z/harris/harris_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/bounds/log_z/harris/harris_bound.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/weighted_sum/weighted_sum.hpp"
#include "tests/support/flid_file.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_facility.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

AnyModel sum_of_two(const Flid& a, const Flid& b) {
  return AnyModel(make_weighted_sum(a.size(), {{1, AnyModel(a)}, {1, AnyModel(b)}}));
}

// Every interval on the way, from one class to the last round, contains the truth; at the end what is left is
// rounding. Returns the number of intervals looked at.
template <class M>
int check_harris(const M& model, std::uint64_t seed) {
  const Box box = testing::random_fixed_box(model.size(), seed);
  int looked = 0;
  for (const double beta : {0.3, 1.0, 2.5}) {
    const auto truth = testing::exact_by_definition(model, box, beta);
    const double slack = 1e-15 * testing::scale_of(truth, beta);
    const auto contains_truth = [&](const Interval& now) {
      ++looked;
      EXPECT_LE(now.low, truth.log_z + slack) << "seed " << seed << " beta " << beta;
      EXPECT_GE(now.high, truth.log_z - slack) << "seed " << seed << " beta " << beta;
      return true;
    };
    try {
      for (const double entries : {0.0, 60.0, 400.0})
        contains_truth(
            harris_log_z(model, &box, {.beta = beta, .width = 0, .entries = entries}).log_z);
      const auto last =
          harris_log_z(model, &box, {.beta = beta, .width = 0, .observer = contains_truth});
      contains_truth(last.log_z);
      EXPECT_EQ(last.status, Status::kDone) << "seed " << seed;
      EXPECT_LE(last.log_z.width(), 1e-9 + 1e-11 * beta * AnyModel(model).facts().magnitude)
          << "seed " << seed;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).find("beyond the limit") != std::string::npos)
          << error.what();
    }
  }
  return looked;
}

TEST(HarrisLogZ, FacilitiesFlidsAndSums) {
  int looked = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Index n = seed % 9;
    const Index groups = n == 0 ? 0 : seed % 6;
    const Flid one = testing::random_flid(n, groups, seed);
    looked += check_harris(one, seed);
    looked +=
        check_harris(testing::random_flid(n % 6, n % 6 == 0 ? 0 : seed % 4, seed, true), seed);
    looked += check_harris(testing::random_facility(n, seed % 7, seed), seed);
    looked += check_harris(sum_of_two(one, testing::random_flid(n, groups, seed + 1000)), seed);
  }
  EXPECT_GT(looked, 15000);
}

// Two items that share both groups: e^w = (2, 4) and (2, 3), odds 1 and 1.
//   E g_0 = 3/4 + 1/4 1/2 = 7/8      E g_1 = 3/4 + 1/4 1/3 = 5/6      E g_0 g_1 = 3/4 + 1/4 1/6 = 38/48
//   c^2 = 1/2 (1/2)^2 and 1/2 (2/3)^2, for both items: p (1 - p) c c = 1/4 1/6 = 2/48 each
TEST(HarrisLogZ, AClassByHand) {
  const double two = std::log(2.0);
  const Flid flid = make_flid({0, 0}, {two, 2 * two, two, std::log(3.0)}, 2);
  const BestItemTable table = best_item_table(flid, nullptr, 1);
  BestItemClass all = whole_class(table);
  HarrisBound bound(table);
  const auto ends = bound.bound(all);
  EXPECT_NEAR(ends.product, 4, 1e-14);
  EXPECT_EQ(ends.settled, 1);
  EXPECT_NEAR(ends.low, 35.0 / 48, 1e-15);
  EXPECT_NEAR(ends.high, 39.0 / 48, 1e-15);
  EXPECT_NEAR(bound.share(0), 2.0 / 48, 1e-15);
  EXPECT_NEAR(bound.share(1), 2.0 / 48, 1e-15);
  EXPECT_EQ(all.rest, (std::vector<std::uint32_t>{0, 1}));
}

TEST(HarrisLogZ, OneGroupIsExactAtOnce) {
  const Flid flid = testing::random_flid(40, 1, 3);
  const auto found = harris_log_z(flid, nullptr, {.width = 1e-9});
  EXPECT_EQ(found.classes, 1u);
  EXPECT_TRUE(found.log_z.contains(flid_exact(flid).log_z));
}

TEST(HarrisLogZ, PublicModels) {
  const auto ten = testing::flid_of_file("safety_flid_d_10_fold_1.txt");
  const auto gear = testing::flid_of_file("gear_flid_d_3_fold_4.txt");
  const auto feeding = testing::flid_of_file("feeding_flid_d_10_fold_1.txt");
  const auto other = testing::flid_of_file("feeding_flid_d_10_fold_2.txt");
  if (!ten || !gear || !feeding || !other) GTEST_SKIP() << "no data: set SUREFIELD_DATA";
  const auto safety = harris_log_z(*ten, nullptr, {.width = 1e-9});
  EXPECT_TRUE(safety.log_z.contains(4.85882628354)) << "flid_exact, 1e8 steps";
  EXPECT_LE(safety.log_z.width(), 1e-9);
  EXPECT_TRUE(
      harris_log_z(*gear, nullptr, {.width = 1e-9}).log_z.contains(4.28436998229026));  // golden
  const auto wide = harris_log_z(*feeding);
  const auto narrow = harris_log_z(*feeding, nullptr, {.width = 2e-5});
  EXPECT_LE(narrow.log_z.width(), 2e-5);
  EXPECT_LE(wide.log_z.low, narrow.log_z.low);
  EXPECT_GE(wide.log_z.high, narrow.log_z.high);
  EXPECT_LE(wide.entries, 5e6) << "0.1 s";
  const auto both = harris_log_z(sum_of_two(*feeding, *other), nullptr, {.width = 1e-6});
  EXPECT_EQ(both.status, Status::kConverged);
  EXPECT_LE(both.entries, 1e7);
}

TEST(HarrisLogZ, StopsWhenTold) {
  const Flid flid = testing::random_flid(60, 8, 5);
  const auto few = harris_log_z(flid, nullptr, {.width = 0, .entries = 1e5});
  EXPECT_EQ(few.status, Status::kEpochLimit);
  EXPECT_LE(few.entries, 1e6);
  int rounds = 0;
  const auto two = harris_log_z(
      flid, nullptr, {.width = 0, .observer = [&](const Interval&) { return ++rounds < 2; }});
  EXPECT_EQ(two.status, Status::kInterrupted);
  EXPECT_EQ(rounds, 2);
  const auto none = harris_log_z(flid, nullptr, {.width = 0, .budget = Budget().within(0)});
  EXPECT_EQ(none.status, Status::kInterrupted);
  EXPECT_LE(none.log_z.low, two.log_z.low);
  EXPECT_GE(none.log_z.high, two.log_z.high);
}

// Wherever the entries end, also amid the classes of a share, what was not looked at counts with all that it can be.
TEST(HarrisLogZ, HoldsWhereverItIsCutShort) {
  const Flid flid = testing::random_flid(120, 3, 5);
  const double truth = flid_exact(flid).log_z;
  double narrowest = kInfinity;
  for (double entries = 1000; entries < 3e6; entries *= 1.3) {
    const auto found = harris_log_z(flid, nullptr, {.width = 0, .entries = entries});
    EXPECT_TRUE(found.log_z.contains(truth)) << entries;
    EXPECT_LE(found.entries, 4 * entries + 1e4);
    narrowest = std::min(narrowest, found.log_z.width());
  }
  EXPECT_LE(narrowest, 1e-3);
}

TEST(HarrisLogZ, TheThreadsChangeNothing) {
  const Flid flid = testing::random_flid(50, 6, 8);
  const auto one = harris_log_z(flid, nullptr, {.width = 1e-4, .budget = Budget().with_threads(1)});
  const auto two = harris_log_z(flid, nullptr, {.width = 1e-4, .budget = Budget().with_threads(2)});
  EXPECT_EQ(one.log_z, two.log_z);
  EXPECT_EQ(one.entries, two.entries);
  EXPECT_GT(one.classes, 1000u) << "there is something to share";
}

// A round is the same sum wherever its classes are searched.
TEST(HarrisLogZ, ClassesWithoutRoomAreSearchedWhereTheyAreFound) {
  const Flid flid = testing::random_flid(50, 6, 8);
  const auto shared = harris_log_z(flid, nullptr, {.width = 1e-4});
  for (const double room : {0.0, 2e4, 1e5}) {
    const auto found = harris_log_z(flid, nullptr, {.width = 1e-4, .room = room});
    EXPECT_EQ(found.classes, shared.classes) << room;
    EXPECT_NEAR(found.log_z.low, shared.log_z.low, 1e-13);
    EXPECT_NEAR(found.log_z.high, shared.log_z.high, 1e-13);
  }
  EXPECT_EQ(testing::refusal([&] {
              harris_log_z(flid, nullptr, {.budget = Budget().with_bytes(1e4)});
            }).substr(0, 6),
            "harris");
}

TEST(HarrisLogZ, Refusals) {
  const Flid flid = make_flid({0, 0}, {1, 2}, 1);
  EXPECT_EQ(testing::refusal([&] { harris_log_z(flid, nullptr, {.width = -1}); }),
            "harris: the width is -1, which must be >= 0");
  EXPECT_EQ(testing::refusal([] {
              harris_log_z(make_flid({0, 0}, {-1, 1}, 1));
            }),
            "harris: the best of a group has the value -1, which must be >= 0");
  const PairwiseField field = make_pairwise_field({0.0, 0.0}, std::vector<Edge>{{0, 1, -1.0}});
  EXPECT_EQ(testing::refusal([&] { harris_log_z(field); }), "harris: the model has pairs");
  EXPECT_EQ(testing::refusal([] {
              harris_log_z(make_flid({-400, 0}, {1, 1}, 1));
            }),
            "harris: an item adds -401 by itself, beyond the limit of 300");
  EXPECT_EQ(testing::refusal([] {
              harris_log_z(make_flid({290, 290}, {1, 1}, 1));
            }),
            "harris: the gains of all items add up to 580, beyond the limit of 300");
  EXPECT_EQ(testing::refusal([] { harris_log_z(testing::random_coverage(5, 4, 1)); }),
            "harris: the model has terms other than items and best items");
}

}  // namespace
}  // namespace surefield
