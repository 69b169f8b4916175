#include "surefield/bounds/spectral/dense_factor.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

#include "surefield/core/vector_exp.hpp"

namespace surefield {
namespace {

using DensePlace = std::ptrdiff_t;

constexpr DensePlace kDenseBlock = 8, kDenseColumns = 4;  // the kernel is half a block
constexpr DensePlace kCrowdedStride =
    32;  // columns a multiple of this apart meet in the same lines of the cache

/// EightRows numbers one below the other, in as few registers as there can be.
using EightRows [[gnu::vector_size(64), gnu::aligned(8), gnu::may_alias]] = double;

/// In place, columns `stride` apart.
struct DenseBlock {
  double* data;
  DensePlace stride;

  [[gnu::always_inline]] DenseBlock at(DensePlace i, DensePlace j) const {
    return {data + j * stride + i, stride};
  }
  [[gnu::always_inline]] double& operator()(DensePlace i, DensePlace j) const {
    return data[j * stride + i];
  }
  [[gnu::always_inline]] EightRows& eight(DensePlace j) const {
    return *reinterpret_cast<EightRows*>(data + j * stride);
  }
};

// All of these are inlined, so that they take the instruction set of their caller.

/// A block of `to` less a b', a and b eight rows of `count` columns.
[[gnu::always_inline]] inline void subtract_product(DenseBlock to, DenseBlock a, DenseBlock b,
                                                    DensePlace count) {
  for (DensePlace c = 0; c < kDenseBlock; c += kDenseColumns) {
    EightRows sum0 = to.eight(c), sum1 = to.eight(c + 1);
    EightRows sum2 = to.eight(c + 2), sum3 = to.eight(c + 3);
    for (DensePlace k = 0; k < count; ++k) {
      const EightRows& rows = a.eight(k);
      const double* const factor = &b(c, k);
      sum0 -= rows * factor[0];
      sum1 -= rows * factor[1];
      sum2 -= rows * factor[2];
      sum3 -= rows * factor[3];
    }
    to.eight(c) = sum0, to.eight(c + 1) = sum1;
    to.eight(c + 2) = sum2, to.eight(c + 3) = sum3;
  }
}

/// The lower triangle of a block becomes its factor.
[[gnu::always_inline]] inline bool factor_block(DenseBlock block) {
  for (DensePlace j = 0; j < kDenseBlock; ++j) {
    const double square = block(j, j);
    if (!(square > 0 && square <= std::numeric_limits<double>::max())) return false;
    block(j, j) = std::sqrt(square);
    const double each = 1 / block(j, j);
    for (DensePlace i = j + 1; i < kDenseBlock; ++i) block(i, j) *= each;
    for (DensePlace c = j + 1; c < kDenseBlock; ++c)
      for (DensePlace i = c; i < kDenseBlock; ++i) block(i, c) -= block(i, j) * block(c, j);
  }
  return true;
}

/// A block times (L')^-1, L a block that has its factor.
[[gnu::always_inline]] inline void divide_by_factor(DenseBlock block, DenseBlock l) {
  EightRows column[kDenseBlock];
#pragma GCC unroll 8
  for (DensePlace c = 0; c < kDenseBlock; ++c) {
    column[c] = block.eight(c);
#pragma GCC unroll 8
    for (DensePlace k = 0; k < c; ++k) column[c] -= column[k] * l(c, k);
    column[c] *= 1 / l(c, c);
    block.eight(c) = column[c];
  }
}

SUREFIELD_VECTOR_CLONES bool factor_lower(double* lower, DensePlace size, DensePlace stride) {
  const DenseBlock l{lower, stride};
  for (DensePlace j = 0; j < size; j += kDenseBlock) {
    for (DensePlace i = j; i < size; i += kDenseBlock)
      subtract_product(l.at(i, j), l.at(i, 0), l.at(j, 0), j);
    if (!factor_block(l.at(j, j))) return false;
    for (DensePlace i = j + kDenseBlock; i < size; i += kDenseBlock)
      divide_by_factor(l.at(i, j), l.at(j, j));
  }
  return true;
}

/// From T = I; blocks below the diagonal are not looked at.
SUREFIELD_VECTOR_CLONES void turn_lower(double* lower, double* turned, DensePlace size,
                                        DensePlace stride) {
  const DenseBlock l{lower, stride}, t{turned, stride};
  for (DensePlace j = 0; j < size; j += kDenseBlock)
    for (DensePlace i = 0; i <= j; i += kDenseBlock) {
      subtract_product(t.at(i, j), t.at(i, i), l.at(j, i), j - i);
      divide_by_factor(t.at(i, j), l.at(j, j));
    }
}

/// From 0: blocks on and below the diagonal become -TT'.
SUREFIELD_VECTOR_CLONES void subtract_square(double* turned, double* product, DensePlace size,
                                             DensePlace stride) {
  const DenseBlock t{turned, stride}, p{product, stride};
  for (DensePlace j = 0; j < size; j += kDenseBlock)
    for (DensePlace i = j; i < size; i += kDenseBlock)
      subtract_product(p.at(i, j), t.at(i, i), t.at(j, i), size - i);
}

DensePlace in_blocks(DensePlace size) {
  return (size + kDenseBlock - 1) / kDenseBlock * kDenseBlock;
}

}  // namespace

bool DenseFactor::compute(const Eigen::MatrixXd& matrix) {
  size_ = matrix.rows();
  const DensePlace whole = in_blocks(size_);
  const DensePlace stride = whole % kCrowdedStride == 0 ? whole + kDenseBlock : whole;
  lower_.setIdentity(stride, whole);
  lower_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>() = matrix;
  return factor_lower(lower_.data(), whole, stride);
}

Eigen::VectorXd DenseFactor::solve(const Eigen::VectorXd& b) const {
  const auto lower = lower_.topLeftCorner(size_, size_).triangularView<Eigen::Lower>();
  return solve_upper(lower.solve(b));
}

Eigen::VectorXd DenseFactor::solve_upper(const Eigen::VectorXd& b) const {
  return lower_.topLeftCorner(size_, size_).transpose().triangularView<Eigen::Upper>().solve(b);
}

void DenseFactor::inverse(Eigen::MatrixXd& inverse) {
  const DensePlace stride = lower_.rows(), whole = lower_.cols();
  turned_.setIdentity(stride, whole);
  product_.setZero(stride, whole);
  turn_lower(lower_.data(), turned_.data(), whole, stride);
  subtract_square(turned_.data(), product_.data(), whole, stride);
  inverse.resize(size_, size_);
  inverse.triangularView<Eigen::Lower>() = -product_.topLeftCorner(size_, size_);
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
}

}  // namespace surefield
