#include "surefield/api/agree.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "surefield/api/agreement.hpp"
#include "surefield/io/flid_file.hpp"
#include "surefield/models/families.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/quad_truth.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/set_truth.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

std::vector<AnyModel> every_family(Index n, std::uint64_t seed) {
  std::vector<AnyModel> models;
  testing::for_each_family(n, seed, [&](const char*, auto model) { models.emplace_back(model); });
  return models;
}

/// log sum_S p'(S) p''(S), set by set, and the marginals of p'(S) p''(S) / sum.
struct PaTruth {
  double pa = 0, rounding = 0;
  std::vector<double> marginals;
};

PaTruth pa_by_definition(const AnyModel& a, const Box& box_a, const AnyModel& b, const Box& box_b,
                         double beta) {
  const auto first = testing::set_truth(a, box_a, beta);
  const auto second = testing::set_truth(b, box_b, beta);
  std::vector<double> terms = first.log_probability;
  for (std::size_t code = 0; code < terms.size(); ++code)
    terms[code] += second.log_probability[code];
  PaTruth found{log_sum_exp(terms), first.rounding + second.rounding, {}};
  found.marginals.assign(box_a.size(), 0);
  for (std::size_t code = 0; code < terms.size(); ++code)
    for (Index i = 0; i < box_a.size(); ++i)
      if (code >> i & 1) found.marginals[i] += std::exp(terms[code] - found.pa);
  return found;
}

// By hand: without the empty set, of value 0, log Z is log(e^z - 1). What is not known of log Z' and log Z'' is in the agreement twice.
TEST(Agreement, OfNonEmptySetsHasTheEndsOfItsThreeParts) {
  const Flid a = make_flid({0.2, -0.1, 0.3}, {1, 0.5, 2}, 1);
  const Flid b = make_flid({-0.3, 0.4, 0.1}, {0.5, 1, 1.5}, 1);
  const Box box = unit_box(3);
  const auto log_z = [&](const AnyModel& model) { return testing::set_truth(model, box, 1).log_z; };
  const Interval one{log_z(a) - 0.1, log_z(a) + 0.2}, other{log_z(b) - 0.3, log_z(b) + 0.05};
  const double sum = log_z(sum_of(1, a, 1, b));
  const Interval both{sum - 0.07, sum + 0.4};
  const Interval found = agreement_of_non_empty_sets(
      a, one, b, other, {both.low - one.high - other.high, both.high - one.low - other.low});
  const auto rest = [](double z) { return std::log(std::expm1(z)); };
  EXPECT_NEAR(found.low, rest(both.low) - rest(one.high) - rest(other.high), 1e-12);
  EXPECT_NEAR(found.high, rest(both.high) - rest(one.low) - rest(other.low), 1e-12);
}

TEST(Agree, OneItemByHand) {
  // p' = (1/4, 3/4) and p'' = (1/2, 1/2), so sum p' p'' = 1/8 + 3/8 = 1/2.
  const Problem first = make_problem(make_flid({std::log(3.0)}, {}, 0));
  const Problem second = make_problem(make_flid({0}, {}, 0));
  const AgreeResult answer = agree(first, second);
  EXPECT_TRUE(answer.bounds.pa_exact);
  EXPECT_NEAR(*answer.bounds.pa_lower, std::log(0.5), 1e-12);
  EXPECT_NEAR(*answer.bounds.pa_upper, std::log(0.5), 1e-12);
  // One item: mean field is exact. The PA-ELBO is log Z+ = log 4, and log Z' = log 4, log Z'' = log
  // 2.
  EXPECT_NEAR(*answer.bounds.pa_elbo, std::log(4.0), 1e-9);
  EXPECT_NEAR(*answer.bounds.pa_elbo_lower, std::log(0.5), 1e-9);
  EXPECT_NEAR(answer.result.marginals[0], 0.75, 1e-6);
  EXPECT_EQ(answer.result.command, "agree");
  EXPECT_EQ(answer.result.objective, "pa-elbo");
}

TEST(Agree, ExactEqualsAndIntervalsContainTheSumOverSets) {
  std::size_t pairs = 0, narrow = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Index n = seed % 7;
    const auto models = every_family(n, seed), others = every_family(n, seed + 1000);
    const double beta = seed % 3 == 0 ? 0.5 : seed % 3 == 1 ? 1 : 2;
    for (std::size_t k = 0; k < models.size(); ++k) {
      const auto& a = models[k];
      const auto& b = others[(k * (1 + seed % 2) + seed % 4) % others.size()];
      SCOPED_TRACE(::testing::Message()
                   << kind_of(a) << " and " << kind_of(b) << ", seed " << seed << ", n " << n);
      const Box box = seed % 2 ? testing::random_fixing(n, seed) : unit_box(n);
      const Problem first = make_problem(a, {}, box), second = make_problem(b);
      const PaTruth truth = pa_by_definition(a, box, b, unit_box(n), beta);
      const double rounding = truth.rounding;

      const auto exact = agree(first, second, {.inverse_temperature = beta}).bounds;
      EXPECT_TRUE(exact.pa_exact || rounding > 1e-7);
      EXPECT_LE(exact.width(), 4 * rounding);
      EXPECT_NEAR(*exact.pa_lower, truth.pa, 4 * rounding);
      if (exact.pa_elbo_lower) {
        EXPECT_LE(*exact.pa_elbo_lower, truth.pa + rounding);
      }

      const AgreeOptions bounds_only{
          .inverse_temperature = beta, .width = 0.1, .seconds = 1, .exact = false};
      const auto found = agree(first, second, bounds_only).bounds;
      EXPECT_FALSE(found.pa_exact);
      ASSERT_TRUE(found.pa_lower && found.pa_upper);
      EXPECT_LE(*found.pa_lower, truth.pa + rounding);
      EXPECT_GE(*found.pa_upper, truth.pa - rounding);
      EXPECT_LE(*found.pa_upper, 0);
      ++pairs;
      if (rounding < 1e-3) {
        EXPECT_LE(found.width(), 0.1);
        ++narrow;
      }
    }
  }
  EXPECT_EQ(pairs, 30U * 12U);
  EXPECT_GT(narrow, 300U);
}

TEST(Agree, MarginalsAreThoseOfTheProductWhereMeanFieldIsExact) {
  // Modular models: p' p'' is a product distribution with the utilities added up.
  const Problem first = make_problem(make_flid({1, -1, 0.5}, {}, 0));
  const Problem second = make_problem(make_flid({0.5, 0, -2}, {}, 0));
  const auto truth = pa_by_definition(first.model, first.box, second.model, second.box, 2);
  const AgreeResult answer = agree(first, second, {.inverse_temperature = 2});
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(answer.result.marginals[i], truth.marginals[i], 1e-9);
  EXPECT_TRUE(answer.result.certified_global);
  EXPECT_NEAR(*answer.bounds.pa_elbo_lower, truth.pa, 1e-9);
}

TEST(AgreementProblem, KeepsTheFamilyThatHoldsItsSums) {
  const auto models = every_family(5, 3), others = every_family(5, 4);
  const std::map<std::string, std::string> sums{{"flid+flid", "flid"},
                                                {"flid+facility-location", "facility-location"},
                                                {"coverage+coverage", "coverage"},
                                                {"cut+pairwise", "pairwise"},
                                                {"gibbs+cut", "gibbs"},
                                                {"flid+pairwise", "sum"}};
  std::size_t checked = 0;
  for (const auto& a : models)
    for (const auto& b : others) {
      const Problem sum = agreement_problem(make_problem(a), make_problem(b));
      const std::string kinds = std::string(kind_of(a)) + "+" + std::string(kind_of(b));
      SCOPED_TRACE(kinds);
      if (const auto kind = sums.find(kinds); kind != sums.end()) {
        EXPECT_EQ(sum.kind, kind->second);
      }
      for (std::uint64_t code = 0; code < 32; ++code) {
        const auto set = reference::subset(code, 5);
        const double both = evaluate(a, set) + evaluate(b, set);
        EXPECT_NEAR(evaluate(sum.model, set), both, 1e-9 * (1 + std::abs(both)));
      }
      ++checked;
    }
  EXPECT_EQ(checked, models.size() * others.size());
}

TEST(AgreementProblem, FlipsTheSumOfFieldsThatAreFlippedDifferently) {
  const std::vector<Edge> one{{0, 1, 1.5}}, other{{1, 2, 0.5}, {0, 1, -1}};
  const auto a = make_pairwise_field({0.3, -0.2, 0.1}, one);
  const auto b = make_pairwise_field({-1, 0.4, 0.2}, other);
  Box box = unit_box(3);
  box.fix(2, 1);
  const Problem first = make_problem(a), second = make_problem(b, {}, box);
  ASSERT_NE(first.flips, second.flips);
  const auto truth = pa_by_definition(a, unit_box(3), b, box, 1);
  // Together 0 attracts 1 by 1.5 - 1, and 1 attracts 2: a tree, which flips mend.
  const AgreeResult answer = agree(first, second);
  EXPECT_TRUE(answer.bounds.pa_exact);
  EXPECT_EQ(answer.both.method(), "elimination");
  EXPECT_NEAR(*answer.bounds.pa_lower, truth.pa, 1e-10);
  EXPECT_EQ(answer.result.marginals[2], 1);
}

/// a is flipped, which rounds its numbers, and b all but takes them away: what is left is small, what they were rounded by is not.
template <class Field>
void expect_rounding_of_flips(const Field& a, const Field& b) {
  const Problem first = make_problem(a), second = make_problem(b);
  ASSERT_FALSE(first.flips.empty());
  const Problem sum = agreement_problem(first, second);
  const auto* both = sum.model.as<Field>();
  ASSERT_NE(both, nullptr);
  testing::Quad most = 0;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << a.size(); ++code) {
    const auto set = reference::subset(code, a.size());
    auto flipped = set;
    for (Index i = 0; i < sum.flips.size(); ++i) flipped[i] = set[i] != sum.flips[i];
    most = std::max(
        most, testing::size_of(testing::exact_value(*both, flipped) - testing::exact_value(a, set) -
                               testing::exact_value(b, set)));
  }
  EXPECT_GT(most, testing::Quad(1e-10));  // or this is no test
  EXPECT_LE(most, testing::Quad(sum.model.facts().value_error));
  EXPECT_LE(sum.model.facts().value_error, 1e-6);
}

TEST(AgreementProblem, KnowsWhatFlipsRounded) {
  const std::vector<double> large{1e7 / 3, -2e7 / 3, 5e6 / 7}, back{-1e7 / 3, 2e7 / 3, -5e6 / 7};
  const std::vector<Edge> attracts{{0, 1, 1.0 / 3}, {1, 2, -0.1}}, repels{{1, 2, -0.3}};
  expect_rounding_of_flips(make_pairwise_field(large, attracts), make_pairwise_field(back, repels));
  const std::vector<Monomial> third{{{0, 1}, 1.0 / 3}, {{1, 2}, -0.1}, {{0, 1, 2}, 0.1}};
  const std::vector<Monomial> more{{{1, 2}, -0.3}, {{0, 1, 2}, 0.3}};
  expect_rounding_of_flips(make_gibbs_field(large, third), make_gibbs_field(back, more));
}

TEST(AgreementProblem, RefusesWhatIsNotOverTheSameItems) {
  const auto of = [](std::vector<std::string> names, Box box = {}) {
    return make_problem(make_flid(std::vector<double>(names.size(), 0.5), {}, 0), names, box);
  };
  const auto message_of = [](const Problem& a, const Problem& b) {
    return testing::refusal([&] { agree(a, b); });
  };
  EXPECT_EQ(message_of(of({"cot", "pram"}), of({"cot"})),
            "agreement: one model has 2 items, the other 1; they must be over the same items");
  EXPECT_EQ(
      message_of(of({"cot", "pram"}), of({"cot", "bib"})),
      "agreement: item 1 is 'pram' in one model and 'bib' in the other; they must be over the "
      "same items");
  EXPECT_EQ(message_of(of({"cot", "pram"}), of({"pram", "cot"})),
            "agreement: item 0 is 'cot' in one model and 'pram' in the other; the items are the "
            "same, but must stand in the same order");
  Box in = unit_box(2), out = unit_box(2);
  in.fix(1, 1);
  out.fix(1, 0);
  EXPECT_EQ(message_of(of({"cot", "pram"}, in), of({"cot", "pram"}, out)),
            "agreement: item 1 ('pram') is left with no value: one model bounds it to [1, 1], the "
            "other to [0, 0]");
  Box half = unit_box(2);
  half.high[0] = 0.5;
  EXPECT_EQ(message_of(of({"cot", "pram"}, half), of({"cot", "pram"})),
            "log Z: item 0 is bounded to [0, 0.5]; only in, out or free has a meaning for sets");
}

TEST(Agree, RefusesNumbersOutOfRange) {
  const Problem one = make_problem(make_flid({0}, {}, 0));
  const auto message_of = [&](const AgreeOptions& options) {
    return testing::refusal([&] { agree(one, one, options); });
  };
  EXPECT_EQ(message_of({.inverse_temperature = 0}),
            "agreement: the inverse temperature is 0, which must be finite and > 0");
  EXPECT_EQ(message_of({.width = 0}), "agreement: the width is 0, which must be > 0");
  EXPECT_EQ(message_of({.seconds = -1}), "agreement: the seconds are -1, which must be >= 0");
  EXPECT_EQ(testing::refusal([&] {
              agree_pairs({&one, 1});
            }),
            "agreement: there are 1 models, but it takes at least 2");
}

TEST(Agree, ASumThatIsNotSubmodularIsRefusedOrClaimsNothing) {
  // 0 attracts 1, both repel 2: one positive coupling on the cycle, which no flips mend.
  const std::vector<Edge> one{{0, 1, 2.0}}, other{{1, 2, -1.0}, {0, 2, -1.0}};
  const auto a = make_pairwise_field({0, 0, 0}, one), b = make_pairwise_field({1, 0, 0}, other);
  const Problem first = make_problem(a), second = make_problem(b);
  EXPECT_NE(testing::refusal([&] { agree(first, second); }).find("not log-submodular"),
            std::string::npos);
  const AgreeResult answer = agree(first, second, {.no_guarantee = true});
  EXPECT_GE(*answer.result.upper_bound, answer.result.elbo) << "log Z bounds it all the same";
  EXPECT_TRUE(answer.result.guarantee.starts_with("none: "));
  // What holds for every F is still there: the sum over sets, exact.
  const auto truth = pa_by_definition(a, unit_box(3), b, unit_box(3), 1);
  EXPECT_NEAR(*answer.bounds.pa_lower, truth.pa, 1e-10);
  // Without exact methods mean field and Hoelder's inequality are left, and hold for every F too.
  const auto loose = agree(first, second, {.exact = false, .no_guarantee = true}).bounds;
  EXPECT_LE(*loose.pa_lower, truth.pa + 1e-10);
  EXPECT_GE(*loose.pa_upper, truth.pa - 1e-10);
}

TEST(AgreePairs, AreThePairsOneByOneOnAnyNumberOfThreads) {
  std::vector<Problem> problems;
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    problems.push_back(make_problem(testing::random_flid(8, 3, seed)));
  const AgreeOptions options{.inverse_temperature = 1.5, .width = 0.02, .exact = false};
  const AgreePairs pairs = agree_pairs(problems, options);
  AgreeOptions more = options;
  more.budget = Budget().with_threads(3);
  const AgreePairs again = agree_pairs(problems, more);
  ASSERT_EQ(pairs.rows.size(), 6U);
  double low = 0, high = 0;
  for (std::size_t r = 0; r < 6; ++r) {
    const AgreeRow& row = pairs.rows[r];
    ASSERT_LT(row.first, row.second);
    const auto alone = agree(problems[row.first], problems[row.second], options).bounds;
    EXPECT_EQ(row.bounds.pa_lower, alone.pa_lower);
    EXPECT_EQ(row.bounds.pa_upper, alone.pa_upper);
    EXPECT_NEAR(*row.bounds.pa_elbo, *alone.pa_elbo, 1e-6);
    EXPECT_EQ(row.bounds.pa_lower, again.rows[r].bounds.pa_lower);
    EXPECT_EQ(row.bounds.pa_upper, again.rows[r].bounds.pa_upper);
    EXPECT_EQ(row.bounds.pa_elbo, again.rows[r].bounds.pa_elbo);
    low += *row.bounds.pa_lower / 6;
    high += *row.bounds.pa_upper / 6;
  }
  EXPECT_NEAR(*pairs.mean_lower, low, 1e-12);
  EXPECT_NEAR(*pairs.mean_upper, high, 1e-12);
  EXPECT_LE(pairs.width(), 0.02);
  EXPECT_TRUE(agree_pairs(problems).exact);
}

TEST(AgreePairs, StopWhenAskedAndNameThePairTheyRefuse) {
  std::vector<Problem> problems;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    problems.push_back(make_problem(testing::random_flid(6, 2, seed)));
  const AgreePairs stopped =
      agree_pairs(problems, {.budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(stopped.complete);
  EXPECT_FALSE(stopped.mean_lower);
  EXPECT_TRUE(std::isinf(stopped.width()));
  problems.push_back(make_problem(testing::random_flid(5, 2, 1)));
  EXPECT_EQ(testing::refusal([&] { agree_pairs(problems); }),
            "models 1 and 4: agreement: one model has 6 items, the other 5; they must be over the "
            "same items");
}

TEST(AgreePairs, FoldsOfThreeDimensionsAreWithinAHundredth) {
  SUREFIELD_NEEDS_DATA("flid");
  std::vector<Problem> problems;
  for (int fold = 1; fold <= 5; ++fold)
    problems.push_back(make_problem(
        read_flid(testing::shared_data("flid/safety_flid_d_3_fold_" + std::to_string(fold) + ".txt")
                      .string())
            .model));
  const AgreePairs pairs = agree_pairs(problems);
  EXPECT_EQ(pairs.rows.size(), 10U);
  EXPECT_LE(pairs.width(), 0.01);
  for (const auto& log_z : pairs.log_z) EXPECT_EQ(log_z.method(), "best items");
  for (const auto& row : pairs.rows) EXPECT_LE(*row.bounds.pa_elbo_lower, *row.bounds.pa_upper);
}

TEST(AgreePairs, FoldsOfTenDimensionsAreWithinAMillionth) {
  SUREFIELD_NEEDS_DATA("flid");
  std::vector<Problem> problems;
  for (int fold = 1; fold <= 3; ++fold)
    problems.push_back(make_problem(read_flid(testing::shared_data("flid/safety_flid_d_10_fold_" +
                                                                   std::to_string(fold) + ".txt")
                                                  .string())
                                        .model));
  const AgreePairs pairs = agree_pairs(problems, {.width = 1e-6, .seconds = 60});
  EXPECT_EQ(pairs.rows.size(), 3U);
  EXPECT_LE(pairs.width(), 1e-6);
  for (const auto& log_z : pairs.log_z) EXPECT_EQ(log_z.method(), "harris");
}

}  // namespace
}  // namespace surefield
