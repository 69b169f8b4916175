// The Gauss rule of a discrete measure: the few points that integrate polynomials as many would.
//
//   sum_k mass_k f(at_k) = sum_j mass_j f(at_j)       for every polynomial f of degree < 2n
//
// Lanczos with full orthogonalisation gives the Jacobi matrix; its eigenvalues are the points.
// Cost: O(points n^2), n small.
//
// W. Gautschi. Orthogonal Polynomials: Computation and Approximation. Oxford 2004, section 2.2.
#pragma once

#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

struct Atom {
  double at, mass;
};

/// n points, ascending, or fewer where the measure has no more to rounding. For atoms in [0, 1] of
/// positive total mass; points are at least 1e-14, so that a caller may divide by them.
std::vector<Atom> gauss_rule(const std::vector<Atom>& atoms, Index n);

}  // namespace surefield
