// p(S) ~ exp(beta F(S)) of any model set by set: log Z, marginals, and the probability of every
// set.
#pragma once

#include <cmath>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/any_model.hpp"
#include "tests/support/all_families.hpp"
#include "tests/support/reference.hpp"

namespace surefield::testing {

struct SetTruth {
  double log_z = 0;
  std::vector<double> marginals;
  std::vector<double> log_probability;  ///< by code; -infinity outside the box
  double rounding = 0;                  ///< what is allowed between this log Z and another
};

inline SetTruth set_truth(const AnyModel& model, const Box& box, double beta) {
  SetTruth truth;
  const auto values = reference::all_values(model);
  std::vector<double> terms(values.size(), -kInfinity);
  for (std::size_t code = 0; code < values.size(); ++code) {
    bool inside = true;
    for (Index i = 0; i < box.size(); ++i)
      inside = inside && box[i].contains(static_cast<double>(code >> i & 1));
    if (!inside) continue;
    terms[code] = beta * values[code];
  }
  truth.log_z = log_sum_exp(terms);
  truth.marginals.assign(box.size(), 0);
  for (std::size_t code = 0; code < values.size(); ++code) {
    truth.log_probability.push_back(terms[code] - truth.log_z);
    for (Index i = 0; i < box.size(); ++i)
      if (code >> i & 1) truth.marginals[i] += std::exp(terms[code] - truth.log_z);
  }
  truth.rounding = rounding_of(model, beta);
  return truth;
}

}  // namespace surefield::testing
