// The paper's example of a bad local optimum (appendix A), corrected: the directed cut with arcs
// 1->2, 2->3, 3->4 of weight c and 3->2 of weight b c, at y = (1/2, 1, 0, 1/2). The derivative
// along 2 has a term -c x_1 that the paper leaves out, so g_2(y) = c/2 and y is no stationary
// point; coordinate ascent from y is trapped only if c is large against log b.
#include <gtest/gtest.h>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

const std::vector<double> kTrap{0.5, 1, 0, 0.5};

GraphCut example(double b, double c) {
  return make_graph_cut({0, 0, 0, 0}, {{0, 1, c}, {1, 2, c}, {2, 3, c}, {2, 1, b * c}}, true);
}

double ascend_from(const GraphCut& model, const std::vector<double>& start) {
  return coordinate_ascent(Elbo(model.at(start)), unit_box(4), Order::natural(4)).value;
}

TEST(BadLocalOptimum, ValuesAndSlopesByHand) {
  const GraphCut model = example(10, 20);
  const auto state = model.at(kTrap);
  EXPECT_NEAR(Elbo(state).value(), 20 + 2 * std::log(2), 1e-12);  // c + 2 log 2
  EXPECT_DOUBLE_EQ(state.partial(0), 0);
  EXPECT_DOUBLE_EQ(state.partial(1), 10);   // c/2: c (1 - x_3) - b c x_3 - c x_1
  EXPECT_DOUBLE_EQ(state.partial(2), -10);  // -c x_2 + c (1 - x_4) + b c (1 - x_2)
  EXPECT_DOUBLE_EQ(Elbo(model.at(std::vector<double>{1, 0, 1, 0})).value(), 240);  // (2 + b) c
}

TEST(BadLocalOptimum, CoordinateAscentIsTrappedOnlyIfTheWeightIsLarge) {
  EXPECT_GT(ascend_from(example(10, 10), kTrap), 12 * 10) << "b = 10, c = 10: it escapes";
  EXPECT_LT(ascend_from(example(10, 20), kTrap), 30)
      << "b = 10, c = 20: it is stuck near c + 2 log 2";
  EXPECT_GT(ascend_from(example(1e3, 20), kTrap), 1e3 * 20) << "b = 1000, c = 20: it escapes";
  EXPECT_LT(ascend_from(example(1e6, 60), kTrap), 70) << "b = 1e6, c = 60: stuck";
}

TEST(BadLocalOptimum, DoubleGreedyContinuedReachesTheGoodOptimum) {
  for (const auto& [b, c] :
       {std::pair{10.0, 10.0}, {10.0, 20.0}, {1e3, 20.0}, {1e6, 20.0}, {1e6, 60.0}}) {
    const GraphCut model = example(b, c);
    const Box box = unit_box(4);
    const auto pass = double_greedy(Elbo(model.at(box.low)), Elbo(model.at(box.high)),
                                    natural_order(4), Proportional{})
                          .report;
    EXPECT_GE(ascend_from(model, pass.point), (2 + b) * c) << "b = " << b << ", c = " << c;
    EXPECT_GE(*pass.upper_bound, (2 + b) * c);
  }
}

}  // namespace
}  // namespace surefield
