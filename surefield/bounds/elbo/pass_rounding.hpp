// What rounding can do to the ELBO of a model along a pass: from the model's facts.
#pragma once

#include "surefield/algorithms/double_greedy.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/objectives/elbo_error.hpp"

namespace surefield {

/// `facts` are those of beta F; `value` is of the size of the ELBOs that are compared.
inline PassRounding pass_rounding(const Facts& facts, Index n, double value = 0) {
  return {.value = elbo_error(facts, n, value),
          .slope = facts.gain_error,
          .lines = facts.gain_error_sum};
}

}  // namespace surefield
