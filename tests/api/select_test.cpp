#include "surefield/api/select.hpp"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"
#include "surefield/api/registries.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/modular_non_empty.hpp"
#include "surefield/models/families.hpp"
#include "surefield/report/select_report.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

using testing::refusal;

SetCollection registries(Index dimensions, Index sets, std::uint64_t seed) {
  return generate_registries({.items = 12, .sets = sets, .dimensions = dimensions, .seed = seed})
      .data;
}

SelectOptions quick(std::vector<Index> dimensions) {
  SelectOptions options;
  options.dimensions = std::move(dimensions);
  options.folds = 3;
  options.training.epochs = 15;
  options.training.starts = 1;
  return options;
}

TEST(Select, IntervalsAreFiniteAndTheRowsAreInOrder) {
  const SelectResult result = select_model(registries(3, 400, 1), quick({3, 0, 1}));
  ASSERT_EQ(result.rows.size(), 3u);
  EXPECT_EQ(result.rows[0].dimensions, 0u);
  EXPECT_EQ(result.rows[1].dimensions, 1u);
  EXPECT_EQ(result.rows[2].dimensions, 3u);
  for (const auto& row : result.rows) {
    ASSERT_TRUE(row.agreement && row.likelihood);
    EXPECT_LE(row.agreement->mean.low, row.agreement->mean.high);
    EXPECT_LE(row.agreement->mean.high - row.agreement->mean.low, 0.01 + 1e-9);
    EXPECT_LT(row.agreement->mean.high, 0);  // a sum of p'(S) p''(S) is below 1
    EXPECT_LE(row.likelihood->mean.low, row.likelihood->mean.high);
    EXPECT_LT(row.likelihood->mean.high, 0);
    ASSERT_TRUE(row.agreement->standard_error);
    EXPECT_TRUE(std::isfinite(*row.agreement->standard_error));
  }
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.verdict.empty());
}

// Items that stand for one another: every item by itself is told apart as worse, by both measures.
TEST(Select, SubstitutesAreSeen) {
  const SetCollection data = registries(2, 1500, 7);
  SelectOptions options = quick({0, 2});
  options.training.epochs = 40;
  options.by = SelectOptions::By::kLikelihood;
  const SelectResult result = select_model(data, options);
  EXPECT_TRUE(result.decided) << result.verdict;
  EXPECT_EQ(result.rows[result.winner].dimensions, 2u) << result.verdict;
}

TEST(Select, TheSameForEveryNumberOfThreads) {
  const SetCollection data = registries(3, 300, 2);
  SelectOptions options = quick({1, 2});
  const SelectResult one = select_model(data, options);
  for (const unsigned threads : {2U, 8U}) {
    options.budget = Budget().with_threads(threads);
    const SelectResult many = select_model(data, options);
    ASSERT_EQ(one.rows.size(), many.rows.size());
    for (std::size_t k = 0; k < one.rows.size(); ++k) {
      EXPECT_EQ(one.rows[k].agreement->mean, many.rows[k].agreement->mean);
      EXPECT_EQ(one.rows[k].likelihood->mean, many.rows[k].likelihood->mean);
    }
    EXPECT_EQ(one.verdict, many.verdict);
  }
}

TEST(Select, TemperaturesAreCandidatesToo) {
  SelectOptions options = quick({1});
  options.inverse_temperatures = {1, 0.01};
  options.by = SelectOptions::By::kLikelihood;
  const SelectResult result = select_model(registries(3, 300, 3), options);
  ASSERT_EQ(result.rows.size(), 2u);
  EXPECT_EQ(result.rows[0].inverse_temperature, 0.01);
  EXPECT_EQ(result.by_likelihood->best, 1u);  // at 0.01 nearly every set is as likely as any other
  EXPECT_NE(result.verdict.find("beta = 1"), std::string::npos) << result.verdict;
}

// exp(beta F) of a FLID is the FLID with all parameters times beta.
TEST(Select, ATemperatureScalesTheModel) {
  const Flid model = make_flid({1, -2}, {3, 0.5, 1, 2}, 2);
  const Flid half = at_inverse_temperature(model, 0.5);
  for (const auto& set : std::vector<std::vector<std::uint8_t>>{{0, 0}, {1, 0}, {0, 1}, {1, 1}})
    EXPECT_DOUBLE_EQ(half.evaluate(set), 0.5 * model.evaluate(set));
}

TEST(Select, ToldToStopItDecidesNothing) {
  SelectOptions options = quick({1, 2});
  options.budget = Budget().asking([] { return false; });
  const SelectResult result = select_model(registries(3, 100, 4), options);
  EXPECT_FALSE(result.complete);
  EXPECT_FALSE(result.decided);
  EXPECT_EQ(result.verdict, "stopped before anything could be compared");
  EXPECT_NE(select_json(result).find("\"winner\": null"), std::string::npos);
}

SetCollection many_items(Index items) {
  SetCollection data{.items = items, .sets = {}, .names = {}};
  for (std::uint32_t k = 0; k < 12; ++k) data.sets.push_back({k, k + 20, k % 3 + 100});
  return data;
}

// Above 20,000 items log Z of several dimensions has no upper end: a row without a value, which
// nothing rules out, and not an exception after all the training.
TEST(Select, ACandidateWithoutACertifiedValueIsShownAsSuch) {
  SelectOptions options = quick({0, 3});
  options.folds = 2;
  options.training.epochs = 1;
  options.seconds = 0;
  const SelectResult result = select_model(many_items(20'001), options);
  ASSERT_EQ(result.rows.size(), 2U);
  EXPECT_TRUE(result.rows[0].likelihood);
  EXPECT_FALSE(result.rows[1].likelihood);
  EXPECT_FALSE(result.rows[1].agreement);
  EXPECT_FALSE(result.decided);
  EXPECT_EQ(result.left, (std::vector<Index>{0, 1}));
  EXPECT_TRUE(result.verdict.ends_with("; no certified value of D = 3")) << result.verdict;
  EXPECT_NE(select_text(result).find("not certified"), std::string::npos);
  EXPECT_NE(select_json(result).find("\"log_likelihood_lower\": null"), std::string::npos);
  EXPECT_NE(select_csv(result).find("3,1,,,,,,,"), std::string::npos) << select_csv(result);
}

TEST(Select, WhatCannotBeComparedAtAllIsRefusedBeforeItIsTrained) {
  SelectOptions options = quick({3, 4});
  options.seconds = 0;
  bool trained = false;
  options.progress = [&](double) { trained = true; };
  EXPECT_EQ(refusal([&] { select_model(many_items(20'001), options); }),
            "select: log Z of a flid of 20001 items in 3 dimensions cannot be bounded from both "
            "sides, so nothing could be compared");
  EXPECT_FALSE(trained);
}

TEST(Select, OneCandidateWinsNothing) {
  const SelectResult result = select_model(registries(3, 100, 5), quick({2}));
  EXPECT_FALSE(result.decided);
  EXPECT_EQ(result.verdict, "D = 2 was the only one to try");
}

TEST(Select, AllSetsEqualIsASoundAnswer) {
  SetCollection data{.items = 3, .sets = {}, .names = {}};
  data.sets.assign(30, {0, 2});
  const SelectResult result = select_model(data, quick({0, 1}));
  ASSERT_EQ(result.rows.size(), 2u);
  for (const auto& row : result.rows) EXPECT_TRUE(std::isfinite(row.likelihood->mean.low));
}

TEST(Select, RefusesWhatItCannotTry) {
  const SetCollection data = registries(3, 10, 6);
  const auto with = [&](auto&& change) {
    SelectOptions options = quick({1, 2});
    change(options);
    return refusal([&] { select_model(data, options); });
  };
  EXPECT_EQ(with([](auto& o) { o.dimensions = {}; }),
            "select: there is no number of dimensions to try");
  EXPECT_EQ(with([](auto& o) {
              o.dimensions = {2, 1, 2};
            }),
            "select: number of dimensions 2 is named twice");
  EXPECT_EQ(with([](auto& o) { o.inverse_temperatures = {0}; }),
            "select: inverse temperature 0; it must be positive and finite");
  EXPECT_NE(with([](auto& o) { o.folds = 1; }), "(nothing was refused)");
  EXPECT_NE(with([](auto& o) { o.folds = 11; }), "(nothing was refused)");
}

/// log of the sum of p'(S) p''(S) over the sets that can be.
double agreement_by_enumeration(const Flid& one, const Flid& other, bool empty) {
  double z1 = 0, z2 = 0, both = 0;
  for (std::size_t code = empty ? 0 : 1; code < std::size_t{1} << one.size(); ++code) {
    std::vector<std::uint8_t> in(one.size());
    for (Index i = 0; i < in.size(); ++i) in[i] = code >> i & 1;
    const double p = std::exp(one.evaluate(in)), q = std::exp(other.evaluate(in));
    z1 += p, z2 += q, both += p * q;
  }
  return std::log(both / (z1 * z2));
}

// Sets of one item mostly: the empty set, were it possible, would be the likeliest of all.
TEST(Select, AgreementIsOfTheSetsThatTheDataCanHold) {
  for (const bool empty : {false, true}) {
    SCOPED_TRACE(empty ? "empty sets" : "no empty set");
    SetCollection data{.items = 4, .sets = {}, .names = {}};
    for (std::uint32_t k = 0; k < 40; ++k)
      data.sets.push_back(k % 7 == 0 ? std::vector<std::uint32_t>{0, 1 + k % 3}
                                     : std::vector<std::uint32_t>{k % 4});
    if (empty) data.sets.insert(data.sets.end(), 20, {});
    SelectOptions options = quick({0});
    options.folds = 2;
    const SelectResult result = select_model(data, options);
    const double truth = agreement_by_enumeration(
        fit_items_alone(fold_of(data, 2, 0, options.seed).training),
        fit_items_alone(fold_of(data, 2, 1, options.seed).training), empty);
    ASSERT_EQ(result.rows.size(), 1U);
    ASSERT_TRUE(result.rows[0].agreement);
    EXPECT_LE(result.rows[0].agreement->mean.low, truth + 1e-12);
    EXPECT_GE(result.rows[0].agreement->mean.high, truth - 1e-12);
    EXPECT_LE(result.rows[0].agreement->mean.width(), 0.01 + 1e-9);
  }
}

TEST(Select, TrainsWithWhatIsPaidAndSaysSo) {
  const SetCollection data = registries(3, 200, 1);
  SelectOptions options = quick({1, 2});
  options.training.epochs = 40;
  options.training.starts = 3;
  options.training.held_aside = 0;  // all epochs run
  options.work.operations = 0;
  for (const Index d : options.dimensions) {
    NceOptions one = options.training;
    one.dimensions = d;
    options.work.operations += 30.5 * 2 * nce_operations(data, one);
  }
  const SelectResult paid = select_model(data, options);
  EXPECT_EQ(paid.training.epochs, 30u);
  EXPECT_EQ(paid.training.starts, 1u);
  EXPECT_EQ(paid.notes.size(), 1u);
  SelectOptions asked = options;
  asked.work = {};
  asked.training.epochs = 30;
  asked.training.starts = 1;
  const SelectResult same = select_model(data, asked);
  EXPECT_TRUE(same.notes.empty());
  for (Index k = 0; k < 2; ++k)
    EXPECT_EQ(paid.rows[k].likelihood->mean, same.rows[k].likelihood->mean);
}

// Far more is asked for than there is time: every candidate is compared all the same.
TEST(Select, ADeadlineIsSharedByAllTrainings) {
  const SetCollection data = registries(3, 3000, 1);
  SelectOptions options = quick({0, 2, 3});
  options.training.epochs = 100'000'000;
  options.training.held_aside = 0;
  options.work = {};
  options.deadline = 3;
  const SelectResult result = select_model(data, options);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.rows.size(), 3u);
  EXPECT_LE(result.seconds, 30) << "not 10^8 epochs";
}

}  // namespace
}  // namespace surefield
