// Shares of the entropy that prove a stationary point best: the centre of all that is known about them.
//
// With tangent multipliers at y (dual_decomposition.hpp) the bound is f(y) itself exactly where the shares c >= 0, sum_r c_ri = 1, meet
//
//   m_r(x) - m_r(y) - g_r (x - y)  <=  sum_i c_ri K_i(x_i)      for every part r and every x of the box,
//
// one linear inequality in c for each x; close to y they all say  diag(c_r) - C_r >= 0,  C_r the Hessian of the part scaled by sqrt(y (1 - y)) on both
// sides. A point x where a part is above its tangent is a cut. The centre maximises
//
//   sum_r [ log det (diag(c_r) - C_r) + kLeastWeight sum_i log c_ri + sum over cuts log (c_r K - excess) ]     where sum_r c_ri = tau for all i
//
// by Newton's method; tau = 1 if that leaves room, else the least tau to be had (the inequalities then need more entropy than there is).
// Cost of a step: k^3 a part of k items, and n^3. Nothing here needs proof: any shares give a bound.
//
// J.-L. Goffin, A. Haurie, J.-P. Vial. Decomposition and nondifferentiable optimization with the projective algorithm. Management Science 38, 1992.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

class ShareCentre {
 public:
  struct Part {
    std::vector<std::uint32_t> members;
    Eigen::MatrixXd curvature;  ///< C_r
  };
  /// Items 0, ..., n - 1.
  ShareCentre(Index n, std::vector<Part> parts);

  /// From now on  c_r cost >= excess;  cost >= 0, excess > 0.
  void cut(std::size_t r, Eigen::VectorXd cost, double excess);
  /// Moves to the centre. False where no shares that add up to 1 are known to meet all, or the budget is spent.
  bool move(const Budget& budget);

  /// Those of the centre, scaled to add up to 1.
  std::vector<std::vector<double>> shares() const;
  /// tau: the entropy that the shares would need.
  double total() const { return total_; }

 private:
  struct Cut {
    Eigen::VectorXd cost;
    double excess;
  };
  struct Step {
    std::vector<Eigen::VectorXd> share;
    double total = 0, decrement = 0;  // the latter of the barrier
  };

  void make_room();
  bool newton(double pull, bool fixed, const Budget& budget);
  Step direction(double pull, bool fixed, unsigned threads) const;
  double barrier(const std::vector<Eigen::VectorXd>& share) const;
  void raise(double total);

  std::vector<Part> parts_;
  std::vector<std::vector<Cut>> cuts_;  // a list a part
  std::vector<Eigen::VectorXd> share_;
  Eigen::VectorXd holders_;  // parts an item
  double total_ = 0, decrement_ = 0, pull_ = 0;
  double order_ =
      0;  // of the barrier: at the least of pull tau + barrier, tau is at most order / pull too large
};

}  // namespace surefield
