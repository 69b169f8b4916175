#include "surefield/api/select_training.hpp"

#include "gtest/gtest.h"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

const SetCollection kData{.items = 4, .sets = {{0, 1}, {2}, {1, 3}}, .names = {}};
const std::vector<Index> kComparedDimensions{0, 1, 3};
const NceOptions kAsked{.epochs = 200, .noise_ratio = 20, .starts = 3};

// Of one start: two folds of three are learned from at a time, three times, so every set counts twice.
double an_epoch(double noise) {
  double sum = 0;
  for (const Index d : {1, 3})
    sum += 2 * nce_operations(kData, {.dimensions = d, .noise_ratio = noise});
  return sum;
}

PaidTraining paid(double operations, const NceOptions& asked = kAsked) {
  return paid_training(kData, kComparedDimensions, 3, asked,
                       {.operations = operations, .fewest = 5});
}

TEST(SelectTraining, AsAskedWhereThatIsPaid) {
  const auto all = paid(3 * 200 * an_epoch(20));
  EXPECT_EQ(all.how.epochs, 200u);
  EXPECT_EQ(all.how.starts, 3u);
  EXPECT_EQ(all.how.noise_ratio, 20);
  EXPECT_TRUE(all.notes.empty());
}

TEST(SelectTraining, StartsThenNoiseThenEpochs) {
  const auto one = paid(3 * 200 * an_epoch(20) * 0.999);
  EXPECT_EQ(one.how.starts, 1u);
  EXPECT_EQ(one.how.epochs, 200u);
  EXPECT_EQ(one.how.noise_ratio, 20);
  const auto some = paid(20.5 * an_epoch(20));
  EXPECT_EQ(some.how.epochs, 20u);
  EXPECT_EQ(some.how.noise_ratio, 20);
  ASSERT_EQ(some.notes.size(), 1u);
  EXPECT_TRUE(some.notes[0].starts_with(
      "trainings have one start of 3, at most 20 epochs of 200: all that was asked for would take"))
      << some.notes[0];
  const auto quiet = paid(19.5 * an_epoch(20));
  EXPECT_EQ(quiet.how.noise_ratio, 5);
  EXPECT_EQ(quiet.how.epochs, static_cast<std::size_t>(19.5 * an_epoch(20) / an_epoch(5)));
  EXPECT_NE(quiet.notes.at(0).find("5 noise sets a set and not 20, "), std::string::npos)
      << quiet.notes[0];
}

TEST(SelectTraining, FewerEpochsThanAreOfUseAreRefused) {
  EXPECT_EQ(paid(5.01 * an_epoch(5)).how.epochs, 5u);
  EXPECT_NE(testing::refusal([] { paid(4.99 * an_epoch(5)); }).find("5 epochs are more than"),
            std::string::npos);
  NceOptions two = kAsked;
  two.epochs = 2;
  EXPECT_EQ(paid(2.5 * an_epoch(5), two).how.epochs, 2u) << "no more were asked for";
}

TEST(SelectTraining, ItemsByThemselvesCostNothing) {
  const auto none = paid_training(kData, std::vector<Index>{0}, 3, kAsked, {.operations = 1});
  EXPECT_EQ(none.how.epochs, 200u);
  EXPECT_TRUE(none.notes.empty());
}

}  // namespace
}  // namespace surefield
