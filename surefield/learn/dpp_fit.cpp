#include "surefield/learn/dpp_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "surefield/core/error.hpp"
#include "surefield/core/lbfgs.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/core/symmetric.hpp"

namespace surefield {
namespace {

using Matrix = Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double kTypicalSpread = 0.1;  // of the first V, relative to the root of the diagonal
constexpr int kAttempts = 5;
constexpr Index kMostParts = 16, kLeastPart = 256;  // of the sets; sets a part
constexpr double kGreatestLog = 40;  // of s: e^40 is beyond any odds that data can show

Eigen::Index as_eigen(Index i) { return static_cast<Eigen::Index>(i); }

}  // namespace

DppLikelihood::DppLikelihood(DistinctSets sets, Index items, Index features, double smoothing,
                             Crew* crew)
    : sets_(std::move(sets)), crew_(crew), items_(items), features_(features) {
  const auto n = static_cast<double>(items);
  if (smoothing > 0) {
    sets_.sets.add({});
    sets_.times.push_back(smoothing / 2);
    for (std::uint32_t i = 0; i < items; ++i) {
      sets_.sets.add({&i, 1});
      sets_.times.push_back(smoothing / 2 / n);
    }
  }
  for (const double times : sets_.times) total_ += times;
  // Below the largest diagonal that the data can ask for, about `total`, by less than rounding
  // loses.
  floor_ = 1e-6 * std::max(1.0, n * total_ / 1e8);
}

Matrix DppLikelihood::kernel(std::span<const double> theta) const {
  const auto n = as_eigen(items_);
  const Eigen::Map<const RowMajor> v(theta.data(), n, as_eigen(features_));
  const Eigen::Map<const Eigen::VectorXd> s(theta.data() + items_ * features_, n);
  Matrix kernel = v * v.transpose();
  kernel.diagonal().array() += s.array().min(kGreatestLog).exp() + floor_;
  return kernel;
}

struct DppLikelihood::Part {
  double value = 0;            // NaN: out of time; -infinity: a block is singular
  std::vector<double> slopes;  // the lower half of G, column by column

  friend auto fields_of(Part& part) {
    auto& [value, slopes] = part;
    return std::tie(value, slopes);
  }
};

DppLikelihood::Part DppLikelihood::part_of(Index first, Index last, const Matrix& l,
                                           const Budget& budget) const {
  Matrix slope = Matrix::Zero(l.rows(), l.cols());
  CompensatedSum sum;
  std::vector<Eigen::Index> members;
  Ticks ticks(budget, 64);
  for (Index k = first; k < last; ++k) {
    if (ticks.spent()) return {std::nan(""), {}};
    const auto set = sets_.sets[k];
    if (set.empty()) continue;
    const double share = sets_.times[k] / total_;
    if (set.size() == 1) {
      const double entry = l(set[0], set[0]);
      sum.add(share * std::log(entry));
      slope(set[0], set[0]) += share / entry;
      continue;
    }
    if (set.size() == 2) {
      const double a = l(set[0], set[0]);
      const double b = l(set[1], set[1]);
      const double c = l(set[0], set[1]);
      const double det = a * b - c * c;
      if (!(det > 0)) return {-kInfinity, {}};
      sum.add(share * std::log(det));
      slope(set[0], set[0]) += share * b / det;
      slope(set[1], set[1]) += share * a / det;
      slope(std::max(set[0], set[1]), std::min(set[0], set[1])) -= share * c / det;
      continue;
    }
    members.assign(set.begin(), set.end());
    const auto size = as_eigen(members.size());
    const Eigen::LLT<Matrix> block(l(members, members));
    if (block.info() != Eigen::Success) return {-kInfinity, {}};
    sum.add(share * log_det_of_factor(block.matrixLLT()));
    const Matrix inverse = block.solve(Matrix::Identity(size, size));
    for (Eigen::Index b = 0; b < size; ++b)
      for (Eigen::Index a = 0; a < size; ++a)
        if (const auto i = members[static_cast<Index>(a)], j = members[static_cast<Index>(b)];
            i >= j)
          slope(i, j) += share * inverse(a, b);
  }
  Part part{sum.value(), {}};
  for (Eigen::Index j = 0; j < slope.cols(); ++j)
    part.slopes.insert(part.slopes.end(), slope.col(j).data() + j,
                       slope.col(j).data() + slope.rows());
  return part;
}

double DppLikelihood::operator()(std::span<const double> theta, std::span<double> gradient,
                                 const Budget& budget) const {
  const auto n = as_eigen(items_);
  const Matrix l = kernel(theta);
  const Eigen::LLT<Matrix> whole(Matrix::Identity(n, n) + l);
  if (!l.allFinite() || whole.info() != Eigen::Success) return -kInfinity;
  const Index sets = sets_.sets.size();
  const Index share = std::max(kLeastPart, (sets + kMostParts - 1) / kMostParts);
  const auto parts = in_order((sets + share - 1) / share, budget, crew_, [&](std::size_t k) {
    return part_of(k * share, std::min(sets, (k + 1) * share), l, budget);
  });
  if (!parts.complete) return std::nan("");
  Matrix slope = -whole.solve(Matrix::Identity(n, n));
  CompensatedSum sum;
  for (const Part& part : parts.results) {
    if (!std::isfinite(part.value)) return part.value;
    sum.add(part.value);
    auto next = part.slopes.begin();
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = j; i < n; ++i) slope(i, j) += *next++;
  }
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < j; ++i) slope(i, j) = slope(j, i);
  const Eigen::Map<const RowMajor> v(theta.data(), n, as_eigen(features_));
  Eigen::Map<RowMajor>(gradient.data(), n, as_eigen(features_)) = 2 * slope * v;
  for (Index i = 0; i < items_; ++i) {
    const double s = theta[items_ * features_ + i];
    gradient[items_ * features_ + i] =
        s < kGreatestLog ? slope(as_eigen(i), as_eigen(i)) * std::exp(s) : 0;
  }
  return sum.value() - log_det_of_factor(whole.matrixLLT());
}

DppFit fit_dpp(const SetCollection& data, const DppFitOptions& options) {
  require(options.features >= 1, "dpp: the number of features is ", options.features,
          ", which must be >= 1");
  require(options.iterations >= 1, "dpp: the number of iterations is ", options.iterations,
          ", which must be >= 1");
  require(std::isfinite(options.smoothing) && options.smoothing > 0, "dpp: the smoothing is ",
          options.smoothing, ", which must be finite and > 0");
  require(std::isfinite(options.tolerance) && options.tolerance >= 0, "dpp: the tolerance is ",
          options.tolerance, ", which must be finite and >= 0");
  const FlatSets sets = flat_sets(data);
  const auto counts = item_counts(sets, data.items);
  const DppLikelihood likelihood(distinct_sets(sets), data.items, options.features,
                                 options.smoothing, options.crew);

  // The start: items by themselves, as often as in the data, and a little of everything in V.
  Random random(options.seed);
  std::vector<double> start(likelihood.parameters());
  for (Index i = 0; i < data.items; ++i) {
    const double odds = (static_cast<double>(counts[i]) + 0.5) /
                        (static_cast<double>(sets.size() - counts[i]) + 0.5);
    start[data.items * options.features + i] = std::log(odds);
    const double spread = kTypicalSpread * std::sqrt(odds);
    for (Index d = 0; d < options.features; ++d)
      start[i * options.features + d] = spread * random.normal();
  }

  DppFit fit;
  bool stopped = false;
  const SmoothFunction loss = [&](std::span<const double> theta, std::span<double> gradient) {
    if (stopped) return kInfinity;  // ends the search with the best point so far
    const double objective = likelihood(theta, gradient, options.budget);
    for (double& entry : gradient) entry = -entry;
    ++fit.evaluations;
    if (options.observer && !options.observer(fit.evaluations, objective)) stopped = true;
    return -objective;
  };
  // A step to where a block is singular ends a search; a fresh one goes on from the best point.
  LbfgsReport found;
  found.point = std::move(start);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    found = minimise(std::move(found.point), loss,
                     {.iterations = options.iterations,
                      .gradient = 1e-7,
                      .progress = options.tolerance,
                      .budget = options.budget});
    if (found.ending != LbfgsEnding::kNotFinite || stopped) break;
  }
  stopped = stopped || found.ending == LbfgsEnding::kStopped;
  fit.status = stopped                                   ? Status::kInterrupted
               : found.ending == LbfgsEnding::kConverged ? Status::kConverged
                                                         : Status::kEpochLimit;
  fit.objective = -found.value;
  Matrix kernel = likelihood.kernel(found.point);
  const auto n = kernel.rows();
  fit.log_z = log_det_of_factor(Eigen::LLT<Matrix>(Matrix::Identity(n, n) + kernel).matrixLLT());
  fit.model = make_log_det(std::move(kernel));
  return fit;
}

}  // namespace surefield
