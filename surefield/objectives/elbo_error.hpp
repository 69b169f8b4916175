// How far a computed ELBO can be from the true one: what the model's value can be off, and the
// roundings of n entropies and of the compensated sum of them all.
#pragma once

#include <cmath>

#include "surefield/core/concepts.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

/// `facts` are those of beta F, `value` the ELBO computed from a state made afresh at its point. An
/// entropy is at most log 2 and takes eight roundings.
template <class Facts>
double elbo_error(const Facts& facts, Index n, double value) {
  return facts.value_error +
         gamma_of(16) * (std::abs(value) + static_cast<double>(n) + facts.value_error);
}

}  // namespace surefield
