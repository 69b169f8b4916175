// Proof that D - W + cI is positive semidefinite, D = diag(d): a Cholesky factorisation of D - W in floating
// point that runs to its end.
//
//   R'R = D - W + E,  |E_ij| <= g_i g_j,  g_i^2 = gamma_(s_i + 8) d_i / (1 - gamma),  so  c = sum_i g_i^2
//
// where s_i counts the numbers of row i of the factor: every inner product has at most so many terms,
// in any order, and a division by multiplying with the inverse is two roundings. Underflow is added.
// Dense up to some hundred items or where the factor fills up, else sparse with a minimum degree order.
//
// S. M. Rump. Verification of positive definiteness. BIT Numerical Mathematics 46, 2006.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <optional>

#include "surefield/core/budget.hpp"

namespace surefield {

/// c, or nothing where the factorisation breaks down. Throws TooMuch where it does not fit the budget.
std::optional<double> definite_shift(const Eigen::SparseMatrix<double>& couplings,
                                     const Eigen::VectorXd& diagonal, const Budget& budget = {});

}  // namespace surefield
