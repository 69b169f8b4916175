#include "surefield/models/concave_over_modular/gauss_rule.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace surefield {

std::vector<Atom> gauss_rule(const std::vector<Atom>& atoms, Index n) {
  const auto size = static_cast<Eigen::Index>(atoms.size());
  Eigen::ArrayXd at(size);
  Eigen::VectorXd v(size);
  double mass = 0;
  for (Eigen::Index j = 0; j < size; ++j) {
    at[j] = atoms[static_cast<Index>(j)].at;
    v[j] = std::sqrt(atoms[static_cast<Index>(j)].mass);
    mass += atoms[static_cast<Index>(j)].mass;
  }
  v.normalize();
  const auto columns = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd basis(size, columns);
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(columns, columns);
  Eigen::Index used = 0;
  while (used < columns) {
    basis.col(used) = v;
    Eigen::VectorXd next = (at * v.array()).matrix();
    jacobi(used, used) = v.dot(next);
    ++used;
    for (int pass = 0; pass < 2; ++pass)
      next -= basis.leftCols(used) * (basis.leftCols(used).transpose() * next).eval();
    const double norm = next.norm();
    if (used == columns || norm < 1e-15)
      break;  // the measure has no more points than that, to rounding
    jacobi(used, used - 1) = jacobi(used - 1, used) = norm;
    v = next / norm;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(jacobi.topLeftCorner(used, used));
  std::vector<Atom> rule;
  for (Eigen::Index k = 0; k < used; ++k) {
    const double first = solver.eigenvectors()(0, k);
    rule.push_back({std::max(solver.eigenvalues()[k], 1e-14), mass * first * first});
  }
  return rule;
}

}  // namespace surefield
