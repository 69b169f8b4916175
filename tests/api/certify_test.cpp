#include "surefield/api/certify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/io/formats.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_any_model.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/shared_data.hpp"

namespace surefield {
namespace {

AnyModel contested_model(Index n, std::uint64_t seed) {
  return generate("contested-coverage", {.items = n, .groups = {}, .density = {}, .seed = seed});
}

/// The best of many runs from random points, none of which may beat a proof.
double best_found(const Problem& problem, double beta, int starts) {
  double best = -kInfinity;
  for (int k = 0; k < starts; ++k) {
    InferOptions how{
        .algorithm = "coordinate-ascent", .inverse_temperature = beta, .start = "random"};
    how.seed = static_cast<std::uint64_t>(k + 1);
    best = std::max(best, infer(problem, how).elbo);
  }
  return best;
}

std::optional<double> log_z_above(const Problem& problem, double beta) {
  return log_z(problem, {.goal = LogZGoal::kQuick, .inverse_temperature = beta}).sound().upper;
}

TEST(Certify, NoSearchBeatsAProofInAnyFamily) {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const AnyModel any =
        testing::random_any_model(seed % (testing::kBasicKinds + 1), seed % 7, seed);
    if (is_estimated(any) || submodularity_violation(any)) continue;
    SCOPED_TRACE(::testing::Message() << kind_of(any) << ", seed " << seed);
    Random random(seed);
    Box box = unit_box(size_of(any));
    if (seed % 3 == 0)
      for (Index i = 0; i < box.size(); ++i) {
        box.low[i] = random.uniform(0, 0.4);
        box.high[i] = random.chance(0.2) ? box.low[i] : random.uniform(0.4, 1);
      }
    const double beta = seed % 2 == 0 ? 1 : random.uniform(0.1, 3);
    const Problem problem = make_problem(any, {}, box);
    const Result result = infer(problem, {.inverse_temperature = beta, .certify = 5});
    ASSERT_NE(result.status, Status::kFailed);
    ASSERT_TRUE(result.upper_bound.has_value());
    const double found = best_found(problem, beta, 8);
    EXPECT_LE(found, *result.upper_bound);
    EXPECT_LE(found, result.elbo + 1e-6 * std::max(1.0, std::abs(found)) +
                         (*result.upper_bound - result.elbo));
    proved += result.certified_global;
  }
  EXPECT_GT(proved, 150);
}

TEST(Certify, FindsTheOptimumOfTheHardGridAndOfATriangle) {
  const Result grid =
      infer(make_problem(generate("hard-grid", {.items = 49, .seed = 2})), {.certify = 20});
  EXPECT_TRUE(grid.certified_global);
  const std::vector<Edge> odd{
      {0, 1, -2}, {1, 2, -2}, {0, 2, -2}};  // an odd cycle: not balanced, bounded by edges
  const Result triangle = infer(make_problem(make_pairwise_field({1, 1, 1}, odd)), {.certify = 1});
  EXPECT_TRUE(triangle.certified_global) << *triangle.upper_bound - triangle.elbo;
  // An odd number of couplings < 0 around one triangle, of couplings > 0 around the other: no flips
  // make all of one sign, either way.
  const std::vector<Edge> either{{0, 1, -2}, {1, 2, -2}, {0, 2, -2},
                                 {3, 4, 2},  {4, 5, -2}, {3, 5, -2}};
  const Result frustrated = infer(
      make_problem(make_pairwise_field({1, 1, 1, 1, 1, 1}, either), {}, {}, {.no_guarantee = true}),
      {.certify = 0.5});
  ASSERT_TRUE(frustrated.upper_bound.has_value());
  EXPECT_TRUE(frustrated.certified_global) << *frustrated.upper_bound - frustrated.elbo;
  EXPECT_NE(frustrated.guarantee.find("spectral bound"), std::string::npos) << frustrated.guarantee;
}

TEST(Certify, ProvesFieldsWithOddCycles) {
  // Every third edge of a random graph, so that cycles of every length are there.
  int edges_alone = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = 14;
    std::vector<double> bias(n);
    for (double& b : bias) b = random.uniform(0, 5);
    const PairwiseField field =
        make_pairwise_field(bias, testing::random_edges(n, 0.33, -4, 0, random));
    const Problem problem = make_problem(field);
    const Result start = infer(problem, {.algorithm = "coordinate-ascent"});
    const auto proof = certify(problem, start.marginals, start.elbo, {.effort = 3000});
    ASSERT_TRUE(proof.has_value());
    EXPECT_EQ(proof->status, Status::kConverged);
    EXPECT_LE(best_found(problem, 1, 20), proof->bound.value);
    const auto quick = certify(problem, start.marginals, start.elbo, {.effort = 1});
    EXPECT_GE(quick->bound.value, proof->bound.value - 1e-6 * proof->value);
    edges_alone += quick->status == Status::kConverged;
  }
  EXPECT_LE(edges_alone, 4) << "there is something for branch and bound to do";
}

TEST(Certify, ProvesFieldsOfBothSignsByTheirSpectrum) {
  Random random(11);
  std::vector<Edge> edges;
  std::vector<double> bias;
  for (std::uint32_t i = 0; i < 30; ++i) {
    bias.push_back(random.uniform(-1, 1));
    for (std::uint32_t j = i + 1; j < 30; ++j) edges.push_back({i, j, random.uniform(-1, 1)});
  }
  const Problem problem =
      make_problem(make_pairwise_field(bias, edges), {}, {}, {.no_guarantee = true});
  ASSERT_FALSE(problem.is_submodular());
  const Result quick = infer(problem, {});
  ASSERT_TRUE(quick.upper_bound.has_value());
  const Result proved = infer(problem, {.certify = 20, .wanted_gap = 0.01});
  EXPECT_EQ(proved.upper_bound_method, "spectral bound");
  EXPECT_EQ(proved.basis, Basis::kProved);
  EXPECT_LE(*proved.upper_bound, proved.elbo * 1.01 + 1e-6);
  EXPECT_LE(best_found(problem, 1, 20), *proved.upper_bound);
}

// A gap of many nats: faces, in which items are in or out, are good enough for it, and every one of their bounds holds for the best of
// many starts as well.
TEST(Certify, ProvesWideGapsOfStrongFieldsByTheirFaces) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem =
        make_problem(testing::frustrated_field(24, seed, 100), {}, {}, {.no_guarantee = true});
    const Result start = infer(problem, {.quick_proof = false});
    const auto proof =
        certify(problem, start.marginals, start.elbo, {.wanted_gap = 0.02, .effort = 300});
    ASSERT_TRUE(proof.has_value());
    EXPECT_EQ(proof->bound.method, "spectral bounds of faces");
    EXPECT_EQ(proof->bound.basis, Basis::kProved);
    EXPECT_LE(best_found(problem, 1, 20), proof->bound.value);
    EXPECT_LE(proof->bound.value, 1.02 * proof->value + 1e-6);
  }
}

TEST(Certify, ProvesSumsOfAFlidAndAField) {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 10;
    Random random(seed);
    const auto sum =
        make_weighted_sum(n, {{1, testing::random_flid(n, 3, seed)},
                              {seed % 2 == 0 ? 0.5 : 2.0, testing::random_pairwise(n, 0.4, seed)}});
    const Problem problem = make_problem(sum);
    const Result start = infer(problem, {.algorithm = "coordinate-ascent"});
    const auto proof = certify(problem, start.marginals, start.elbo, {.effort = 2000});
    ASSERT_TRUE(proof.has_value());
    EXPECT_GE(proof->value, start.elbo);
    EXPECT_LE(best_found(problem, 1, 20), proof->bound.value);
    proved += proof->status == Status::kConverged;
  }
  EXPECT_GE(proved, 9);
}

TEST(Certify, ProvesCoverageAndMixedSums) {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 1 + seed % 6;
    const Coverage coverage = testing::random_coverage(n, 4, seed);
    const auto sum = make_weighted_sum(
        n, {{0.5, coverage}, {2, testing::random_facility(n, 3, seed)}, {1, coverage}});
    for (const AnyModel& any : {AnyModel(coverage), AnyModel(sum)}) {
      const Problem problem = make_problem(any);
      const std::vector<double> start(n, 0.5);
      const double value = Elbo(any.at(start)).value();
      const auto proof = certify(problem, start, value, {.effort = 100});
      ASSERT_TRUE(proof.has_value());
      EXPECT_TRUE(proof->bound.method.starts_with("branch and bound over ")) << proof->bound.method;
      EXPECT_GE(proof->value, value);
      EXPECT_LE(best_found(problem, 1, 8), proof->bound.value);
      proved += proof->status == Status::kConverged;
    }
  }
  EXPECT_GE(proved, 50);
}

/// From the middle, to the gap that is wanted, by this method; no run from a random point beats it.
void expect_proof(const Problem& problem, const CertifyOptions& how, const std::string& method) {
  const double beta = how.inverse_temperature;
  const std::vector<double> start(problem.size(), 0.5);
  const auto proof = certify(problem, start, Elbo(problem.model.at(start), beta).value(), how);
  ASSERT_TRUE(proof.has_value());
  EXPECT_EQ(proof->status, Status::kConverged);
  EXPECT_EQ(proof->bound.method, method);
  EXPECT_LE(best_found(problem, beta, 20), proof->bound.value);
  EXPECT_LE(proof->bound.value, (1 + how.wanted_gap) * proof->value + 1e-6);
}

TEST(Certify, ProvesContestedSureCoverageToOnePerCent) {
  expect_proof(make_problem(contested_model(24, 1)),
               {.inverse_temperature = 3, .wanted_gap = 0.01, .budget = Budget().within(60)},
               "branch and bound of log Z");
}

TEST(Certify, WhereBoxesLeaveFewContestedItemsBehindQuadraticsGoOn) {
  expect_proof(make_problem(contested_model(16, 2)), {.wanted_gap = 0.01, .effort = 2000},
               "branch and bound over quadratics above terms");
}

TEST(Certify, ProvesGibbsFieldsByQuadraticsAboveTheirTerms) {
  expect_proof(
      make_problem(generate("gibbs", {.items = 40, .groups = {}, .density = {}, .seed = 1})),
      {.inverse_temperature = 5, .wanted_gap = 0.001, .effort = 300},
      "branch and bound over quadratics above terms");
}

TEST(Certify, BoundsContestedCoverageByLogZOverSetsOnAnyBox) {
  constexpr double kBeta = 3;
  int by_sets = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    const Index n = 21;
    Box box = unit_box(n);
    box.fix(0, seed % 2 == 0 ? 1 : 0);
    const bool inner =
        seed >= 3;  // an item that is neither in, out nor free, and missed where it is out
    if (inner) {
      const auto x = infer(make_problem(contested_model(n, seed)), {.inverse_temperature = kBeta});
      const auto best = std::max_element(x.marginals.begin() + 1, x.marginals.end());
      const auto item = static_cast<std::size_t>(best - x.marginals.begin());
      box.low[item] = 0.9, box.high[item] = 0.95;
    }
    const Problem problem = make_problem(contested_model(n, seed), {}, box);
    const Result start = infer(problem, {.inverse_temperature = kBeta});
    const auto proof = certify(problem, start.marginals, start.elbo,
                               {.inverse_temperature = kBeta, .wanted_gap = 0.05, .effort = 1000});
    ASSERT_TRUE(proof);
    EXPECT_GE(proof->bound.value, best_found(problem, kBeta, 10));
    EXPECT_GE(proof->value, start.elbo);
    by_sets += proof->bound.method == "branch and bound of log Z";
    if (inner || proof->bound.method != "branch and bound of log Z") continue;
    const LogZOptions exact{.goal = LogZGoal::kExact, .inverse_temperature = kBeta};
    EXPECT_GE(proof->bound.value, log_z(problem, exact).lower.value());
  }
  EXPECT_GE(by_sets, 1);
}

TEST(Certify, AKnownBoundCapsThatOfEveryMethod) {
  int capped = 0;
  for (const auto& row : generator_table())
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(::testing::Message() << row.name << ", seed " << seed);
      const double beta = static_cast<double>(2 * seed);
      const Problem problem =
          make_problem(generate(row.name, {.items = 14, .groups = 8, .seed = seed}), {}, {},
                       {.no_guarantee = true});
      if (is_estimated(problem.model) || !problem.is_submodular()) continue;
      const Result start =
          infer(problem, {.algorithm = "coordinate-ascent", .inverse_temperature = beta});
      CertifyOptions how{.inverse_temperature = beta, .effort = 1};
      const auto alone = certify(problem, start.marginals, start.elbo, how);
      ASSERT_TRUE(alone.has_value());
      if (const auto log_z = log_z_above(problem, beta)) {
        EXPECT_LE(best_found(problem, beta, 8), *log_z);
        how.known_bound = *log_z;
        const auto both = certify(problem, start.marginals, start.elbo, how);
        const double tolerance = 1e-5 * std::abs(*log_z);  // more than the wanted gap
        EXPECT_LE(both->bound.value, std::min(alone->bound.value, *log_z) + tolerance);
      }
      if (alone->bound.value - alone->value < 1e-4 * std::abs(alone->value)) continue;
      how.known_bound = (alone->bound.value + alone->value) / 2;  // taken at its word, true or not
      const auto told = certify(problem, start.marginals, start.elbo, how);
      EXPECT_LE(told->bound.value, std::max(told->value, how.known_bound * (1 + 1e-6)));
      EXPECT_GE(told->bound.value, told->value);
      EXPECT_EQ(told->bound.method, "an upper bound of log Z");
      ++capped;
    }
  EXPECT_GE(capped, 3);
}

TEST(Certify, LogZOfTheSetsInReachBoundsAnInnerBox) {
  // Item 0 in [0.2, 0.6] may be in a set or not; item 1 is out. So log Z over the sets of items 0
  // and 2, log((1 + e^1)(1 + e^2)) = 3.4402 where nothing interacts, is above every ELBO of the
  // box.
  const PairwiseField field = make_pairwise_field({1, 5, 2}, {});
  const Problem problem = make_problem(field, {}, {{0.2, 0, 0}, {0.6, 0, 1}});
  const Result found = infer(problem, {});
  EXPECT_LE(*found.upper_bound, std::log((1 + std::exp(1)) * (1 + std::exp(2))) + 1e-9);
  EXPECT_FALSE(found.log_z_upper.has_value()) << "0.2 to 0.6 says nothing of sets";
  EXPECT_LE(found.elbo, *found.upper_bound);
}

TEST(Certify, RefusesAKnownBoundThatIsNoNumber) {
  const Problem problem = make_problem(make_pairwise_field({1, 1}, {}));
  EXPECT_EQ(testing::refusal([&] {
              certify(problem, std::vector<double>{0.5, 0.5}, 0, {.known_bound = std::nan("")});
            }),
            "certify: the known bound is nan, which must be a number");
}

TEST(Certify, ProvesEveryModelOfTheAuthorsTried) {
  SUREFIELD_NEEDS_DATA("flid");
  for (const char* name : {"furniture_flid_d_2_fold_1.txt", "safety_flid_d_3_fold_4.txt",
                           "bedding_flid_d_10_fold_7.txt"}) {
    SCOPED_TRACE(name);
    const auto model = testing::shared_data("flid") / name;
    const Result result =
        infer(make_problem(read_model(model.string(), {.format = "flid"}).model), {.certify = 20});
    EXPECT_TRUE(result.certified_global);
  }
}

}  // namespace
}  // namespace surefield
