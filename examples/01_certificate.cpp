// A model in memory, one pass of double greedy, and what is certain about the answer. Shown in
// README.md.
#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/algorithms/step_rules.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/objectives/elbo.hpp"

using namespace surefield;

int main() {
  const Flid model = make_flid({1.0, 2.0, 0.5}, {0.3, 0.9, 0.8, 0.1, 0.4, 0.4}, 2);
  const Box box = unit_box(model.size());
  const auto answer = double_greedy(Elbo(model.at(box.low)), Elbo(model.at(box.high)),
                                    natural_order(model.size()), Equalised{})
                          .report;
  return answer.value <= *answer.upper_bound ? 0 : 1;  // the best ELBO is between the two
}
