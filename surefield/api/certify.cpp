#include "surefield/api/certify.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/certify/box_search.hpp"
#include "surefield/certify/branch_and_bound.hpp"
#include "surefield/certify/contraction.hpp"
#include "surefield/certify/cut_bound.hpp"
#include "surefield/certify/edge_decomposition.hpp"
#include "surefield/certify/facility_parts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/models/rounding.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

class Certifier {
 public:
  Certifier(const Problem& problem, std::span<const double> point, double value,
            const CertifyOptions& options)
      : problem_(problem), point_(point.begin(), point.end()), value_(value), options_(options) {
    rounding_ = options.inverse_temperature *
                std::visit([](const auto& model) { return rounding_of(model); }, problem.model);
  }

  std::optional<Certificate> operator()(const Flid& model) const {
    if (submodularity_violation(model)) return std::nullopt;
    return by_dimension(model, facility_decomposition(model.facility, beta()));
  }
  std::optional<Certificate> operator()(const FacilityLocation& model) const {
    if (submodularity_violation(model)) return std::nullopt;
    return by_dimension(model, facility_decomposition(model, beta()));
  }
  std::optional<Certificate> operator()(const Coverage& model) const {
    if (submodularity_violation(model)) return std::nullopt;
    const auto dual = coverage_decomposition(model, beta());
    if (options_.effort == 1 && members_of(dual) > kQuickMembers) return std::nullopt;
    return by_dimension(model, dual);
  }
  std::optional<Certificate> operator()(const WeightedSum& sum) const {
    const auto dual = sum_decomposition(sum, beta());
    if (!dual) return by_boxes(sum);
    if (options_.effort == 1 && members_of(*dual) > kQuickMembers) return std::nullopt;
    return by_dimension(sum, *dual);
  }
  std::optional<Certificate> operator()(const PairwiseField& model) const {
    return by_field(model);
  }
  std::optional<Certificate> operator()(const GraphCut& model) const {
    return by_field(model.field);
  }
  std::optional<Certificate> operator()(const auto& model) const { return by_boxes(model); }

 private:
  double beta() const { return options_.inverse_temperature; }
  bool go_on() const { return !options_.go_on || options_.go_on(); }

  /// A certificate for a bound and, if it is better than the one given, a point.
  Certificate certificate(std::string method, double bound, double value, std::vector<double> point,
                          Status status) const {
    const bool better = value > value_;
    const bool known = options_.known_bound <= bound;
    const double least = known ? options_.known_bound : bound;
    return {.method = known ? kByLogZ : std::move(method),
            .upper_bound = std::max(least + rounding_, better ? value : value_),
            .value = better ? value : value_,
            .point = better ? std::move(point) : point_,
            .status = status};
  }

  static constexpr const char* kByLogZ = "an upper bound of log Z";
  static constexpr std::size_t kQuickMembers = 10000;  // beyond, one iteration takes seconds

  static std::size_t members_of(const DualDecomposition<MaxPart>& dual) {
    std::size_t members = 0;
    for (const MaxPart& part : dual.parts()) members += part.members().size();
    return members;
  }

  /// Of the dual, for about the cost of inference: fewer where there are many or large parts.
  static std::size_t quick_iterations(const DualDecomposition<MaxPart>& dual) {
    constexpr std::size_t kMost = 40, kWork = 80000;  // members of parts visited
    return std::clamp(kWork / std::max<std::size_t>(1, members_of(dual)), std::size_t{1}, kMost);
  }

  template <class M>
  std::optional<Certificate> by_dimension(const M& model,
                                          const DualDecomposition<MaxPart>& dual) const {
    const Elbo elbo(model.at(point_), beta());
    ContractionOptions contraction;  // a slope is a difference of two values
    contraction.slack = std::max(contraction.slack, 4 * rounding_);
    const auto proof =
        branch_and_bound(elbo, dual, problem_.box,
                         {.relative_gap = options_.wanted_gap,
                          .nodes = options_.effort,
                          .root_iterations = options_.effort == 1 ? quick_iterations(dual) : 400,
                          .threads = options_.threads,
                          .known_bound = options_.known_bound,
                          .contraction = contraction},
                         [&](const BranchAndBoundProgress&) { return go_on(); });
    return certificate("branch and bound over dual decomposition by dimension",
                       *proof.report.upper_bound, proof.report.value, proof.report.point,
                       proof.report.status);
  }

  /// No parts are known: boxes alone, where the model is submodular and not estimated.
  template <class M>
  std::optional<Certificate> by_boxes(const M& model) const {
    if (!problem_.is_submodular() || is_estimated(problem_.model)) return std::nullopt;
    const auto at = [&](std::span<const double> x) { return Elbo(model.at(x), beta()); };
    const auto proof = box_search(at, problem_.box, point_, rounding_,
                                  {.relative_gap = options_.wanted_gap,
                                   .nodes = options_.effort,
                                   .known_bound = options_.known_bound},
                                  [&](const BranchAndBoundProgress&) { return go_on(); });
    return certificate("branch and bound over boxes", *proof.report.upper_bound, proof.report.value,
                       proof.report.point, proof.report.status);
  }

  std::optional<Certificate> by_field(const PairwiseField& given) const {
    PairwiseField model = given;
    model.constant *= beta();
    for (double& bias : model.bias) bias *= beta();
    for (double& coupling : model.coupling) coupling *= beta();
    const Elbo elbo(model.at(point_));
    Box box = problem_.box;
    if (problem_.is_submodular() &&
        !contract(elbo, problem_.box, box, {.slack = std::max(1e-10, 4 * rounding_of(model))}))
      box = problem_.box;
    const auto inside = [&](std::vector<double> x) {
      for (Index i = 0; i < x.size(); ++i) x[i] = box[i].clamp(x[i]);
      return x;
    };
    if (balancing_flips(model, box)) {
      const auto proof = cut_bound(model, box,
                                   {.rounds = std::min<std::size_t>(60, 6 * options_.effort),
                                    .wanted_gap = options_.wanted_gap},
                                   [&](std::size_t, double, double) { return go_on(); });
      return certificate("minimum cuts", proof.bound, proof.value, proof.point, proof.status);
    }
    const auto proof =
        edge_dual_bound(model, box, value_,
                        {.iterations = std::min<std::size_t>(100000, 100 * options_.effort),
                         .wanted_gap = options_.wanted_gap,
                         .threads = options_.threads},
                        [&](std::size_t, double) { return go_on(); });
    const auto polished =
        coordinate_ascent(Elbo(model.at(inside(proof.point))), box, Order::natural(model.size()));
    return certificate("dual decomposition by edge", proof.bound, polished.value, polished.point,
                       proof.status);
  }

  const Problem& problem_;
  std::vector<double> point_;
  double value_;
  double rounding_ = 0;  // what rounding can do to the values that the point is compared by
  const CertifyOptions& options_;
};

}  // namespace

std::optional<Certificate> certify(const Problem& problem, std::span<const double> point,
                                   double value, const CertifyOptions& options) {
  require(!std::isnan(options.known_bound),
          "certify: the known bound is nan, which must be a number");
  return std::visit(Certifier(problem, point, value, options), problem.model);
}

}  // namespace surefield
