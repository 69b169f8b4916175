// What is known of a model's numbers: how large they are, how far any evaluation can be off, and
// whether F is submodular. The one place that bounds take their margins from.
//
//   |computed - true| <= value_error    for evaluate(S), Set::value and State::value
//   |computed - true| <= gain_error     for Set::gain and State::partial, any item; all items together
//                                       <= gain_error_sum
//
// for a state or a set made afresh and moved at most once along each coordinate since (added and
// removed at most once). Each family proves its bounds in its facts_of by counting roundings
// (core/rounding.hpp); tests/models/facts_test.cpp holds them to quadruple precision on the worst data
// that can be built, up to a million items. Where the numbers are beyond a double a bound is
// infinite: then nothing can be claimed, and the answer says so.
#pragma once

#include <limits>
#include <string>

#include "surefield/core/claim.hpp"
#include "surefield/core/rounding.hpp"

namespace surefield {

enum class Submodularity { kProved, kAssumed, kViolated };

struct Facts {
  double magnitude = 0;  ///< the sizes of all numbers of F added up: no sum on the way exceeds it
  double value_error = 0;
  double gain_error = 0;
  double gain_error_sum = 0;
  /// The state estimates m(x) by sampling: the errors are those of F and of the sets alone, and no
  /// value of the state proves anything.
  bool estimated = false;
  /// The model brings no errors of its own: a generous number of roundings is assumed, of the sizes of
  /// its terms or of the gains on the empty and on the full set, which hold all others between them if F
  /// is submodular.
  bool rounding_assumed = false;
  Submodularity submodularity = Submodularity::kProved;
  std::string violation = {};  ///< the pair, term or set that shows it, where violated

  bool is_submodular() const { return submodularity != Submodularity::kViolated; }
  /// What a bound that uses submodularity rests on. Not to be asked of a model that violates it.
  Basis basis() const {
    if (submodularity != Submodularity::kProved) return Basis::kAssumesSubmodular;
    return value_basis();
  }
  /// What a computed value with its error taken off rests on.
  Basis value_basis() const {
    if (!rounding_assumed) return Basis::kProved;
    return submodularity == Submodularity::kAssumed ? Basis::kAssumesSubmodular
                                                    : Basis::kAssumesRounding;
  }
  /// Of beta F, beta >= 0: each product rounds once more, or underflows.
  Facts times(double beta) const {
    Facts facts = *this;
    facts.magnitude *= beta;
    double more = 2 * kUnitRoundoff * facts.magnitude;
    if (magnitude > 0) more += std::numeric_limits<double>::denorm_min();
    facts.value_error = beta * value_error * (1 + 4 * kUnitRoundoff) + more;
    facts.gain_error = beta * gain_error * (1 + 4 * kUnitRoundoff) + more;
    facts.gain_error_sum = beta * gain_error_sum * (1 + 4 * kUnitRoundoff) + 2 * more;
    return facts;
  }
};

}  // namespace surefield
