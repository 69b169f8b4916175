// The sizes of the numbers that may cancel in the gains of a model: what their rounding is relative
// to, beyond the gains themselves.
//
// A gain is a modular part plus terms of one sign, so the sizes of the modular parts and of the
// gains bound all that is added up. Of models whose numbers are not open (black boxes,
// determinants) nothing more is known than their gains: 0.
#pragma once

#include <cmath>
#include <variant>
#include <vector>

namespace surefield {

inline double total_size(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += std::abs(number);
  return sum;
}

template <class M>
double magnitude_of(const M& model) {
  if constexpr (requires { model.terms.front().model.index(); }) {  // a weighted sum
    double sum = 0;
    for (const auto& term : model.terms)
      sum += std::abs(term.weight) *
             std::visit([](const auto& part) { return magnitude_of(part); }, term.model);
    return sum;
  } else if constexpr (requires { model.facility.cost; }) {
    return total_size(model.facility.cost);
  } else if constexpr (requires { model.field.bias; }) {
    return total_size(model.field.bias) + total_size(model.bias);
  } else {
    double sum = 0;
    if constexpr (requires { model.cost; }) sum += total_size(model.cost);
    if constexpr (requires { model.bias; }) sum += total_size(model.bias);
    if constexpr (requires { model.modular; }) sum += total_size(model.modular);
    if constexpr (requires { model.constant; }) sum += std::abs(model.constant);
    if constexpr (requires { model.coefficient; }) sum += total_size(model.coefficient);
    return sum;
  }
}

}  // namespace surefield
