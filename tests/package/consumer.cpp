// What an outside project does: a model, its ELBO, coordinate ascent, through the installed headers
// only.
#include <cmath>
#include <cstdio>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"
#include "surefield/surefield.hpp"

int main() {
  using namespace surefield;
  const PairwiseField model = make_pairwise_field({1.0, 2.0}, {});
  const Report report =
      coordinate_ascent(Elbo(model.at(std::vector{0.5, 0.5})), unit_box(2), Order::natural(2));
  const LogZResult both = log_z(make_problem(model), {.goal = LogZGoal::kWidth});
  if (!both.exact || std::abs(both.value - report.value) > 1e-9) return 1;
  std::printf("%.12f\n", report.value);
  return std::abs(report.value - softplus(1) - softplus(2)) < 1e-12 ? 0 : 1;
}
