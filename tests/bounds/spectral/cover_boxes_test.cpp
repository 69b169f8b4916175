#include "surefield/bounds/spectral/cover_boxes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/bounds/elbo/open_boxes.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/bounds/spectral/cover_search.hpp"
#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/global_search.hpp"
#include "tests/support/random_box.hpp"
#include "tests/support/random_coverage.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield {
namespace {

AnyModel contested(Index n, std::uint64_t seed) {
  return generate("contested-coverage", {.items = n, .groups = {}, .density = {}, .seed = seed});
}

double quadratic_at(const Quadratic& quadratic, const std::vector<double>& x) {
  const auto n = static_cast<Eigen::Index>(quadratic.size());
  Eigen::VectorXd free(n);
  for (Eigen::Index i = 0; i < n; ++i) free[i] = x[quadratic.item[static_cast<std::size_t>(i)]];
  return quadratic.constant + quadratic.bias.dot(free) + free.dot(quadratic.couplings * free) / 2;
}

std::vector<double> random_logits(Index count, double scale, Random& random) {
  std::vector<double> logit(count);
  for (double& one : logit) one = random.uniform(-scale, scale);
  return logit;
}

TEST(CoverQuadratic, LiesAboveTheCoverageWhateverTheShares) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 1 + random.below(6);
    const AnyModel model = testing::random_coverage(n, random.below(5), seed, seed % 3 == 0);
    const auto terms = cover_terms(model);
    ASSERT_TRUE(terms);
    const Box box = random.chance(0.3) ? unit_box(n) : testing::random_box(n, random);
    const double narrow = random.chance(0.7) ? 0 : std::pow(10, random.uniform(-9, 1));
    CoverQuadratic relaxed(*terms, box, narrow);
    relaxed.move(random_logits(relaxed.logits(), random.chance(0.5) ? 2 : 40, random));
    const Quadratic& quadratic = relaxed.quadratic();
    const double rounding = model.facts().value_error;
    for (int draw = 0; draw < 10; ++draw) {
      std::vector<double> x(n);
      for (Index i = 0; i < n; ++i)
        x[i] = box[i].clamp(random.chance(0.3)   ? box.low[i]
                            : random.chance(0.3) ? box.high[i]
                                                 : box.low[i] + random.uniform() * box[i].width());
      double truth = model.at(x).value();
      std::vector<bool> free(n, false);
      for (const Index i : quadratic.item) free[i] = true;
      for (Index i = 0; i < n; ++i)
        if (!free[i]) truth += entropy(x[i]);
      EXPECT_GE(quadratic_at(quadratic, x) + quadratic.error + rounding, truth);
    }
  }
}

TEST(CoverQuadratic, OneStarByHand) {
  // Two sure members: 1 - (1 - x)(1 - y) = x + y - x y is the star of either, exactly.
  const AnyModel model =
      make_coverage({0.5, 0.25}, {2}, std::vector<std::vector<Entry>>{{{0, 1}, {1, 1}}});
  const auto terms = cover_terms(model);
  CoverQuadratic relaxed(*terms, unit_box(2), 0);
  relaxed.move(std::vector<double>{0, 0, -800});
  EXPECT_DOUBLE_EQ(quadratic_at(relaxed.quadratic(), {0.5, 0.25}),
                   model.at(std::vector{0.5, 0.25}).value());
  relaxed.move(std::vector<double>{-800, -800, 0});  // 2 * 1 - 0.25 - 0.0625
  EXPECT_DOUBLE_EQ(quadratic_at(relaxed.quadratic(), {0.5, 0.25}), 1.6875);
}

TEST(CoverQuadratic, TakesSumsWithFieldsAndRefusesOtherTerms) {
  const AnyModel negative =
      make_coverage({0, 0}, {-1}, std::vector<std::vector<Entry>>{{{0, 1}, {1, 1}}});
  EXPECT_FALSE(cover_terms(negative));
  const auto field = cover_terms(AnyModel(testing::random_pairwise(4, 1, 1)), 2);
  ASSERT_TRUE(field);
  EXPECT_EQ(field->covers.size(), 0u);
  EXPECT_GT(field->pairs.size(), 0u);
}

TEST(CoverSearch, SlopesAreThoseOfDifferences) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const AnyModel model = contested(6, seed);
    const auto terms = cover_terms(model);
    const Box box = testing::random_box(6, random);
    CoverQuadratic relaxed(*terms, box, 0);
    if (relaxed.quadratic().size() == 0) continue;
    std::vector<double> logit = random_logits(relaxed.logits(), 1, random);
    relaxed.move(logit);
    const SpectralPoint at = dominant_point(relaxed.quadratic());
    SpectralBarrier barrier(relaxed.quadratic(), SpectralKind::kElbo);
    constexpr double kWeight = 0.2, kSoftness = 0.1;
    std::vector<double> slope(logit.size()), ignored(logit.size());
    const auto value = [&](std::vector<double>& out) {
      relaxed.move(logit);
      barrier.couple(relaxed.quadratic());
      EXPECT_TRUE(barrier.move(at));
      Eigen::VectorXd l, d;
      const double phi = barrier.value(kWeight, l, d);
      return phi + relaxed.slope(barrier, kWeight, kSoftness, out);
    };
    value(slope);
    for (int draw = 0; draw < 5; ++draw) {
      const Index k = random.below(logit.size());
      constexpr double kStep = 1e-5;
      const double before = logit[k];
      logit[k] = before + kStep;
      const double up = value(ignored);
      logit[k] = before - kStep;
      const double down = value(ignored);
      logit[k] = before;
      EXPECT_NEAR((up - down) / (2 * kStep), slope[k], 1e-6 * (1 + std::abs(slope[k])));
    }
  }
}

/// From every corner and some points between.
double best_cover_elbo(const AnyModel& model, double beta, const Box& box, Random& random) {
  const Index n = model.size();
  double best = -kInfinity;
  for (std::size_t code = 0; code < (std::size_t{1} << n) + 4; ++code) {
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i)
      x[i] =
          code >> n ? box[i].clamp(random.uniform()) : (code >> i & 1 ? box.high[i] : box.low[i]);
    best = std::max(best, coordinate_ascent(Elbo(model.at(x), beta), box, Order::natural(n),
                                            {.epochs = 500, .tolerance = 1e-11})
                              .value);
  }
  return best;
}

TEST(CoverBoxes, CloseTheGapAndAreNeverBelow) {
  int closed = 0, asked = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.below(7);
    const double beta = seed % 3 == 0 ? 3 : 1;
    AnyModel model = testing::random_coverage(n, random.below(6), seed, seed % 2 == 0);
    if (seed % 5 == 0 && n > 0) model = contested(n, seed);
    const auto terms = cover_terms(model, beta);
    ASSERT_TRUE(terms);
    const Box box = random.chance(0.6) ? unit_box(n) : testing::random_box(n, random);
    const Facts facts = model.facts().times(beta);
    const PassRounding rounding = pass_rounding(facts, n);
    const auto report =
        cover_boxes(model, *terms, beta, box, box.low, {.relative_gap = 1e-3, .nodes = 300},
                    contraction_slack(rounding.slope));
    const double best = best_cover_elbo(model, beta, box, random);
    EXPECT_GE(report.bound + rounding.value, best);
    if (n <= 4) {
      const auto value = [&](std::span<const double> x) { return Elbo(model.at(x), beta).value(); };
      EXPECT_GE(report.bound + rounding.value, testing::global_maximum(value, box, 5));
    }
    EXPECT_LE(report.value, best + 1e-9 * (1 + std::abs(best)) + rounding.value);
    require_inside(box, report.point);
    ++asked, closed += report.status == Status::kConverged;
  }
  EXPECT_GE(closed, asked * 9 / 10);
}

TEST(CoverBoxes, ContestedCoverageToOnePerCentOnAnyNumberOfThreads) {
  const AnyModel model = contested(22, 2);
  const auto terms = cover_terms(model, 3);
  const auto run = [&](unsigned threads) {
    return cover_boxes(model, *terms, 3, unit_box(22), std::vector<double>(22, 0.5),
                       {.relative_gap = 1e-2, .budget = Budget().with_threads(threads)});
  };
  const auto one = run(1), three = run(3);
  EXPECT_EQ(one.status, Status::kConverged);
  EXPECT_EQ(one.bound, three.bound);
  EXPECT_EQ(one.point, three.point);
  EXPECT_EQ(one.nodes, three.nodes);
}

TEST(CoverBoxes, StopAtOnceAndKeepWhatIsKnown) {
  const AnyModel model = contested(12, 1);
  const auto terms = cover_terms(model);
  const std::vector<double> start(12, 0.5);
  const auto report = cover_boxes(model, *terms, 1, unit_box(12), start,
                                  {.known_bound = 1e6, .budget = Budget().within(0)});
  EXPECT_EQ(report.status, Status::kInterrupted);
  EXPECT_EQ(report.bound, 1e6);
  EXPECT_THROW(
      cover_boxes(model, *terms, 1, unit_box(12), start, {.budget = Budget().with_operations(100)}),
      TooMuch);
}

TEST(OpenBoxes, GiveUpTheLeastAndRememberThem) {
  struct Node {
    double bound;
  };
  OpenBoxes<Node> open(8);
  EXPECT_EQ(open.upper(), -kInfinity);
  for (int k = 1; k <= 9; ++k) open.push({static_cast<double>(k)});
  EXPECT_EQ(open.size(), 7u);  // of eight the least two are given up before the ninth comes
  EXPECT_EQ(open.upper(), 9);
  EXPECT_TRUE(open.can_fall());
  for (int k = 9; k >= 3; --k) EXPECT_EQ(open.pop().bound, k);
  EXPECT_TRUE(open.empty());
  EXPECT_EQ(open.upper(), 2);
  open.push({1.5});
  EXPECT_FALSE(open.can_fall());
}

}  // namespace
}  // namespace surefield
