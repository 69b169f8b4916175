// What a tractable piece of a model answers: its log sum over all sets, and the marginals.
//
//   log sum_S exp(theta(S) + scale * f(S)),    P(feature) = d / d theta,    E f(S) = d / d scale
#pragma once

namespace surefield {

struct PieceSum {
  double log_sum = 0;
  double expected = 0;  ///< E f(S) under p(S) ~ exp(theta(S) + scale f(S))
};

}  // namespace surefield
