#include "surefield/bounds/spectral/cover_boxes.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/difference_contraction.hpp"
#include "surefield/bounds/spectral/cover_search.hpp"
#include "surefield/bounds/spectral/cut_ends.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/submodular_difference.hpp"
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

/// What visits of one search share.
class CoverSubject {
 public:
  CoverSubject(AnyModel of, CoverTerms its_terms, double inverse_temperature, Box box,
               double slope_error)
      : model(std::move(of)),
        terms(std::move(its_terms)),
        beta(inverse_temperature),
        domain(std::move(box)),
        parts_(submodular_difference(model)) {
    require(parts_.has_value(),
            "cover boxes: F is not submodular, nor a known difference of two such");
    if (parts_->taken) mixed_.emplace(*parts_, beta, domain, slope_error);
    contraction_.slack = std::max(contraction_.slack, contraction_slack(slope_error));
    contraction_.steps = 10;
    for (const CoverTerms::Concept& one : terms.concepts) mean_weight += std::abs(one.weight);
    if (mean_weight > 0) mean_weight /= static_cast<double>(terms.concepts.size());
  }
  CoverSubject(const CoverSubject&) = delete;
  CoverSubject& operator=(const CoverSubject&) = delete;

  Elbo<AnyState> at(std::span<const double> x) const { return Elbo<AnyState>(model.at(x), beta); }

  /// False if the box holds no best point.
  bool contracts(Box& box, const Budget& budget) const {
    if (mixed_) {
      DifferenceContraction::Slopes slopes;
      return (*mixed_)(box, slopes, budget);
    }
    ContractionOptions how = contraction_;
    how.budget = budget;
    return contract(at(box.low), domain, box, how);
  }

  const AnyModel model;
  const CoverTerms terms;
  const double beta;
  const Box domain;
  double mean_weight = 0;

 private:
  std::optional<SubmodularDifference> parts_;
  std::optional<DifferenceContraction> mixed_;  // where F is not submodular
  ContractionOptions contraction_;
};

/// One visit of a box.
class CoverBoxVisit {
 public:
  CoverBoxVisit(const CoverSubject& subject, const BoxRoundNow& now)
      : subject_(subject), now_(now) {}

  void operator()(CoverVisit& visit) const {
    CoverNode& node = visit.node;
    for (int again = 0; again < 2; ++again) {
      if (!subject_.contracts(node.box, now_.budget)) {
        visit.alive = false;
        return;
      }
      if (!bound(visit) || node.bound <= now_.good_enough() || now_.budget.spent()) break;
    }
  }

 private:
  /// Bounds the box and cuts off ends; whether a good part of it was.
  bool bound(CoverVisit& visit) const {
    CoverNode& node = visit.node;
    const double narrow =
        kNarrowShare * now_.tolerance() / (1 + static_cast<double>(subject_.model.size()));
    const std::vector<double> bends =
        bends_inside(node.box, node.parent ? node.parent->bend : std::span<const float>());
    CoverQuadratic relaxed(subject_.terms, node.box, narrow, bends);
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
    visit.where =
        where < 0 ? subject_.model.size() : quadratic.item[static_cast<std::size_t>(where)];
    return proof.bound < kInfinity && proof.bound > now_.good_enough() &&
           cut_ends(visit, quadratic, proof, now_.good_enough(), each);
  }

  CoverPoint start(const CoverQuadratic& relaxed, const CoverNode& node) const {
    if (!node.parent) return cover_start(relaxed);
    return cover_start_below(relaxed, *node.parent);
  }

  CoverSearchOptions search_options(const CoverNode& node) const {
    CoverSearchOptions how{.weights = {}, .budget = now_.budget};
    const double unit = std::max(subject_.mean_weight, 1e-3);
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
    std::vector<double> x(subject_.model.size());
    for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(box.low[i] + box[i].width() / 2);
    for (std::size_t k = 0; k < quadratic.item.size(); ++k)
      x[quadratic.item[k]] = box[quadratic.item[k]].clamp(z[static_cast<Eigen::Index>(k)]);
    Report found = coordinate_ascent(subject_.at(x), subject_.domain, Order::natural(x.size()),
                                     {.epochs = 300, .tolerance = 1e-9, .budget = now_.budget});
    if (visit.polished.point.empty() || found.value > visit.polished.value)
      visit.polished = std::move(found);
  }

  void keep(CoverNode& node, const Quadratic& quadratic, const std::vector<double>& bends,
            const CoverPoint& found) const {
    auto parent = std::make_shared<CoverParent>();
    parent->z.assign(subject_.model.size(), 0), parent->d.assign(subject_.model.size(), 0);
    for (std::size_t k = 0; k < quadratic.item.size(); ++k) {
      parent->z[quadratic.item[k]] = static_cast<float>(found.z[static_cast<Eigen::Index>(k)]);
      parent->d[quadratic.item[k]] = static_cast<float>(found.d[static_cast<Eigen::Index>(k)]);
    }
    parent->bend.assign(bends.begin(), bends.end());
    parent->coefficient.assign(found.coefficient.begin(), found.coefficient.end());
    node.parent = std::move(parent);
  }

  const CoverSubject& subject_;
  const BoxRoundNow& now_;
};

}  // namespace

BoxRoundsReport cover_boxes(const AnyModel& model, const CoverTerms& terms,
                            double inverse_temperature, const Box& box, std::vector<double> point,
                            const BoxRoundsOptions& options, double slope_error) {
  require_inside_unit(box, model.size());
  require_inside(box, point);
  const auto n = static_cast<double>(model.size());
  const double points = CoverQuadratic::most_points(terms);
  options.budget.require(
      {.operations = 100 * (n * n * n + 10 * points), .bytes = 64 * n * n + 40 * points},
      "cover boxes");
  const CoverSubject subject(model, terms, inverse_temperature, box, slope_error);
  const double value = subject.at(point).value();
  BoxRounds<CoverParent> rounds(box, std::move(point), value, options);
  return rounds(
      [&](CoverVisit& seen, const BoxRoundNow& now) { CoverBoxVisit(subject, now)(seen); });
}

Answerer cover_box_answerer(AnyModel model, CoverTerms terms, double inverse_temperature, Box box,
                            double slope_error, double relative_gap, double absolute_gap,
                            const Budget& budget) {
  const auto subject = std::make_shared<const CoverSubject>(
      std::move(model), std::move(terms), inverse_temperature, std::move(box), slope_error);
  return box_answerer<CoverParent>(
      relative_gap, absolute_gap, budget,
      [subject](CoverVisit& seen, const BoxRoundNow& now) { CoverBoxVisit(*subject, now)(seen); });
}

}  // namespace surefield
