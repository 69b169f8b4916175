#include "surefield/bounds/spectral/cover_search.hpp"

#include <algorithm>
#include <utility>

#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/core/projected_lbfgs.hpp"

namespace surefield {
namespace {

constexpr double kShareSoftness = 0.3;  // of the weight of the barrier
constexpr std::size_t kRememberedSteps = 12;
constexpr int kRaises = 16;
constexpr double kRaise = 1.3;
constexpr double kInsideAgain = 1.0002;  // of the parent's d: more than single precision takes away

class CoverSearch {
 public:
  CoverSearch(CoverQuadratic& relaxed, const CoverSearchOptions& options)
      : relaxed_(relaxed),
        options_(options),
        barrier_(relaxed.quadratic(), SpectralKind::kElbo),
        n_(static_cast<Eigen::Index>(relaxed.quadratic().size())) {}

  CoverPoint operator()(const CoverPoint& from) {
    best_ = from;
    best_.bound = kInfinity;
    best_.spread = relaxed_.quadratic().high - relaxed_.quadratic().low;
    std::vector<double> x;
    if (n_ == 0 || options_.weights.empty() || !begin(from, x)) return std::move(best_);
    const std::vector<double> upper(x.size(), kInfinity);
    for (const double weight : options_.weights) {
      if (best_.bound < options_.enough || options_.budget.spent()) break;
      weight_ = weight;
      x = minimise_below(
              std::move(x), upper,
              [&](std::span<const double> at, std::span<double> slope) { return ask(at, slope); },
              {.iterations = options_.iterations,
               .memory = kRememberedSteps,
               .progress = options_.progress,
               .budget = options_.budget})
              .point;
    }
    return std::move(best_);
  }

 private:
  /// The first point, feasible; false where there is none.
  bool begin(const CoverPoint& from, std::vector<double>& x) {
    relaxed_.move(from.coefficient);
    const Quadratic& quadratic = relaxed_.quadratic();
    barrier_.couple(quadratic);
    Eigen::VectorXd d = from.d;
    for (int raise = 0; raise < kRaises; ++raise, d *= kRaise) {
      const Eigen::VectorXd l =
          quadratic.bias - (d.cwiseProduct(from.z) - quadratic.couplings * from.z);
      if (!barrier_.move({l, d})) continue;
      x.assign(l.begin(), l.end());
      x.insert(x.end(), d.begin(), d.end());
      x.insert(x.end(), from.coefficient.begin(), from.coefficient.end());
      return true;
    }
    return false;
  }

  double ask(std::span<const double> x, std::span<double> slope) {
    if (best_.bound < options_.enough) return kInfinity;  // ends the search
    const auto n = static_cast<std::size_t>(n_);
    const auto coefficient = x.subspan(2 * n);
    relaxed_.move(coefficient);
    barrier_.couple(relaxed_.quadratic());
    const Eigen::Map<const Eigen::VectorXd> l(x.data(), n_), d(x.data() + n, n_);
    if (!barrier_.move({l, d})) return kInfinity;
    Eigen::VectorXd slope_l, slope_d;
    double value = barrier_.value(weight_, slope_l, slope_d);
    std::ranges::copy(slope_l, slope.begin());
    std::ranges::copy(slope_d, slope.begin() + n_);
    value += relaxed_.slope(barrier_, weight_, kShareSoftness * weight_, slope.subspan(2 * n));
    if (barrier_.over_atoms() < best_.bound) {
      best_.bound = barrier_.over_atoms();
      best_.z = barrier_.z();
      best_.d = d;
      best_.coefficient.assign(coefficient.begin(), coefficient.end());
      best_.spread = 2 * relaxed_.owed();
      for (Eigen::Index i = 0; i < n_; ++i) best_.spread[i] += d[i] * barrier_.variance(i);
    }
    return value;
  }

  CoverQuadratic& relaxed_;
  const CoverSearchOptions& options_;
  SpectralBarrier barrier_;
  Eigen::Index n_;
  double weight_ = 0;
  CoverPoint best_;
};

}  // namespace

CoverPoint cover_search(CoverQuadratic& relaxed, const CoverPoint& from,
                        const CoverSearchOptions& options) {
  return CoverSearch(relaxed, options)(from);
}

CoverPoint cover_start(const CoverQuadratic& relaxed) {
  const Quadratic& quadratic = relaxed.quadratic();
  return {.bound = kInfinity,
          .z = (quadratic.low + quadratic.high) / 2,
          .d = dominant_point(quadratic).d,
          .coefficient = relaxed.tangent(),
          .spread = quadratic.high - quadratic.low};
}

CoverPoint cover_start_below(const CoverQuadratic& relaxed, const CoverParent& parent) {
  CoverPoint from = cover_start(relaxed);
  const Quadratic& quadratic = relaxed.quadratic();
  for (std::size_t k = 0; k < quadratic.item.size(); ++k) {
    const Index item = quadratic.item[k];
    const auto i = static_cast<Eigen::Index>(k);
    from.z[i] = parent.z[item];
    if (parent.d[item] > 0) from.d[i] = kInsideAgain * parent.d[item];
  }
  from.coefficient = relaxed.inherit(parent.coefficient, parent.bend);
  return from;
}

}  // namespace surefield
