// How far the numbers of a model can be off, for bounds that must hold all the same.
//
//   magnitude      every number of F by size, added up: rounding is relative to it
//   extension      what m(x) and the partials may be off beyond rounding: 0 but for concave groups,
//                  whose exponential sums meet a tolerance
#pragma once

#include "surefield/models/any_model.hpp"

namespace surefield {

struct Accuracy {
  double magnitude = 0;
  double extension = 0;
  bool estimated = false;  ///< the extension is a sample mean: no bound follows from it
};

Accuracy accuracy_of(const Flid& model);
Accuracy accuracy_of(const FacilityLocation& model);
Accuracy accuracy_of(const Coverage& model);
Accuracy accuracy_of(const PairwiseField& model);
Accuracy accuracy_of(const GraphCut& model);
Accuracy accuracy_of(const HypergraphCut& model);
Accuracy accuracy_of(const GibbsField& model);
Accuracy accuracy_of(const ConcaveOverModular& model);
Accuracy accuracy_of(const LogDet& model);
Accuracy accuracy_of(const BlackBox& model);
Accuracy accuracy_of(const WeightedSum& model);

/// What a sum over n items of numbers that size may lose to rounding, with much to spare.
inline double rounding_margin(Index n, double magnitude) {
  return (1e-12 + 0x1p-50 * static_cast<double>(n)) * magnitude;
}

}  // namespace surefield
