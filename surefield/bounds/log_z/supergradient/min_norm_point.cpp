#include "surefield/bounds/log_z/supergradient/min_norm_point.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"

namespace surefield {
namespace {

using Vector = Eigen::VectorXd;

/// The affine combination of the columns with the least norm: weights that add up to 1.
Vector affine_minimiser(const Eigen::MatrixXd& vertices) {
  const Eigen::Index k = vertices.cols();
  Eigen::MatrixXd gram = vertices.transpose() * vertices;
  const double scale = std::max(gram.diagonal().maxCoeff(), 1e-300);
  gram.array() += scale;  // Q'Q + scale 11': same minimiser, and never singular but for copies
  const Vector mu = gram.ldlt().solve(Vector::Constant(k, scale));
  return mu / mu.sum();
}

/// Keeps the columns whose weight is not 0.
void drop_unused(Eigen::MatrixXd& vertices, Vector& weight) {
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < weight.size(); ++k) {
    if (weight[k] <= 0) continue;
    vertices.col(kept) = vertices.col(k);
    weight[kept++] = weight[k];
  }
  vertices.conservativeResize(Eigen::NoChange, kept);
  weight.conservativeResize(kept);
  weight /= weight.sum();
}

/// Wolfe's minor cycle: moves the weights to the affine minimiser, dropping vertices on the way,
/// until it lies inside.
void settle(Eigen::MatrixXd& vertices, Vector& weight) {
  while (vertices.cols() > 1) {
    const Vector target = affine_minimiser(vertices);
    if (!target.allFinite()) return;  // copies among the vertices: rounding is all that is left
    if (target.minCoeff() > 1e-14) {
      weight = target;
      return;
    }
    double step = 1;
    for (Eigen::Index k = 0; k < weight.size(); ++k)
      if (target[k] <= 1e-14) step = std::min(step, weight[k] / (weight[k] - target[k]));
    Vector moved = (1 - step) * weight + step * target;
    Eigen::Index lowest = 0;
    moved.minCoeff(&lowest);
    moved[lowest] = 0;  // the vertex the step was cut short for
    for (Eigen::Index k = 0; k < moved.size(); ++k)
      if (moved[k] < 1e-14) moved[k] = 0;
    weight = moved;
    drop_unused(vertices, weight);
  }
}

}  // namespace

MinNormReport minimise_submodular(Index n, const PrefixGains& gains,
                                  const MinNormOptions& options) {
  MinNormReport report;
  report.set.assign(n, 0);
  report.lower_bound = n == 0 ? 0 : -kInfinity;
  std::vector<Index> order = natural_order(n);
  std::vector<double> gain(n);
  double scale = 0;
  const auto vertex = [&](const Vector& x) {  // the vertex least in the direction of x
    std::ranges::stable_sort(order, [&](Index a, Index b) {
      return x[static_cast<Eigen::Index>(a)] < x[static_cast<Eigen::Index>(b)];
    });
    gains(order, gain);
    Vector q(static_cast<Eigen::Index>(n));
    CompensatedSum value;
    Index best = 0;
    double least = report.value;
    for (Index k = 0; k < n; ++k) {
      q[static_cast<Eigen::Index>(order[k])] = gain[k];
      scale = std::max(scale, std::abs(gain[k]));
      value.add(gain[k]);
      if (value.value() < least) {
        least = value.value();
        best = k + 1;
      }
    }
    if (least < report.value) {
      report.value = least;
      std::ranges::fill(report.set, std::uint8_t{0});
      for (Index k = 0; k < best; ++k) report.set[order[k]] = 1;
    }
    return q;
  };
  if (n == 0) return report;

  const auto rows = static_cast<Eigen::Index>(n);
  Eigen::MatrixXd vertices(rows, 1);
  vertices.col(0) = vertex(Vector::Zero(rows));
  Vector weight = Vector::Ones(1);
  report.status = Status::kEpochLimit;
  constexpr std::size_t kPatience = 30;
  double norm = kInfinity;
  std::size_t shorter_at = 0;  // the iteration that last made x shorter
  for (; report.iterations < options.iterations; ++report.iterations) {
    if (options.budget.spent()) {
      report.status = Status::kInterrupted;
      break;
    }
    const Vector x = vertices * weight;
    report.lower_bound = std::max(report.lower_bound, x.cwiseMin(0.0).sum());
    const Vector q = vertex(x);
    const double gap = report.value - report.lower_bound;
    if (gap <= options.tolerance * scale || x.squaredNorm() - x.dot(q) <= 1e-15 * scale * scale) {
      report.status = Status::kConverged;
      break;
    }
    if (x.squaredNorm() < norm * (1 - 1e-12)) {
      norm = x.squaredNorm();
      shorter_at = report.iterations;
    } else if (report.iterations >= shorter_at + kPatience) {  // rounding is all that moves
      if (gap <= 100 * options.tolerance * scale) report.status = Status::kConverged;
      break;
    }
    vertices.conservativeResize(Eigen::NoChange, vertices.cols() + 1);
    vertices.col(vertices.cols() - 1) = q;
    weight.conservativeResize(weight.size() + 1);
    weight[weight.size() - 1] = 0;
    settle(vertices, weight);
  }
  return report;
}

}  // namespace surefield
