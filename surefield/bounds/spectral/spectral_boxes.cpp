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

struct SpectralNode {
  double bound;
  Box box;
  std::shared_ptr<const SpectralParent> parent;
};

class SpectralBoxes {
 public:
  SpectralBoxes(const PairwiseField& field, const Box& box, std::vector<double> point,
                const SpectralBoxesOptions& options)
      : field_(field), domain_(box), options_(options), random_(1) {
    report_.point = std::move(point);
    report_.value = Elbo(field.at(report_.point)).value();
    open_.push_back({options.known_bound, box, nullptr});
  }

  SpectralBoxesReport operator()() {
    while (!open_.empty() && open_.front().bound > good_enough()) {
      if (report_.nodes >= options_.nodes || open_.size() > options_.open_nodes) break;
      if (options_.budget.spent()) {
        report_.status = Status::kInterrupted;
        break;
      }
      std::pop_heap(open_.begin(), open_.end(), lower);
      SpectralNode node = std::move(open_.back());
      open_.pop_back();
      ++report_.nodes;
      visit(std::move(node));
    }
    double most = settled_;
    if (!open_.empty()) most = std::max(most, open_.front().bound);
    // Some box holds the best point; were all gone, nothing would be known.
    if (most == -kInfinity) most = kInfinity;
    report_.bound = std::min(most, options_.known_bound);
    if (report_.bound <= good_enough()) report_.status = Status::kConverged;
    return std::move(report_);
  }

 private:
  static bool lower(const SpectralNode& a, const SpectralNode& b) { return a.bound < b.bound; }

  double tolerance() const {
    return std::max(options_.absolute_gap, options_.relative_gap * std::abs(report_.value));
  }
  double good_enough() const { return report_.value + tolerance(); }

  void push(SpectralNode node) {
    open_.push_back(std::move(node));
    std::push_heap(open_.begin(), open_.end(), lower);
  }

  void visit(SpectralNode node) {
    if (node.parent && !contract_field(field_, domain_, node.box)) return;
    const Quadratic quadratic = free_quadratic(field_, node.box, true, kNarrowBox);
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    SpectralBarrier barrier(quadratic, SpectralKind::kElbo);
    const SpectralSearchResult found =
        spectral_newton(barrier, start(quadratic, node), search_options(node));
    if (found.z.size() == n) {
      const double each = 0.01 * tolerance() / (1 + static_cast<double>(n));
      node.bound = std::min(node.bound,
                            spectral_bound(quadratic, SpectralKind::kElbo, found.z, found.point.d,
                                           std::clamp(each, 1e-12, 1e-4), options_.budget));
      const std::size_t draws = node.parent ? report_.nodes % 4 == 0 : kRootDraws;
      for (std::size_t k = 0; k <= draws && (k > 0 || !node.parent || draws > 0); ++k)
        polish(quadratic, node.box, k == 0 ? found.z : barrier.draw(noise(n), found.weight));
    }
    // Where nothing was found the widest is split.
    const Eigen::VectorXd& owed =
        found.spread.size() == n ? found.spread : quadratic.high - quadratic.low;
    Eigen::Index where = -1;
    if (n > 0) owed.maxCoeff(&where);
    // Done, or nothing is left to split: a point but for rounding.
    if (node.bound <= good_enough() || where < 0) {
      settled_ = std::max(settled_, node.bound);
      return;
    }
    auto parent = std::make_shared<SpectralParent>(field_.size(), 0.0);
    for (Eigen::Index i = 0; i < n; ++i)
      (*parent)[quadratic.item[static_cast<std::size_t>(i)]] = found.point.d[i];
    const Index item = quadratic.item[static_cast<std::size_t>(where)];
    const double cut = node.box.low[item] + node.box[item].width() / 2;
    for (const bool above : {false, true}) {
      SpectralNode child{node.bound, node.box, parent};
      (above ? child.box.low : child.box.high)[item] = cut;
      push(std::move(child));
    }
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
    SpectralSearchOptions how{.budget = options_.budget};
    const double scale = std::max(1.0, std::abs(report_.value));
    how.enough = good_enough() - 0.1 * tolerance();
    how.patience = node.parent ? kPatient : 0;
    how.precision = std::max(node.parent ? 0 : 1e-5, 0.2 * tolerance() / scale);
    if (node.parent)
      how.begin = kAgain * *std::max_element(node.parent->begin(), node.parent->end());
    return how;
  }

  Eigen::VectorXd noise(Eigen::Index n) {
    Eigen::VectorXd noise(n);
    for (double& entry : noise) entry = random_.normal();
    return noise;
  }

  void polish(const Quadratic& quadratic, const Box& box, const Eigen::VectorXd& from) {
    std::vector<double> x(field_.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
    for (std::size_t k = 0; k < quadratic.item.size(); ++k)
      x[quadratic.item[k]] = box[quadratic.item[k]].clamp(from[static_cast<Eigen::Index>(k)]);
    Report found = coordinate_ascent(Elbo(field_.at(x)), domain_, Order::natural(field_.size()),
                                     {.epochs = 300, .tolerance = 1e-9, .budget = options_.budget});
    if (found.value > report_.value) {
      report_.value = found.value;
      report_.point = std::move(found.point);
    }
  }

  const PairwiseField& field_;
  const Box& domain_;
  SpectralBoxesOptions options_;
  Random random_;
  SpectralBoxesReport report_;
  std::vector<SpectralNode> open_;
  double settled_ = -kInfinity;  // the largest bound of a box that is done with
};

}  // namespace

SpectralBoxesReport spectral_boxes(const PairwiseField& field, const Box& box,
                                   std::vector<double> point, const SpectralBoxesOptions& options) {
  require_inside_unit(box, field.size());
  require_inside(box, point);
  const auto n = static_cast<double>(field.size());
  options.budget.require({.operations = 4 * n * n * n, .bytes = 64 * n * n}, "spectral boxes");
  return SpectralBoxes(field, box, std::move(point), options)();
}

}  // namespace surefield
