// The exact partition function and marginals of a determinantal point process.
//
//   log Z = log sum_S det L_S = log det(I + L)           P(i in S) = (L (I + L)^-1)_ii
//
// With the elements of A forced in and others left out, log Z = log det(L + I on the rest), and the
// rest R is again such a process, with the kernel L_R - L_RA L_A^-1 L_AR. Only for beta = 1: powers of
// determinants have no such formula, nor have products of two processes. Cost: O(n^3).
//
// A. Kulesza, B. Taskar. Determinantal Point Processes for Machine Learning. Foundations and Trends
// in Machine Learning, 2012, section 2.
#pragma once

#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/core/box.hpp"
#include "surefield/models/log_det/log_det.hpp"

namespace surefield {

/// Over the subsets the box allows: an interval [1, 1] forces an element in, [0, 0] leaves it out,
/// [0, 1] leaves it free. Throws Error for any other interval, for beta != 1, and where
/// the kernel may be singular to working precision, so that nothing can be said of its logarithm.
ExactLogZ exact_dpp(const LogDet& model, const Box& box, double beta = 1);

/// Over all subsets.
ExactLogZ exact_dpp(const LogDet& model, double beta = 1);

}  // namespace surefield
