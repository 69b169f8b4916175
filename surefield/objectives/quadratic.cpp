#include "surefield/objectives/quadratic.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/symmetric.hpp"

namespace surefield {
namespace {

using HessianRow = QuadraticProgram::Matrix::InnerIterator;

Eigen::Index signed_index(Index i) { return static_cast<Eigen::Index>(i); }

}  // namespace

double QuadraticProgram::evaluate(std::span<const double> x) const {
  CompensatedSum sum;
  sum.add(constant);
  for (Index i = 0; i < size(); ++i) {
    sum.add(linear[i] * x[i]);
    for (HessianRow entry(hessian, signed_index(i)); entry; ++entry)
      sum.add(x[i] * entry.value() * x[static_cast<Index>(entry.col())] / 2);
  }
  return sum.value();
}

QuadraticProgram::State QuadraticProgram::at(std::span<const double> x) const& {
  return {*this, x};
}

QuadraticProgram::State::State(const QuadraticProgram& program, std::span<const double> x)
    : program_(&program), x_(x.begin(), x.end()), field_(x.size()), diagonal_(x.size()) {
  SUREFIELD_ASSERT(x.size() == program.size());
  for (Index i = 0; i < size(); ++i)
    diagonal_[i] = program.hessian.coeff(signed_index(i), signed_index(i));
  rebuild();
}

void QuadraticProgram::State::rebuild() {
  for (Index i = 0; i < size(); ++i) {
    field_[i] = program_->linear[i];
    for (HessianRow entry(program_->hessian, signed_index(i)); entry; ++entry)
      field_[i] += entry.value() * x_[static_cast<Index>(entry.col())];
  }
  moves_ = 0;
}

void QuadraticProgram::State::gradient(std::span<double> out) const {
  std::copy(field_.begin(), field_.end(), out.begin());
}

void QuadraticProgram::State::set(Index i, double v) {
  const double step = v - x_[i];
  x_[i] = v;
  if (++moves_ >= size()) return rebuild();
  for (HessianRow entry(program_->hessian, signed_index(i)); entry;
       ++entry)  // symmetric: row i is column i
    field_[static_cast<Index>(entry.col())] += step * entry.value();
}

QuadraticProgram make_quadratic(const QuadraticProgram::Matrix& hessian, std::vector<double> linear,
                                double constant) {
  const auto n = signed_index(linear.size());
  require(hessian.rows() == n && hessian.cols() == n, "quadratic: the matrix has ", hessian.rows(),
          " rows and ", hessian.cols(), " columns, but there are ", n, " variables");
  require(std::isfinite(constant), "quadratic: the constant is ", constant,
          ", which must be finite");
  for (Index i = 0; i < linear.size(); ++i)
    require(std::isfinite(linear[i]), "quadratic: variable ", i, " has the linear term ", linear[i],
            ", which must be finite");
  for (Eigen::Index i = 0; i < n; ++i)
    for (HessianRow entry(hessian, i); entry; ++entry) {
      const double across = hessian.coeff(entry.col(), i);
      require(std::isfinite(entry.value()) && entry.value() <= 0, "quadratic: entry ", i, "-",
              entry.col(), " of the matrix is ", entry.value(), ", which must be finite and <= 0");
      require(entry.value() == across, "quadratic: entries ", i, "-", entry.col(), " and ",
              entry.col(), "-", i, " of the matrix are ", entry.value(), " and ", across,
              ", which must be equal");
    }
  return {.hessian = hessian, .linear = std::move(linear), .constant = constant};
}

QuadraticProgram make_quadratic(const Eigen::MatrixXd& hessian, std::vector<double> linear,
                                double constant) {
  return make_quadratic(QuadraticProgram::Matrix(
                            require_symmetric("quadratic: the matrix", hessian).sparseView(0, 0)),
                        std::move(linear), constant);
}

}  // namespace surefield
