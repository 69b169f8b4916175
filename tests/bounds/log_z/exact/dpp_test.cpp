#include "surefield/bounds/log_z/exact/dpp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "surefield/core/numeric.hpp"
#include "tests/support/random_kernel.hpp"
#include "tests/support/reference.hpp"
#include "tests/support/refusal.hpp"

namespace surefield {
namespace {

// log Z and marginals over the subsets the box allows, by enumeration.
ExactLogZ by_enumeration(const LogDet& model, const Box& box) {
  const Index n = model.size();
  const auto values = reference::all_values(model);
  std::vector<double> allowed;
  std::vector<std::vector<double>> with(n);
  for (std::size_t code = 0; code < values.size(); ++code) {
    bool inside = true;
    for (Index i = 0; i < n; ++i)
      inside = inside && box[i].contains(static_cast<double>(code >> i & 1));
    if (!inside) continue;
    allowed.push_back(values[code]);
    for (Index i = 0; i < n; ++i)
      if (code >> i & 1) with[i].push_back(values[code]);
  }
  ExactLogZ result{.log_z = log_sum_exp(allowed), .error = 0, .marginals = {}};
  for (const auto& terms : with)
    result.marginals.push_back(std::exp(log_sum_exp(terms) - result.log_z));
  return result;
}

TEST(Dpp, AgreesWithEnumerationOnEveryKindOfBox) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index n = seed % 9;
    Random random(seed);
    const LogDet model = make_log_det(testing::random_kernel(n, seed, 0.1, seed % 3));
    Box box = unit_box(n);
    for (Index i = 0; i < n; ++i)
      if (seed % 4 != 0 && random.chance(0.5)) box.fix(i, static_cast<double>(random.below(2)));
    const auto exact = exact_dpp(model, box);
    const auto truth = by_enumeration(model, box);
    EXPECT_NEAR(exact.log_z, truth.log_z, 1e-10) << "seed " << seed;
    for (Index i = 0; i < n; ++i)
      EXPECT_NEAR(exact.marginals[i], truth.marginals[i], 1e-10) << "seed " << seed;
  }
}

TEST(Dpp, TwoElementsByHand) {
  const auto exact = exact_dpp(make_log_det(Eigen::MatrixXd{{2.0, 1.0}, {1.0, 3.0}}));
  EXPECT_DOUBLE_EQ(exact.log_z, std::log(11));     // 1 + 2 + 3 + 5
  EXPECT_DOUBLE_EQ(exact.marginals[0], 7.0 / 11);  // (2 + 5) / 11
  EXPECT_DOUBLE_EQ(exact.marginals[1], 8.0 / 11);
}

TEST(Dpp, TinyMarginalsKeepTheirDigits) {
  const auto exact = exact_dpp(make_log_det(Eigen::MatrixXd{{1e-20, 0.0}, {0.0, 1e20}}));
  EXPECT_NEAR(exact.marginals[0], 1e-20, 1e-34);
  EXPECT_DOUBLE_EQ(exact.marginals[1], 1);
}

TEST(Dpp, NoElements) {
  const auto exact = exact_dpp(make_log_det(Eigen::MatrixXd(0, 0)));
  EXPECT_EQ(exact.log_z, 0);
  EXPECT_TRUE(exact.marginals.empty());
}

TEST(Dpp, RefusesWhatHasNoFormula) {
  const LogDet model = make_log_det(Eigen::MatrixXd{{2.0}});
  EXPECT_EQ(testing::refusal([&] { exact_dpp(model, 2); }),
            "dpp: the inverse temperature is 2, but the determinant formula holds for 1 only");
  EXPECT_EQ(testing::refusal([&] {
              exact_dpp(model, Box{{0.0}, {0.5}});
            }),
            "dpp: coordinate 0 has the interval [0, 0.5], which must be [0, 1], [0, 0] or [1, 1]");
  EXPECT_EQ(
      testing::refusal([&] {
        exact_dpp(model, Box{{0.5}, {0.5}});
      }),
      "dpp: coordinate 0 has the interval [0.5, 0.5], which must be [0, 1], [0, 0] or [1, 1]");
  EXPECT_EQ(testing::refusal([&] { exact_dpp(model, unit_box(2)); }),
            "box: it has 2 lower and 2 upper ends, but there are 1 coordinates");
}

}  // namespace
}  // namespace surefield
