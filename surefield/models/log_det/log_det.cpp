#include "surefield/models/log_det/log_det.hpp"

#include <tbb/parallel_for.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/symmetric.hpp"

namespace surefield {
namespace {

constexpr Index kMostGains = Index{1}
                             << 30;  // 8 GB a state: beyond lies a mistyped number of samples
constexpr double kRounding = std::numeric_limits<double>::epsilon();

Eigen::LLT<Eigen::MatrixXd> cholesky(const Eigen::MatrixXd& kernel,
                                     const std::vector<Eigen::Index>& members) {
  Eigen::LLT<Eigen::MatrixXd> factor(kernel(members, members));
  require(factor.info() == Eigen::Success, "log det: the block of the kernel over ", members.size(),
          " elements is not positive definite");
  return factor;
}

// diag((C C')^-1): the squared length of every column of C^-1, which is triangular, so later
// columns are shorter.
Eigen::VectorXd inverse_diagonal(const Eigen::LLT<Eigen::MatrixXd>& factor) {
  constexpr Eigen::Index kBlock = 16;
  const Eigen::Index s = factor.rows();
  Eigen::VectorXd diagonal(s);
  for (Eigen::Index c = 0; c < s; c += kBlock) {
    const Eigen::Index rows = s - c;
    const Eigen::Index width = std::min(kBlock, rows);
    const Eigen::MatrixXd columns = factor.matrixLLT()
                                        .bottomRightCorner(rows, rows)
                                        .triangularView<Eigen::Lower>()
                                        .solve(Eigen::MatrixXd::Identity(rows, width));
    diagonal.segment(c, width) = columns.colwise().squaredNorm();
  }
  return diagonal;
}

// The variance left of `full` after `explained`. Positive in exact arithmetic; rounding may not
// make it negative.
double remaining_variance(double full, double explained) {
  return std::max(full - explained, kRounding * full);
}

}  // namespace

double LogDet::evaluate(Subset chosen) const {
  std::vector<Eigen::Index> members;
  for (Index i = 0; i < size(); ++i)
    if (chosen[i]) members.push_back(static_cast<Eigen::Index>(i));
  return members.empty() ? 0 : log_det_of_factor(cholesky(kernel, members).matrixLLT());
}

LogDet::State LogDet::at(std::span<const double> x) const& { return {*this, x}; }
LogDet::Set LogDet::empty_set() const& { return Set(*this); }

LogDet::State::State(const LogDet& model, std::span<const double> x)
    : model_(&model),
      sets_(model.samples, model.seed, x),
      stale_(model.samples, 1),
      gains_(model.kernel.rows(), static_cast<Eigen::Index>(model.samples)),
      log_dets_(model.samples, 0) {
  SUREFIELD_ASSERT(x.size() == model.size());
  if (model.size() == 0) return;
  const Eigen::LLT<Eigen::MatrixXd> factor(model.kernel);
  if (factor.info() != Eigen::Success) return;
  const auto n = model.kernel.rows();
  Eigen::MatrixXd inverse = factor.solve(Eigen::MatrixXd::Identity(n, n));
  // L_ii (L^-1)_ii says how many times the variance of i the kernel explains away: six digits of
  // sixteen may go.
  if (!((model.kernel.diagonal().array() * inverse.diagonal().array()).maxCoeff() < 1e6)) return;
  whole_ = log_det_of_factor(factor.matrixLLT());
  inverse_ = std::make_shared<const Eigen::MatrixXd>((inverse + inverse.transpose()) / 2);
}

void LogDet::State::refresh(Index k) const {
  std::vector<Eigen::Index> members;
  std::vector<Eigen::Index> others;
  for (Index i = 0; i < size(); ++i)
    (sets_.contains(k, i) ? members : others).push_back(static_cast<Eigen::Index>(i));
  // log det L_S = log det L + log det (L^-1)_rest: the smaller block does the work, with every sign
  // turned.
  const bool by_rest = inverse_ && others.size() < members.size();
  const Eigen::MatrixXd& matrix = by_rest ? *inverse_ : model_->kernel;
  if (by_rest) members.swap(others);
  const double sign = by_rest ? -1 : 1;
  auto gains = gains_.col(static_cast<Eigen::Index>(k));
  log_dets_[k] = by_rest ? whole_ : 0;
  if (members.empty()) {
    gains = sign * matrix.diagonal().array().log();
    return;
  }
  const auto factor = cholesky(matrix, members);
  log_dets_[k] += log_det_of_factor(factor.matrixLLT());
  if (!others.empty()) {
    const Eigen::MatrixXd explained = factor.matrixL().solve(matrix(members, others));
    for (std::size_t c = 0; c < others.size(); ++c) {
      const Eigen::Index i = others[c];
      const double square = explained.col(static_cast<Eigen::Index>(c)).squaredNorm();
      gains(i) = sign * std::log(remaining_variance(matrix(i, i), square));
    }
  }
  const auto diagonal = inverse_diagonal(factor);
  for (std::size_t c = 0; c < members.size(); ++c)
    gains(members[c]) = -sign * std::log(diagonal(static_cast<Eigen::Index>(c)));
}

void LogDet::State::refresh() const {
  if (!any_stale_) return;
  const auto twin = sets_.twins();
  std::vector<Index> work;
  for (Index k = 0; k < twin.size(); ++k)
    if (stale_[k] && twin[k] == k) work.push_back(k);
  // Every sample writes its own column only: the same bits for any number of threads.
  tbb::parallel_for(std::size_t{0}, work.size(), [&](std::size_t w) { refresh(work[w]); });
  for (Index k = 0; k < twin.size(); ++k) {
    if (!stale_[k]) continue;
    stale_[k] = 0;
    if (twin[k] == k) continue;
    gains_.col(static_cast<Eigen::Index>(k)) = gains_.col(static_cast<Eigen::Index>(twin[k]));
    log_dets_[k] = log_dets_[twin[k]];
  }
  any_stale_ = false;
}

double LogDet::State::partial(Index i) const {
  refresh();
  CompensatedSum sum;
  for (Eigen::Index k = 0; k < gains_.cols(); ++k) sum.add(gains_(static_cast<Eigen::Index>(i), k));
  return sum.value() / static_cast<double>(sets_.samples());
}

void LogDet::State::gradient(std::span<double> out) const {
  for (Index i = 0; i < size(); ++i) out[i] = partial(i);
}

double LogDet::State::value() const {
  refresh();
  CompensatedSum sum;
  for (const double log_det : log_dets_) sum.add(log_det);
  return sum.value() / static_cast<double>(sets_.samples());
}

double LogDet::Set::conditional_variance(Index i) const {
  const auto at = static_cast<Eigen::Index>(i);
  double explained = 0;
  for (const auto& row : rows_) explained += row[i] * row[i];
  return remaining_variance(model_->kernel(at, at), explained);
}

double LogDet::Set::gain(Index i) const {
  if (!contains(i)) return std::log(conditional_variance(i));
  // C v = e_place by forward substitution; (L_S^-1)_ii = |v|^2.
  const Index first = place_[i];
  std::vector<double> v(members_.size(), 0);
  double square = 0;
  for (Index r = first; r < members_.size(); ++r) {
    double rest = r == first ? 1 : 0;
    for (Index c = first; c < r; ++c) rest -= rows_[c][members_[r]] * v[c];
    v[r] = rest / rows_[r][members_[r]];
    square += v[r] * v[r];
  }
  return -std::log(square);
}

double LogDet::Set::value() const {
  CompensatedSum sum;
  for (Index r = 0; r < members_.size(); ++r) sum.add(2 * std::log(rows_[r][members_[r]]));
  return sum.value();
}

void LogDet::Set::add(Index i) {
  if (contains(i)) return;
  const double pivot = std::sqrt(conditional_variance(i));
  const auto at = static_cast<Eigen::Index>(i);
  std::vector<double> added(size());
  for (Index j = 0; j < size(); ++j) added[j] = model_->kernel(at, static_cast<Eigen::Index>(j));
  for (const auto& row : rows_)
    for (Index j = 0; j < size(); ++j) added[j] -= row[i] * row[j];
  for (double& entry : added) entry /= pivot;
  added[i] = pivot;
  for (const Index member : members_) added[member] = 0;
  place_[i] = members_.size();
  members_.push_back(i);
  rows_.push_back(std::move(added));
}

void LogDet::Set::remove(Index i) {
  if (!contains(i)) return;
  // Without column i the factor is triangular but for one entry below the diagonal in each later
  // column: rotate each away.
  const Index first = place_[i];
  members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(first));
  for (Index r = first; r < members_.size(); ++r) {
    auto& upper = rows_[r];
    auto& lower = rows_[r + 1];
    const Index pivot = members_[r];
    const double length = std::hypot(upper[pivot], lower[pivot]);
    const double cosine = upper[pivot] / length;
    const double sine = lower[pivot] / length;
    for (Index j = 0; j < size(); ++j) {
      const double a = upper[j];
      const double b = lower[j];
      upper[j] = cosine * a + sine * b;
      lower[j] = cosine * b - sine * a;
    }
    upper[pivot] = length;
    lower[pivot] = 0;
    place_[pivot] = r;
  }
  rows_.pop_back();
  place_[i] = kOutside;
}

LogDet make_log_det(Eigen::MatrixXd kernel, Index samples, std::uint64_t seed) {
  require(samples >= 1, "log det: the number of samples is ", samples, ", which must be >= 1");
  kernel = require_symmetric("log det: the kernel", std::move(kernel));
  const Eigen::Index n = kernel.rows();
  require(samples <= kMostGains / std::max<Index>(1, static_cast<Index>(n)), "log det: ", samples,
          " samples of ", n, " elements ask for more than ", kMostGains, " numbers");
  Eigen::MatrixXd factor = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {  // left-looking Cholesky, to name the pivot that fails
    const Eigen::VectorXd row = factor.row(j).head(j);
    const double pivot = kernel(j, j) - row.squaredNorm();
    require(pivot > 0, "log det: the kernel is not positive definite: pivot ", j, " is ", pivot);
    require(pivot > 8 * static_cast<double>(n) * kRounding * kernel(j, j),
            "log det: the kernel is not positive definite in double precision: pivot ", j, " is ",
            pivot, " of a diagonal of ", kernel(j, j));
    const Eigen::Index below = n - j - 1;
    factor(j, j) = std::sqrt(pivot);
    factor.col(j).tail(below) =
        (kernel.col(j).tail(below) - factor.bottomLeftCorner(below, j) * row) / factor(j, j);
  }
  return {.kernel = std::move(kernel), .samples = samples, .seed = seed};
}

std::optional<std::string> submodularity_violation(const LogDet&) { return std::nullopt; }

}  // namespace surefield
