// Some of the problems of torture.cpp, few enough for every run of the tests; and that the checks
// themselves would see a wrong answer.
#include <gtest/gtest.h>

#include <string>

#include "tests/torture/checks.hpp"

namespace surefield::torture {

/// A table whose sets say that an item gains a millionth more than it does, and vouches for it.
struct LyingTable : TableModel {
  class Set : public TableSet {
   public:
    using TableSet::TableSet;
    double gain(Index i) const { return TableSet::gain(i) + 1e-6; }
  };
  Set empty_set() const { return {values, n}; }
};

inline Facts facts_of(const LyingTable& model) {
  Facts facts = facts_of(KnownTableModel{{model.n, model.values}});
  facts.submodularity = Submodularity::kProved;
  return facts;
}

namespace {

std::string text_of(const Tally& tally) {
  std::string text;
  for (const auto& [seed, what] : tally.wrong)
    text += "problem " + std::to_string(seed) + ", " + what + "\n";
  return text;
}

TEST(Torture, NoBoundOfManySmallProblemsIsWrong) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) run_torture_problem(seed, 12, tally);
  EXPECT_EQ(text_of(tally), "");
  EXPECT_EQ(tally.count(), 3000U);
  EXPECT_GT(tally.bounds, 40000U);
  for (const auto family : kFamilies) EXPECT_GT(tally.problems[std::string(family)], 20U) << family;
}

TEST(Torture, IntervalsOfLargerProblemsMeet) {
  Tally tally;
  for (std::uint64_t k = 1; k <= 20; ++k) run_torture_problem(k * kLargeEvery - 1, 12, tally);
  EXPECT_EQ(text_of(tally), "");
  EXPECT_EQ(tally.count(), 20U);
}

TEST(Torture, AModelThatLiesIsFoundOut) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    TortureProblem problem;
    problem.seed = seed;
    problem.model = problem.other = LyingTable{{2, {0, 1, 1, 1.5}}};
    problem.sets = problem.other_sets = problem.inner = unit_box(2);
    Checks(problem, tally).small();
  }
  EXPECT_NE(text_of(tally).find("the truth"), std::string::npos) << text_of(tally);
}

TEST(Torture, TheTruthOfOneItemIsWhatItIsByHand) {
  const Truth truth(AnyModel(TableModel{1, {0, 1}}));
  const TrueLogZ log_z(truth, unit_box(1), 1);
  EXPECT_NEAR(static_cast<double>(log_z.log_z), std::log1p(std::exp(1.0)), 1e-15);
  EXPECT_LT(static_cast<double>(log_z.off), 1e-16);
  EXPECT_NEAR(static_cast<double>(true_elbo(truth, 1, std::vector{0.25}).value),
              0.25 + entropy(0.25), 1e-15);
  // The best ELBO of one item is log Z itself.
  EXPECT_NEAR(static_cast<double>(best_known_elbo(truth, 1, unit_box(1), {}).value - log_z.log_z),
              0, 1e-15);
}

TEST(Torture, AProblemIsAFunctionOfItsSeed) {
  std::string family, again;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto a = make_torture_problem(seed, family), b = make_torture_problem(seed, again);
    EXPECT_EQ(family, again);
    EXPECT_EQ(a.inner, b.inner);
    EXPECT_EQ(a.beta, b.beta);
    EXPECT_TRUE(Truth(a.model).values == Truth(b.model).values);
  }
}

}  // namespace
}  // namespace surefield::torture
