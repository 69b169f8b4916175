// How far the computed value of a multilinear extension can be from the true one, anywhere on the
// cube.
//
//   4e-15 times the sum of the absolute values of all terms, whose partial sums are what is rounded
//
// for every family; concave over modular adds its quadrature's tolerance. Certificates carry this
// as their margin, so that neither rounding nor cancellation of huge terms can break them. A slope
// is a difference of two values: twice this. Measured errors are below a tenth of it
// (tests/models/rounding_test.cpp). Cost: O(model).
#pragma once

#include "surefield/models/any_model.hpp"

namespace surefield {

double rounding_of(const Flid& model);
double rounding_of(const FacilityLocation& model);
double rounding_of(const Coverage& model);
double rounding_of(const PairwiseField& model);
double rounding_of(const GraphCut& model);
double rounding_of(const HypergraphCut& model);
double rounding_of(const GibbsField& model);
double rounding_of(const ConcaveOverModular& model);
double rounding_of(const LogDet& model);    ///< of the estimate, which is no proof of anything
double rounding_of(const BlackBox& model);  ///< the same
double rounding_of(const WeightedSum& model);

}  // namespace surefield
