#include "surefield/bounds/log_z/exact/flid_exact.hpp"

#include <gtest/gtest.h>

#include "surefield/bounds/log_z/exact/enumeration.hpp"
#include "tests/support/flid_file.hpp"
#include "tests/support/log_z_reference.hpp"
#include "tests/support/random_fldc.hpp"
#include "tests/support/random_flid.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

template <class M>
void check_flid_exact(const M& model, std::uint64_t seed) {
  const Box box = testing::random_fixed_box(model.size(), seed);
  for (const double beta : {0.0, 0.3, 1.0, 3.0}) {
    const auto truth = testing::exact_by_definition(model, box, beta);
    const auto exact = flid_exact(
        model, &box, {.beta = beta, .budget = Budget().with_threads(seed % 2 ? 1u : 2u)});
    const double tolerance = 1e-12 * testing::scale_of(truth, beta);
    ASSERT_NEAR(exact.log_z, truth.log_z, tolerance) << "seed " << seed << " beta " << beta;
    for (Index i = 0; i < model.size(); ++i)
      ASSERT_NEAR(exact.marginals[i], truth.marginals[i], 2 * tolerance)
          << "seed " << seed << " beta " << beta << " item " << i;
  }
}

TEST(FlidExact, AgreesWithTheDefinitionOnEveryKindOfBox) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Index n = seed % 8;
    check_flid_exact(testing::random_flid(n, n == 0 ? 0 : seed % 5, seed), seed);
    check_flid_exact(testing::random_facility(n, seed % 4, seed), seed);
    check_flid_exact(testing::random_facility(n, 3, seed, true), seed);  // negative benefits
  }
}

TEST(FlidExact, TwoItemsByHand) {
  // u' = (1 - 2, 1 - 3); F = 0, 1, 1, -1 - 2 + 3 = 0
  const auto exact = flid_exact(make_flid({1.0, 1.0}, {2.0, 3.0}, 1));
  const double z = 2 + 2 * std::exp(1);
  EXPECT_NEAR(exact.log_z, std::log(z), 1e-15);
  EXPECT_NEAR(exact.marginals[0], 0.5, 1e-15);
  EXPECT_NEAR(exact.marginals[1], 0.5, 1e-15);
}

TEST(FlidExact, SlopesAreTheChancesOfBeingTheBest) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = 1 + seed % 7, dimensions = seed % 5;
    const Flid model = testing::random_flid(n, dimensions, seed);
    const double beta = seed % 3 == 0 ? 0.5 : 1;
    const FlidExactSlopes slopes =
        flid_exact_slopes(model, {.beta = beta, .budget = Budget().with_threads(1)});
    const ExactLogZ exact =
        flid_exact(model, nullptr, {.beta = beta, .budget = Budget().with_threads(1)});
    EXPECT_EQ(slopes.log_z, exact.log_z);
    std::vector<double> values;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code)
      values.push_back(beta * model.evaluate(reference::subset(code, n)));
    std::vector<double> best(n * dimensions, 0.0);
    for (std::uint64_t code = 1; code < values.size(); ++code)
      for (Index d = 0; d < dimensions; ++d) {
        Index top = n;  // ties go to the higher index
        for (Index i = 0; i < n; ++i)
          if ((code >> i & 1) != 0 && (top == n || model.weight(i, d) >= model.weight(top, d)))
            top = i;
        best[top * dimensions + d] += std::exp(values[code] - exact.log_z);
      }
    ASSERT_EQ(slopes.best.size(), best.size());
    for (Index k = 0; k < best.size(); ++k) EXPECT_NEAR(slopes.best[k], best[k], 1e-12) << seed;
    for (Index i = 0; i < n; ++i)
      EXPECT_NEAR(slopes.marginals[i], exact.marginals[i], 1e-12) << seed;
  }
}

TEST(FlidExact, SlopesOfAnFldcAreTheChancesOfBeingTheBestOfADimensionOrConcept) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Index n = 1 + seed % 7, dimensions = seed % 3, concepts = seed % 4;
    const Index columns = dimensions + concepts;
    const Fldc model = testing::random_fldc(n, dimensions, concepts, seed);
    const FlidExactSlopes slopes = flid_exact_slopes(model);
    std::vector<double> values;
    for (std::uint64_t code = 0; code < std::uint64_t{1} << n; ++code)
      values.push_back(model.evaluate(reference::subset(code, n)));
    const double log_z = reference::log_z(values);
    EXPECT_NEAR(slopes.log_z, log_z, 1e-12 * (1 + std::abs(log_z))) << seed;
    std::vector<double> best(n * columns, 0.0), in(n, 0.0);
    for (std::uint64_t code = 1; code < values.size(); ++code) {
      const double chance = std::exp(values[code] - log_z);
      for (Index i = 0; i < n; ++i)
        if ((code >> i & 1) != 0) in[i] += chance;
      for (Index c = 0; c < columns; ++c) {
        const auto entry = [&](Index i) {
          return c < dimensions ? model.weight(i, c) : model.together(i, c - dimensions);
        };
        Index top = n;  // ties go to the higher index
        for (Index i = 0; i < n; ++i)
          if ((code >> i & 1) != 0 && (top == n || entry(i) >= entry(top))) top = i;
        best[top * columns + c] += chance;
      }
    }
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(slopes.marginals[i], in[i], 1e-12) << seed;
    if (columns == 0) continue;
    ASSERT_EQ(slopes.best.size(), best.size());
    for (Index k = 0; k < best.size(); ++k) EXPECT_NEAR(slopes.best[k], best[k], 1e-12) << seed;
  }
}

TEST(FlidExact, AgreesWithEnumerationOfTwentyItems) {
  const Flid model = testing::random_flid(18, 4, 3);
  const auto exact = flid_exact(model);
  const auto counted = enumerate_log_z(model);
  EXPECT_NEAR(exact.log_z, counted.log_z, 1e-11);
  for (Index i = 0; i < model.size(); ++i)
    EXPECT_NEAR(exact.marginals[i], counted.marginals[i], 1e-11);
  EXPECT_EQ(flid_exact(model, nullptr, {.budget = Budget().with_threads(1)}).log_z, exact.log_z);
  EXPECT_EQ(flid_exact(model, nullptr, {.budget = Budget().with_threads(2)}).marginals,
            exact.marginals);
}

TEST(FlidExact, MarginalsAreTheDerivativeInTheUtilities) {
  const Flid model = testing::random_flid(40, 2, 9);
  const auto exact = flid_exact(model);
  for (Index i = 0; i < 40; i += 13) {
    auto up = model.utility, down = model.utility;
    up[i] += 1e-4, down[i] -= 1e-4;
    const double slope = (flid_exact(make_flid(up, model.weights, 2)).log_z -
                          flid_exact(make_flid(down, model.weights, 2)).log_z) /
                         2e-4;
    EXPECT_NEAR(exact.marginals[i], slope, 1e-8);
  }
}

// Values from exact_lnZ_D2_D3.csv beside the models.
TEST(FlidExact, PublicModels) {
  std::ifstream table(testing::data_folder() / "flid_golden" / "exact_lnZ_D2_D3.csv");
  if (!table) GTEST_SKIP() << "no data: set SUREFIELD_DATA";
  const bool all = std::getenv("SUREFIELD_ALL") != nullptr;
  std::string line;
  std::getline(table, line);
  for (int row = 0; std::getline(table, line); ++row) {
    if (!all && row % 30 != 7) continue;
    const std::string name = line.substr(0, line.find(','));
    const auto model = testing::flid_of_file(name);
    ASSERT_TRUE(model) << name;
    const auto third = line.find(',', line.find(',', line.find(',') + 1) + 1);
    const double log_z = std::stod(line.substr(third + 1));
    EXPECT_NEAR(flid_exact(*model, nullptr, {.marginals = all}).log_z, log_z, 1e-9) << name;
  }
}

TEST(FlidExact, Refusals) {
  const Flid model = testing::random_flid(100, 5, 1);
  EXPECT_EQ(testing::refusal([&] { flid_exact(model, nullptr, {.limit = 1e5}); }),
            "exact flid: 100 free items in 5 dimensions take more steps than the limit of 1e+05");
  EXPECT_EQ(testing::refusal([&] { flid_exact(model, nullptr, {.beta = -1}); }),
            "exact flid: the inverse temperature is -1, which must be finite and >= 0");
}

}  // namespace
}  // namespace surefield
