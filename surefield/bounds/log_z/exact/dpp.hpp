// The exact partition function and marginals of a determinantal point process.
//
//   log Z = log sum_S det L_S = log det(I + L)           P(i in S) = (L (I + L)^-1)_ii
//
// With the elements of A forced in and others left out, the rest R is again such a process, with
// the kernel L_R - L_RA L_A^-1 L_AR, and log Z gains log det L_A. Only for beta = 1: powers of
// determinants have no such formula, nor have products of two processes. Cost: O(n^3).
//
// A. Kulesza, B. Taskar. Determinantal Point Processes for Machine Learning. Foundations and Trends
// in Machine Learning, 2012, section 2.
#pragma once

#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield {

struct DppExact {
  double log_z;
  std::vector<double> marginals;  ///< 1 where forced in, 0 where left out
};

/// Over the subsets the box allows: an interval [1, 1] forces an element in, [0, 0] leaves it out,
/// [0, 1] leaves it free. Throws Error for any other interval, and for beta != 1.
DppExact exact_dpp(const LogDet& model, const Box& box, double beta = 1);

/// Over all subsets.
DppExact exact_dpp(const LogDet& model, double beta = 1);

}  // namespace surefield
