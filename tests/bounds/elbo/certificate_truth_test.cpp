// A certificate that is wrong once is a broken product. Over 20,000 random small problems, all
// families, boxes, temperatures, orders and rules: no upper bound is below the best value that any
// search finds.
#include <gtest/gtest.h>

#include <cmath>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_any_model.hpp"

namespace surefield {
namespace {

Box box_with_points(Index n, Random& random) {
  Box box = unit_box(n);
  if (random.chance(0.4)) return box;
  for (Index i = 0; i < n; ++i) {
    if (random.chance(0.15))
      box.fix(i, random.chance(0.5) ? 1 : random.chance(0.5) ? 0 : random.uniform());
    if (box[i].is_point() || random.chance(0.3)) continue;
    const double u = random.uniform();
    const double v = random.uniform();
    box.low[i] = random.chance(0.3) ? 0 : std::min(u, v);
    box.high[i] = random.chance(0.3) ? 1 : std::max(u, v);
  }
  return box;
}

/// The best value that coordinate ascent finds from the corners, the middle and random points of
/// the box.
template <class At>
double best_found(At&& at, const Box& box, Random& random) {
  const Index n = box.size();
  double best = -kInfinity;
  const auto climb = [&](const std::vector<double>& x) {
    best = std::max(best, at(x).value());
    best = std::max(best, coordinate_ascent(at(x), box, Order::natural(n), {.epochs = 60}).value);
  };
  climb(box.low);
  climb(box.high);
  for (int k = 0; k < 3; ++k) {
    std::vector<double> x(n);
    for (Index i = 0; i < n; ++i)
      x[i] = random.chance(0.3) ? (random.chance(0.5) ? box.low[i] : box.high[i])
                                : box[i].clamp(random.uniform(box.low[i], box.high[i]));
    climb(x);
  }
  return best;
}

void check(const AnyModel& model, std::uint64_t seed, std::size_t& checked) {
  Random random(seed);
  const Index n = model.size();
  const double beta = random.chance(0.5) ? 1 : std::pow(10, random.uniform(-2, 1));
  const Box box = box_with_points(n, random);
  const auto at = [&](std::span<const double> x) { return Elbo(model.at(x), beta); };
  const auto order = permutation(n, random);
  const std::vector<double> hint(n, random.uniform());
  const double best = best_found(at, box, random);
  const PassRounding rounding = pass_rounding(model.facts().times(beta), n);
  Box inner = box;
  const bool holds =
      contract(at(box.low), box, inner, {.slack = contraction_slack(rounding.slope)});
  EXPECT_TRUE(holds) << "the whole box was said to hold no optimum";
  for (const Box& where : {box, inner}) {
    const Elbo bottom = at(where.low);
    const Elbo top = at(where.high);
    const auto bounded = [&](const DoubleGreedyReport& result, const char* rule) {
      ++checked;
      ASSERT_TRUE(result.antitone) << rule;
      ASSERT_GE(*result.report.upper_bound, best)
          << rule << ", short by " << best - *result.report.upper_bound;
      ASSERT_LE(result.report.value, *result.report.upper_bound) << rule;
    };
    bounded(double_greedy(bottom, top, order, Proportional{}, false, rounding), "Proportional");
    bounded(double_greedy(bottom, top, order, Winner{}, false, rounding), "Winner");
    bounded(double_greedy(bottom, top, order, Balanced{}, false, rounding), "Balanced");
    bounded(double_greedy(bottom, top, order, Equalised{}, false, rounding), "Equalised");
    bounded(double_greedy(bottom, top, order, Guarded{hint}, false, rounding), "Guarded");
  }
}

TEST(Certificate, IsNeverBelowTheBestValueFound) {
  std::size_t problems = 0;
  std::size_t checked = 0;
  for (std::uint64_t seed = 1; problems < 20000; ++seed) {
    const AnyModel any =
        testing::random_any_model(seed % (testing::kBasicKinds + 1), seed % 7, seed);
    if (is_estimated(any) || submodularity_violation(any)) continue;
    SCOPED_TRACE(::testing::Message() << kind_of(any) << ", seed " << seed);
    check(any, seed, checked);
    if (::testing::Test::HasFailure()) return;
    ++problems;
  }
  EXPECT_EQ(checked, 10 * problems) << "five rules on the box and on the contracted box";
}

}  // namespace
}  // namespace surefield
