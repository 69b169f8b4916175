// What is known of a black box, which is little: its answers are taken as they are, so a value has
// no error, and a gain is one subtraction of two answers.
//
// The answers are at most the bound promised. Without one they are taken to be at most what a
// submodular F allows, by its gains on top of nothing and below everything:
//
//   F(S) <= F(empty) + sum_i max(0, gain_i(empty)),    F(S) >= F(all) - sum_i max(0, gain_i(empty))
//
// That holds if F is submodular, which is assumed of it anyway, and never proved: 200 draws that
// find no witness against it do not make it so. States are sample means.
#include <algorithm>
#include <cmath>

#include "surefield/models/black_box/black_box.hpp"
#include "surefield/models/rounding_count.hpp"

namespace surefield {

Facts facts_of(const BlackBox& model) {
  const Index n = model.size();
  SizeSum sizes;
  BlackBox::Set set = model.empty_set();
  sizes.add(set.value());
  for (Index i = 0; i < n; ++i) sizes.add(set.gain(i));
  for (Index i = 0; i < n; ++i) set.add(i);
  sizes.add(set.value());
  for (Index i = 0; i < n; ++i) sizes.add(set.gain(i));
  Facts facts;
  facts.magnitude = sizes.value();
  facts.gain_error = 4 * kUnitRoundoff * std::min(model.bound, facts.magnitude);
  facts.gain_error_sum = static_cast<double>(n) * facts.gain_error;
  facts.estimated = true;
  facts.submodularity = Submodularity::kAssumed;
  if (auto violation = submodularity_violation(model)) settle(facts, std::move(violation));
  return facts;
}

}  // namespace surefield
