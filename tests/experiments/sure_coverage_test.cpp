// Sure coverage, certified: a tiny one, in all formats.
#include "surefield/experiments/sure_coverage.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "surefield/api/generate.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"

namespace surefield {
namespace {

TEST(SureCoverage, OfFewItemsIsCertifiedBelowLogZ) {
  std::vector<double> done;
  const SureCoverage study =
      sure_coverage({.sizes = {8, 22}, .betas = {3}, .seed = 2, .progress = [&](double fraction) {
                       done.push_back(fraction);
                     }});
  EXPECT_TRUE(study.complete);
  EXPECT_EQ(done, (std::vector{0.5, 1.0}));
  ASSERT_EQ(study.rows.size(), 2U);
  for (const auto& row : study.rows) {
    const Problem problem =
        make_problem(generate("contested-coverage", {.items = row.n, .seed = 2}));
    const LogZOptions exact{.goal = LogZGoal::kExact, .inverse_temperature = row.beta};
    EXPECT_LE(row.elbo, log_z(problem, exact).upper.value());
    const InferOptions again{.inverse_temperature = row.beta, .quick_proof = false};
    EXPECT_GE(row.elbo, infer(problem, again).elbo - 1e-9);  // of this problem, not of another seed
    EXPECT_GE(row.upper_bound, row.elbo);
    EXPECT_LE(row.gap(), 1e-2 * (1 + 1e-9));
  }
  const auto json = nlohmann::json::parse(sure_coverage_json(study));
  EXPECT_EQ(json["experiment"], "coverage");
  EXPECT_EQ(json["rows"][1]["n"], 22);
  EXPECT_EQ(json["rows"][0]["upper_bound"].get<double>(), study.rows[0].upper_bound);
  EXPECT_TRUE(sure_coverage_csv(study).starts_with(
      "n,beta,elbo,upper_bound,gap,bound_method,seconds\n8,3,"));
  EXPECT_NE(sure_coverage_text(study).find("proved by"), std::string::npos);
}

TEST(SureCoverage, TheGapIsRelativeToTheElbo) {
  SureCoverageRow row;
  row.elbo = 4, row.upper_bound = 5;
  EXPECT_DOUBLE_EQ(row.gap(), 0.25);
  row.elbo = -4, row.upper_bound = -3;
  EXPECT_DOUBLE_EQ(row.gap(), 0.25);
}

TEST(SureCoverage, StopsWhenToldTo) {
  const SureCoverage study = sure_coverage({.budget = Budget().asking([] { return false; })});
  EXPECT_FALSE(study.complete);
  EXPECT_TRUE(study.rows.empty());
  EXPECT_NE(sure_coverage_text(study).find("stopped early"), std::string::npos);
}

}  // namespace
}  // namespace surefield
