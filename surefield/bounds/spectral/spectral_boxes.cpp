#include "surefield/bounds/spectral/spectral_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/spectral/field_contraction.hpp"
#include "surefield/bounds/spectral/spectral_newton.hpp"
#include "surefield/core/random.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr double kNarrowBox = 1e-7;
constexpr std::size_t kRootDraws = 30;
constexpr double kPatient =
    0.3;                         // of the distance to what is wanted: how exact a bound of a box is
constexpr double kAgain = 0.02;  // of the largest d: the weight that a box begins with
constexpr double kInflate = 1.1;  // of the parent's d, to begin inside

/// The d of the parent's bound, on all coordinates; shared by both children.
using SpectralParent = std::vector<double>;

using SpectralNode = BoxNode<SpectralParent>;

class SpectralBoxes {
 public:
  SpectralBoxes(const PairwiseField& field, const Box& box, std::vector<double> point,
                const BoxRoundsOptions& options)
      : field_(field), domain_(box), rounds_(box, point, Elbo(field.at(point)).value(), options) {}

  BoxRoundsReport operator()() {
    return rounds_([this](BoxVisit<SpectralParent>& seen) { visit(seen); });
  }

 private:
  void visit(BoxVisit<SpectralParent>& seen) const {
    SpectralNode& node = seen.node;
    seen.where = field_.size();
    if (node.parent && !contract_field(field_, domain_, node.box)) {
      seen.alive = false;
      return;
    }
    const Quadratic quadratic = free_quadratic(field_, node.box, true, kNarrowBox);
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    SpectralBarrier barrier(quadratic, SpectralKind::kElbo);
    const SpectralSearchResult found =
        spectral_newton(barrier, start(quadratic, node), search_options(node));
    if (found.z.size() == n) {
      const double each = 0.01 * rounds_.tolerance() / (1 + static_cast<double>(n));
      node.bound = std::min(node.bound,
                            spectral_bound(quadratic, SpectralKind::kElbo, found.z, found.point.d,
                                           std::clamp(each, 1e-12, 1e-4), rounds_.budget()));
      const std::size_t draws = node.parent ? seen.number % 4 == 0 : kRootDraws;
      Random random(seen.number);
      for (std::size_t k = 0; k <= draws && draws > 0; ++k)
        polish(seen, quadratic, k == 0 ? found.z : barrier.draw(noise(n, random), found.weight));
    }
    // Where nothing was found the widest is split.
    const Eigen::VectorXd& owed =
        found.spread.size() == n ? found.spread : quadratic.high - quadratic.low;
    Eigen::Index where = -1;
    if (n > 0) owed.maxCoeff(&where);
    if (where < 0) return;  // a point but for rounding
    auto parent = std::make_shared<SpectralParent>(field_.size(), 0.0);
    for (Eigen::Index i = 0; i < n; ++i)
      (*parent)[quadratic.item[static_cast<std::size_t>(i)]] = found.point.d[i];
    node.parent = std::move(parent);
    seen.where = quadratic.item[static_cast<std::size_t>(where)];
  }

  SpectralPoint start(const Quadratic& quadratic, const SpectralNode& node) const {
    if (!node.parent) return dominant_point(quadratic);
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    Eigen::VectorXd d(n);
    for (Eigen::Index i = 0; i < n; ++i)
      d[i] = kInflate * (*node.parent)[quadratic.item[static_cast<std::size_t>(i)]];
    return middle_point(quadratic, std::move(d));
  }

  SpectralSearchOptions search_options(const SpectralNode& node) const {
    SpectralSearchOptions how{.budget = rounds_.budget()};
    const double scale = std::max(1.0, std::abs(rounds_.value()));
    how.enough = rounds_.good_enough() - 0.1 * rounds_.tolerance();
    how.patience = node.parent ? kPatient : 0;
    how.precision = std::max(node.parent ? 0 : 1e-5, 0.2 * rounds_.tolerance() / scale);
    if (node.parent)
      how.begin = kAgain * *std::max_element(node.parent->begin(), node.parent->end());
    return how;
  }

  static Eigen::VectorXd noise(Eigen::Index n, Random& random) {
    Eigen::VectorXd noise(n);
    for (double& entry : noise) entry = random.normal();
    return noise;
  }

  void polish(BoxVisit<SpectralParent>& seen, const Quadratic& quadratic,
              const Eigen::VectorXd& from) const {
    const Box& box = seen.node.box;
    std::vector<double> x(field_.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
    for (std::size_t k = 0; k < quadratic.item.size(); ++k)
      x[quadratic.item[k]] = box[quadratic.item[k]].clamp(from[static_cast<Eigen::Index>(k)]);
    Report found =
        coordinate_ascent(Elbo(field_.at(x)), domain_, Order::natural(field_.size()),
                          {.epochs = 300, .tolerance = 1e-9, .budget = rounds_.budget()});
    if (seen.polished.point.empty() || found.value > seen.polished.value)
      seen.polished = std::move(found);
  }

  const PairwiseField& field_;
  const Box& domain_;
  BoxRounds<SpectralParent> rounds_;
};

}  // namespace

BoxRoundsReport spectral_boxes(const PairwiseField& field, const Box& box,
                               std::vector<double> point, const BoxRoundsOptions& options) {
  require_inside_unit(box, field.size());
  require_inside(box, point);
  const auto n = static_cast<double>(field.size());
  options.budget.require({.operations = 4 * n * n * n, .bytes = 64 * n * n}, "spectral boxes");
  return SpectralBoxes(field, box, std::move(point), options)();
}

}  // namespace surefield
