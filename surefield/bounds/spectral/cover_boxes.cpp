#include "surefield/bounds/spectral/cover_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/spectral/cover_search.hpp"
#include "surefield/bounds/spectral/cut_ends.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr std::size_t kRootIterations = 400;
// Weights of the barrier, in units of the mean weight of a concept.
constexpr double kFirstWeight = 1, kRootWeight = 4e-3, kRootFall = 0.4, kNodeWeight = 5e-3;
constexpr std::size_t kNodeIterations = 100;
constexpr double kNodeProgress = 5e-4;  // of the tolerance
constexpr double kNarrowShare = 0.05;   // of the tolerance, for all items put in together

using CoverNode = BoxNode<CoverParent>;
using CoverVisit = BoxVisit<CoverParent>;

/// One visit of a box.
class CoverBoxVisit {
 public:
  CoverBoxVisit(const AnyModel& model, const CoverTerms& terms, double beta, const Box& domain,
                double slack, const BoxRoundNow& now)
      : model_(model), terms_(terms), beta_(beta), domain_(domain), now_(now) {
    contraction_.slack = slack;
    contraction_.steps = 10;
    contraction_.budget = now.budget;
    for (const CoverTerms::Cover& cover : terms.covers) mean_weight_ += cover.weight;
    if (!terms.covers.empty()) mean_weight_ /= static_cast<double>(terms.covers.size());
  }

  void operator()(CoverVisit& visit) const {
    CoverNode& node = visit.node;
    for (int again = 0; again < 2; ++again) {
      if (!contract(at(node.box.low), domain_, node.box, contraction_)) {
        visit.alive = false;
        return;
      }
      if (!bound(visit) || node.bound <= now_.good_enough() || now_.budget.spent()) break;
    }
  }

 private:
  Elbo<AnyState> at(std::span<const double> x) const { return Elbo<AnyState>(model_.at(x), beta_); }

  /// Bounds the box and cuts off ends; whether a good part of it was.
  bool bound(CoverVisit& visit) const {
    CoverNode& node = visit.node;
    const double narrow =
        kNarrowShare * now_.tolerance() / (1 + static_cast<double>(model_.size()));
    const std::vector<double> bends =
        bends_inside(node.box, node.parent ? node.parent->bend : std::span<const float>());
    CoverQuadratic relaxed(terms_, node.box, narrow, bends);
    const CoverPoint found = cover_search(relaxed, start(relaxed, node), search_options(node));
    relaxed.move(found.coefficient);
    const Quadratic& quadratic = relaxed.quadratic();
    const auto n = static_cast<Eigen::Index>(quadratic.size());
    const double each =
        std::clamp(0.01 * now_.tolerance() / (1 + static_cast<double>(n)), 1e-12, 1e-4);
    const SpectralProof proof = spectral_proof(quadratic, found.z, found.d, each, now_.budget);
    node.bound = std::min(node.bound, proof.bound);
    polish(visit, quadratic, found.z);
    keep(node, quadratic, bends, found);
    Eigen::Index where = -1;
    if (n > 0) found.spread.maxCoeff(&where);
    visit.where = where < 0 ? model_.size() : quadratic.item[static_cast<std::size_t>(where)];
    return proof.bound < kInfinity && proof.bound > now_.good_enough() &&
           cut_ends(visit, quadratic, proof, now_.good_enough(), each);
  }

  CoverPoint start(const CoverQuadratic& relaxed, const CoverNode& node) const {
    if (!node.parent) return cover_start(relaxed);
    return cover_start_below(relaxed, *node.parent);
  }

  CoverSearchOptions search_options(const CoverNode& node) const {
    CoverSearchOptions how{.weights = {}, .budget = now_.budget};
    const double unit = std::max(mean_weight_, 1e-3);
    how.enough = now_.good_enough() - 0.3 * now_.tolerance();
    if (node.parent) {
      how.iterations = kNodeIterations;
      how.progress =
          std::max(1e-5, kNodeProgress * now_.tolerance() / std::max(1.0, std::abs(now_.value)));
      how.weights = {kNodeWeight * unit};
    } else {
      how.iterations = kRootIterations;
      for (double weight = kFirstWeight; weight > kRootWeight; weight *= kRootFall)
        how.weights.push_back(weight * unit);
    }
    return how;
  }

  void polish(CoverVisit& visit, const Quadratic& quadratic, const Eigen::VectorXd& z) const {
    const Box& box = visit.node.box;
    std::vector<double> x(model_.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
    for (std::size_t k = 0; k < quadratic.item.size(); ++k)
      x[quadratic.item[k]] = box[quadratic.item[k]].clamp(z[static_cast<Eigen::Index>(k)]);
    Report found = coordinate_ascent(at(x), domain_, Order::natural(x.size()),
                                     {.epochs = 300, .tolerance = 1e-9, .budget = now_.budget});
    if (visit.polished.point.empty() || found.value > visit.polished.value)
      visit.polished = std::move(found);
  }

  void keep(CoverNode& node, const Quadratic& quadratic, const std::vector<double>& bends,
            const CoverPoint& found) const {
    auto parent = std::make_shared<CoverParent>();
    parent->z.assign(model_.size(), 0), parent->d.assign(model_.size(), 0);
    for (std::size_t k = 0; k < quadratic.item.size(); ++k) {
      parent->z[quadratic.item[k]] = static_cast<float>(found.z[static_cast<Eigen::Index>(k)]);
      parent->d[quadratic.item[k]] = static_cast<float>(found.d[static_cast<Eigen::Index>(k)]);
    }
    parent->bend.assign(bends.begin(), bends.end());
    parent->coefficient.assign(found.coefficient.begin(), found.coefficient.end());
    node.parent = std::move(parent);
  }

  const AnyModel& model_;
  const CoverTerms& terms_;
  double beta_;
  const Box& domain_;
  const BoxRoundNow& now_;
  ContractionOptions contraction_;
  double mean_weight_ = 0;
};

}  // namespace

BoxRoundsReport cover_boxes(const AnyModel& model, const CoverTerms& terms,
                            double inverse_temperature, const Box& box, std::vector<double> point,
                            const BoxRoundsOptions& options, double slack) {
  require_inside_unit(box, model.size());
  require_inside(box, point);
  const auto n = static_cast<double>(model.size());
  const double points = CoverQuadratic::most_points(terms);
  options.budget.require(
      {.operations = 100 * (n * n * n + 10 * points), .bytes = 64 * n * n + 40 * points},
      "cover boxes");
  const double value = Elbo(model.at(point), inverse_temperature).value();
  BoxRounds<CoverParent> rounds(box, std::move(point), value, options);
  return rounds([&](CoverVisit& seen, const BoxRoundNow& now) {
    CoverBoxVisit(model, terms, inverse_temperature, box, slack, now)(seen);
  });
}

Answerer cover_box_answerer(AnyModel model, CoverTerms terms, double inverse_temperature, Box box,
                            double slack, double relative_gap, double absolute_gap,
                            const Budget& budget) {
  return box_answerer<CoverParent>(
      relative_gap, absolute_gap, budget,
      [model = std::move(model), terms = std::move(terms), inverse_temperature,
       box = std::move(box), slack](CoverVisit& seen, const BoxRoundNow& now) {
        CoverBoxVisit(model, terms, inverse_temperature, box, slack, now)(seen);
      });
}

}  // namespace surefield
