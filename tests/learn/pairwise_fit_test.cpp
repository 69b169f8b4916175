#include "surefield/learn/pairwise_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

using Sets = std::vector<std::vector<std::uint32_t>>;

double coupling(const PairwiseField& field, Index i, Index j) {
  for (const Edge& edge : field.edges())
    if (edge.from == i && edge.to == j) return edge.weight;
  return 0;
}

/// Minimum by trying both ways along every coordinate with ever smaller steps: slow and plainly
/// right for convex functions that are smooth.
std::vector<double> pattern_search(std::vector<double> x, const std::vector<double>& upper,
                                   const std::function<double(const std::vector<double>&)>& f) {
  double now = f(x);
  for (double step = 1; step > 1e-9; step /= 2)
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t k = 0; k < x.size(); ++k)
        for (const double way : {-step, step}) {
          std::vector<double> y = x;
          y[k] = std::min(y[k] + way, upper[k]);
          if (const double value = f(y); value < now) {
            now = value;
            x = y;
            moved = true;
          }
        }
    }
  return x;
}

/// The loss of n items, from log-odds written out; theta is b, then w by (i < j).
double loss_written_out(const Sets& sets, Index n, const std::vector<double>& theta, double penalty,
                        double smoothing) {
  const auto w = [&](Index i, Index j) {
    if (i > j) std::swap(i, j);
    Index at = n;
    for (Index a = 0; a < i; ++a) at += n - 1 - a;
    return theta[at + j - i - 1];
  };
  double sum = 0;
  for (const auto& set : sets)
    for (Index i = 0; i < n; ++i) {
      double h = theta[i];
      bool there = false;
      for (const auto j : set) j == i ? void(there = true) : void(h += w(i, j));
      sum += std::log1p(std::exp(h)) - (there ? h : 0);
    }
  for (Index i = 0; i < n; ++i) sum += smoothing * (2 * std::log1p(std::exp(theta[i])) - theta[i]);
  for (Index k = n; k < theta.size(); ++k) sum += penalty / 2 * theta[k] * theta[k];
  return sum;
}

Sets repeated(const std::vector<std::pair<std::vector<std::uint32_t>, int>>& what) {
  Sets sets;
  for (const auto& [set, times] : what)
    for (int k = 0; k < times; ++k) sets.push_back(set);
  return sets;
}

TEST(PairwiseFit, TwoItemsByHand) {
  // Counts of {}, {0}, {1}, {0, 1}: 40, 20, 10, 30. With hardly any smoothing and penalty the field
  // has log-odds of the table: b_0 = log 20/40, b_1 = log 10/40, w = log (30 * 40) / (20 * 10).
  const Sets sets = repeated({{{}, 40}, {{0}, 20}, {{1}, 10}, {{0, 1}, 30}});
  const auto found = fit_pairwise({.items = 2, .sets = sets, .names = {}},
                                  {.penalty = 1e-9, .smoothing = 1e-9, .tolerance = 1e-14});
  EXPECT_NEAR(found.model.bias[0], std::log(0.5), 1e-5);
  EXPECT_NEAR(found.model.bias[1], std::log(0.25), 1e-5);
  EXPECT_NEAR(coupling(found.model, 0, 1), std::log(6.0), 1e-5);
  EXPECT_EQ(found.pairs, 1U);
  EXPECT_TRUE(found.trials.empty());
}

TEST(PairwiseFit, SetsThatCannotBeEmptySayNothingByThemselves) {
  // No empty set among 20 {0}, 10 {1}, 30 {0, 1}: given 1, 0 is there 30 of 40 times; given 0, 1 is
  // there 30 of 50. Given nothing the item is certain, so only b_0 + w = log 3, b_1 + w = log 1.5, and
  // of b_0 = -w + log 3 nothing is known but what smoothing (b = 0) and the penalty say.
  const Sets sets = repeated({{{0}, 20}, {{1}, 10}, {{0, 1}, 30}});
  const auto found = fit_pairwise({.items = 2, .sets = sets, .names = {}},
                                  {.penalty = 1e-6, .smoothing = 1e-6, .tolerance = 1e-15});
  const double w = coupling(found.model, 0, 1);
  EXPECT_NEAR(found.model.bias[0] + w, std::log(3.0), 1e-4);
  EXPECT_NEAR(found.model.bias[1] + w, std::log(1.5), 1e-4);
}

TEST(PairwiseFit, ThreeItemsAsASlowSearchFindsThem) {
  Random random(4);
  for (int trial = 0; trial < 4; ++trial)
    for (const bool repulsive : {false, true}) {
      Sets sets{{}};
      for (int k = 0; k < 30; ++k) {
        sets.emplace_back();
        for (std::uint32_t i = 0; i < 3; ++i)
          if (random.uniform() < 0.5) sets.back().push_back(i);
        if (sets.back().size() == 1) sets.back() = {0, 1};  // a pair that attracts
      }
      const double penalty = 2, smoothing = 1;
      const auto found = fit_pairwise(
          {.items = 3, .sets = sets, .names = {}},
          {.penalty = penalty, .repulsive = repulsive, .smoothing = smoothing, .tolerance = 1e-14});
      std::vector<double> upper(6, 1e300);
      if (repulsive) std::fill(upper.begin() + 3, upper.end(), 0.0);
      const auto truth = pattern_search(std::vector<double>(6, 0.0), upper, [&](const auto& theta) {
        return loss_written_out(sets, 3, theta, penalty, smoothing);
      });
      for (Index i = 0; i < 3; ++i) EXPECT_NEAR(found.model.bias[i], truth[i], 1e-4) << trial;
      EXPECT_NEAR(coupling(found.model, 0, 1), truth[3], 1e-4);
      EXPECT_NEAR(coupling(found.model, 0, 2), truth[4], 1e-4);
      EXPECT_NEAR(coupling(found.model, 1, 2), truth[5], 1e-4);
      EXPECT_FALSE(repulsive && submodularity_violation(found.model));
    }
}

/// Exact independent draws, by the table of all sets.
SetCollection draws(const PairwiseField& field, Index count, std::uint64_t seed) {
  const Index n = field.size();
  std::vector<double> cumulative;
  double sum = 0;
  std::vector<std::uint8_t> chosen(n);
  for (Index code = 0; code < (Index{1} << n); ++code) {
    for (Index i = 0; i < n; ++i) chosen[i] = (code >> i) & 1;
    cumulative.push_back(sum += std::exp(field.evaluate(chosen)));
  }
  Random random(seed);
  SetCollection data{.items = n, .sets = {}, .names = {}};
  for (Index k = 0; k < count; ++k) {
    const double u = random.uniform() * sum;
    const auto code = static_cast<Index>(std::upper_bound(cumulative.begin(), cumulative.end(), u) -
                                         cumulative.begin());
    data.sets.emplace_back();
    for (std::uint32_t i = 0; i < n; ++i)
      if ((code >> i) & 1) data.sets.back().push_back(i);
  }
  return data;
}

PairwiseField known_field(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> bias(n);
  for (double& b : bias) b = random.uniform(-2, 0.5);
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = i + 1; j < n; ++j)
      if (random.uniform() < 0.5) edges.push_back({i, j, random.uniform(-1.5, 1.5)});
  return make_pairwise_field(std::move(bias), edges);
}

TEST(PairwiseFit, RecoversAKnownFieldOfBothSigns) {
  const PairwiseField truth = known_field(7, 21);
  const SetCollection data = draws(truth, 60000, 22);
  const auto found = fit_pairwise(data, {.penalty = 1});
  for (Index i = 0; i < 7; ++i) {
    EXPECT_NEAR(found.model.bias[i], truth.bias[i], 0.15) << i;
    for (Index j = i + 1; j < 7; ++j)
      EXPECT_NEAR(coupling(found.model, i, j), coupling(truth, i, j), 0.15) << i << ' ' << j;
  }
  EXPECT_EQ(found.status, Status::kConverged);
}

TEST(PairwiseFit, ChoosesAWeakPenaltyForManySetsAndAStrongOneForNoise) {
  const auto strong = fit_pairwise(draws(known_field(7, 21), 20000, 5));
  EXPECT_LE(strong.penalty, 10);
  ASSERT_GE(strong.trials.size(), 2U);
  for (const auto& trial : strong.trials)
    if (trial.penalty != strong.penalty) {
      double best = -1e300;
      for (const auto& other : strong.trials)
        if (other.penalty == strong.penalty) best = other.held_out;
      EXPECT_GE(best, trial.held_out);
    }
  const PairwiseField apart = make_pairwise_field(std::vector<double>(8, -0.5), {});
  EXPECT_GE(fit_pairwise(draws(apart, 300, 6)).penalty, 100);
}

TEST(PairwiseFit, HasTheSameBitsOnEveryNumberOfThreads) {
  const SetCollection data = draws(known_field(7, 3), 400, 8);
  for (const bool repulsive : {false, true}) {
    const auto one = fit_pairwise(data, {.repulsive = repulsive});
    for (const unsigned threads : {2U, 8U}) {
      const auto many =
          fit_pairwise(data, {.repulsive = repulsive, .budget = Budget().with_threads(threads)});
      EXPECT_EQ(many.model.bias, one.model.bias);
      EXPECT_EQ(many.model.coupling, one.model.coupling);
      EXPECT_EQ(many.penalty, one.penalty);
    }
  }
}

TEST(PairwiseFit, TakesItemsThatAreNeverOrAlwaysThere) {
  const auto found =
      fit_pairwise({.items = 3, .sets = {{0}, {0, 1}, {0}}, .names = {}}, {.penalty = 1});
  for (const double b : found.model.bias) EXPECT_TRUE(std::isfinite(b));
  EXPECT_LT(found.model.bias[2], found.model.bias[1]);
  EXPECT_EQ(fit_pairwise({.items = 1, .sets = {{0}, {}}, .names = {}}).model.size(), 1U);
}

TEST(PairwiseFit, KeepsMemoryInBoundsForALargeCatalogue) {
  Random random(1);
  SetCollection data{.items = 10000, .sets = {}, .names = {}};
  for (int k = 0; k < 3000; ++k) {
    data.sets.emplace_back();
    for (int j = 0; j < 4; ++j) {
      const auto i = static_cast<std::uint32_t>(10000 * std::pow(random.uniform(), 3));
      if (std::ranges::find(data.sets.back(), i) == data.sets.back().end())
        data.sets.back().push_back(i);
    }
  }
  const auto found = fit_pairwise(data, {.penalty = 30, .iterations = 3});
  EXPECT_EQ(found.least_pair, 2);
  EXPECT_LE(found.pairs, 3000U * 16 / 2);  // by what met and by what was expected, over 2
  EXPECT_EQ(found.model.size(), 10000U);
}

TEST(PairwiseFit, TakesAsManyIterationsAsCanBePaid) {
  const SetCollection data = draws(known_field(7, 21), 400, 3);
  const PairwiseFit whole = fit_pairwise(data, {.penalty = 1});
  ASSERT_EQ(whole.status, Status::kConverged);
  EXPECT_FALSE(whole.unpaid);
  const double evaluation = whole.operations / static_cast<double>(whole.evaluations);
  EXPECT_GT(evaluation, 0);
  const PairwiseFit part = fit_pairwise(data, {.penalty = 1, .work = {2.5 * evaluation}});
  EXPECT_TRUE(part.unpaid);
  EXPECT_EQ(part.objective, fit_pairwise(data, {.penalty = 1, .iterations = 2}).objective);
  EXPECT_THROW(fit_pairwise(data, {.penalty = 1, .work = {4.9 * evaluation, 5}}), TooMuch);
}

TEST(PairwiseFit, PenaltiesShareTheWorkAndLeaveSomeForTheField) {
  const SetCollection data = draws(known_field(7, 21), 400, 3);
  const PairwiseFit whole = fit_pairwise(data);
  // A third of what all takes: of at most eight penalties, three folds each, and the field every training has a 25th, or more where
  // others took less. Some penalties are never tried, so that the field has as much as it needs.
  const PairwiseFit part = fit_pairwise(data, {.work = {whole.operations / 3}});
  EXPECT_LT(part.operations, whole.operations);
  EXPECT_FALSE(part.unpaid);
  // Work that does not bind changes no bit.
  const PairwiseFit rich = fit_pairwise(data, {.work = {1000 * whole.operations}});
  EXPECT_EQ(rich.model.bias, whole.model.bias);
  EXPECT_EQ(rich.evaluations, whole.evaluations);
  EXPECT_EQ(rich.operations, whole.operations);
}

TEST(PairwiseFit, EndsWhenToldAndRefusesWhatMakesNoSense) {
  const SetCollection data = draws(known_field(6, 3), 300, 8);
  const auto told =
      fit_pairwise(data, {.penalty = 3, .observer = [](std::size_t k, double) { return k < 3; }});
  EXPECT_EQ(told.status, Status::kInterrupted);
  EXPECT_LE(told.evaluations, 4U);
  const auto refusal = [&](const PairwiseFitOptions& options) -> std::string {
    try {
      fit_pairwise(data, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({.penalty = 0.0}), "pairwise: the penalty is 0, which must be finite and > 0");
  EXPECT_EQ(refusal({.smoothing = 0}),
            "pairwise: the smoothing is 0, which must be finite and > 0");
  EXPECT_EQ(refusal({.grid = {1, 2}}),
            "pairwise: penalty 2 of the grid must be finite, > 0 and below the one before");
}

}  // namespace
}  // namespace surefield
