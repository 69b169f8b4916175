#include "surefield/bounds/spectral/clique_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "surefield/core/projected_lbfgs.hpp"

namespace surefield {
namespace {

constexpr double kFirstCliques = 0.01;  // of the mean d where A is dominant
constexpr std::size_t kCliqueMemory = 12;
constexpr int kCliqueRaises = 40;

/// The point of these d and y whose z is the one given.
SpectralPoint point_at(const Quadratic& quadratic, std::span<const CliqueInequality> cliques,
                       const Eigen::VectorXd& z, Eigen::VectorXd d, Eigen::VectorXd y) {
  const Quadratic sum = with_cliques(quadratic, cliques, y);
  Eigen::VectorXd l = sum.bias - (d.cwiseProduct(z) - sum.couplings * z);
  return {std::move(l), std::move(d), std::move(y)};
}

class CliqueSearch {
 public:
  CliqueSearch(SpectralBarrier& barrier, const Quadratic& quadratic,
               const CliqueSearchOptions& options)
      : barrier_(barrier),
        quadratic_(quadratic),
        options_(options),
        n_(static_cast<Eigen::Index>(quadratic.size())) {}

  CliqueSearchResult operator()(SpectralPoint start, std::vector<CliqueInequality> cliques) {
    cliques_ = std::move(cliques);
    at_ = std::move(start);
    best_.found.point = at_, best_.cliques = cliques_;
    if (n_ == 0 || !begin()) return std::move(best_);
    std::size_t more = 0;
    double before = kInfinity;
    while (true) {
      const bool last = weight_ <= last_;
      descend();
      const double above = bound_ - options_.enough;
      if (above < 0 || options_.budget.spent()) break;
      if (last && (++more > options_.more || before - bound_ < options_.progress * above)) break;
      if (last) before = bound_;
      join();
      weight_ = std::max(last_, options_.fall * weight_);
    }
    polish();
    return std::move(best_);
  }

 private:
  bool begin() {
    const double size = dominant_point(quadratic_).d.mean();
    weight_ = options_.first > 0 ? options_.first : kFirstCliques * size;
    barrier_.cut(cliques_);
    // d is raised with z kept.
    double raise = weight_;
    bool inside = barrier_.move(at_);
    const Eigen::VectorXd z = inside ? barrier_.z() : (quadratic_.low + quadratic_.high) / 2;
    for (int k = 0; k < kCliqueRaises && !inside; ++k, raise *= 2) {
      at_ = point_at(quadratic_, cliques_, z, at_.d.array() + raise, at_.y);
      inside = barrier_.move(at_);
    }
    if (!inside) return false;
    Eigen::VectorXd slope_l, slope_d;
    barrier_.value(weight_, slope_l, slope_d);
    const double value = std::max(1.0, std::abs(barrier_.over_atoms()));
    last_ = options_.last > 0 ? options_.last : 1e-4 * value / (4 * static_cast<double>(n_));
    weight_ = std::max(weight_, last_);
    return true;
  }

  /// A round: l, d and y for the weight.
  void descend() {
    const auto m = static_cast<Eigen::Index>(cliques_.size());
    barrier_.cut(cliques_);
    std::vector<double> x(at_.l.begin(), at_.l.end());
    x.insert(x.end(), at_.d.begin(), at_.d.end());
    for (const double y : at_.y) x.push_back(-y);
    std::vector<double> upper(x.size(), kInfinity);
    std::fill(upper.end() - m, upper.end(), 0);
    const auto found = minimise_below(
        std::move(x), upper,
        [&](std::span<const double> at, std::span<double> slope) { return ask(at, slope); },
        {.iterations = options_.iterations,
         .memory = kCliqueMemory,
         .progress = 1e-6,
         .budget = options_.budget});
    go_to(found.point);
    barrier_.value(weight_, slope_l_, slope_d_);
    barrier_.slope_y(weight_, slope_y_);
  }

  bool go_to(std::span<const double> x) {
    const auto m = static_cast<Eigen::Index>(cliques_.size());
    at_.l = Eigen::Map<const Eigen::VectorXd>(x.data(), n_);
    at_.d = Eigen::Map<const Eigen::VectorXd>(x.data() + n_, n_);
    at_.y = -Eigen::Map<const Eigen::VectorXd>(x.data() + 2 * n_, m);
    return barrier_.move(at_);
  }

  double ask(std::span<const double> x, std::span<double> slope) {
    if (bound_ < options_.enough || !go_to(x)) return kInfinity;
    const double value = barrier_.value(weight_, slope_l_, slope_d_);
    barrier_.slope_y(weight_, slope_y_);
    std::ranges::copy(slope_l_, slope.begin());
    std::ranges::copy(slope_d_, slope.begin() + n_);
    std::ranges::transform(slope_y_, slope.begin() + 2 * n_, std::negate{});
    note();
    return value;
  }

  void note() {
    if (!(barrier_.over_atoms() < bound_)) return;
    bound_ = barrier_.over_atoms();
    best_.found.point = at_;
    best_.found.z = barrier_.z();
    best_.found.weight = weight_;
    best_.cliques = cliques_;
    best_.found.spread.resize(n_);
    for (Eigen::Index i = 0; i < n_; ++i) best_.found.spread[i] = at_.d[i] * barrier_.variance(i);
  }

  /// Those without a multiplier that the moments keep leave, those that they break most join.
  void join() {
    const Eigen::MatrixXd moments = barrier_.moments(weight_);
    Eigen::Index kept = 0;
    for (Eigen::Index t = 0; t < at_.y.size(); ++t) {
      if (!(at_.y[t] > 0) && slope_y_[t] > 0) continue;
      at_.y[kept] = std::max(0.0, at_.y[t]);
      cliques_[static_cast<std::size_t>(kept++)] = cliques_[static_cast<std::size_t>(t)];
    }
    cliques_.resize(static_cast<std::size_t>(kept));
    const auto share = [&](double an_item) {
      return static_cast<std::size_t>(an_item * static_cast<double>(n_));
    };
    take(broken_triangles(quadratic_, barrier_.z(), moments, cliques_, options_.least,
                          share(options_.joining) + 1));
    take(broken_pentagons(quadratic_, barrier_.z(), moments, cliques_, options_.least,
                          share(options_.pentagons)));
  }

  void take(const std::vector<CliqueInequality>& joining) {
    cliques_.insert(cliques_.end(), joining.begin(), joining.end());
    at_.y.conservativeResize(static_cast<Eigen::Index>(cliques_.size()));
    at_.y.tail(static_cast<Eigen::Index>(joining.size())).setZero();
  }

  /// l and d once more, by Newton's method, from the best point; it ends there in any case.
  void polish() {
    if (best_.found.z.size() != n_) return;
    barrier_.cut(best_.cliques);
    const SpectralPoint best = best_.found.point;
    if (bound_ >= options_.enough && !options_.budget.spent()) {
      const double size = std::max(1.0, std::abs(bound_));
      SpectralSearchResult closer =
          spectral_newton(barrier_, best,
                          {.precision = 0.5 * 4 * static_cast<double>(n_) * last_ / size,
                           .begin = best_.found.weight,
                           .steps = 12,
                           .enough = options_.enough,
                           .budget = options_.budget});
      if (closer.z.size() == n_ && barrier_.plain() < bound_) {
        best_.found = std::move(closer);
        return;
      }
    }
    barrier_.move(best);
  }

  SpectralBarrier& barrier_;
  const Quadratic& quadratic_;
  const CliqueSearchOptions& options_;
  Eigen::Index n_;
  std::vector<CliqueInequality> cliques_;
  SpectralPoint at_;
  Eigen::VectorXd slope_l_, slope_d_, slope_y_;
  double weight_ = 0, last_ = 0, bound_ = kInfinity;
  CliqueSearchResult best_;
};

}  // namespace

CliqueSearchResult clique_search(SpectralBarrier& barrier, const Quadratic& quadratic,
                                 SpectralPoint start, std::vector<CliqueInequality> cliques,
                                 const CliqueSearchOptions& options) {
  return CliqueSearch(barrier, quadratic, options)(std::move(start), std::move(cliques));
}

}  // namespace surefield
