// The sizes of the numbers that may cancel in the gains of a model: what their rounding is relative
// to, beyond the gains themselves.
//
// A gain is a modular part plus terms of one sign, so the sizes of the modular parts and of the
// gains bound all that is added up. Of models whose numbers are not open (black boxes,
// determinants) nothing more is known than their gains: 0.
#pragma once

#include <cmath>
#include <variant>

#include "surefield/core/sum_of_sizes.hpp"

namespace surefield {

template <class M>
double magnitude_of(const M& model) {
  if constexpr (requires { model.terms.front().model.index(); }) {  // a weighted sum
    double sum = 0;
    for (const auto& term : model.terms)
      sum += std::abs(term.weight) *
             std::visit([](const auto& part) { return magnitude_of(part); }, term.model);
    return sum;
  } else if constexpr (requires { model.facility.cost; }) {
    return sum_of_sizes(model.facility.cost);
  } else if constexpr (requires { model.field.bias; }) {
    return sum_of_sizes(model.field.bias) + sum_of_sizes(model.bias);
  } else {
    double sum = 0;
    if constexpr (requires { model.cost; }) sum += sum_of_sizes(model.cost);
    if constexpr (requires { model.bias; }) sum += sum_of_sizes(model.bias);
    if constexpr (requires { model.modular; }) sum += sum_of_sizes(model.modular);
    if constexpr (requires { model.constant; }) sum += std::abs(model.constant);
    if constexpr (requires { model.coefficient; }) sum += sum_of_sizes(model.coefficient);
    return sum;
  }
}

}  // namespace surefield
