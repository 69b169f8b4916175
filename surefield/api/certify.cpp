#include "surefield/api/certify.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/bounds/elbo/box_search.hpp"
#include "surefield/bounds/elbo/branch_and_bound.hpp"
#include "surefield/bounds/elbo/contraction.hpp"
#include "surefield/bounds/elbo/cut_bound.hpp"
#include "surefield/bounds/elbo/edge_decomposition.hpp"
#include "surefield/bounds/elbo/facility_parts.hpp"
#include "surefield/bounds/elbo/sum_parts.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/order.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
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
    return by_dimension(model, facility_decomposition(model.facility, beta()), options_.effort);
  }
  std::optional<Certificate> operator()(const FacilityLocation& model) const {
    if (submodularity_violation(model)) return std::nullopt;
    return by_dimension(model, facility_decomposition(model, beta()), options_.effort);
  }
  std::optional<Certificate> operator()(const Coverage& model) const {
    if (submodularity_violation(model)) return std::nullopt;
    const auto dual = coverage_decomposition(model, beta());
    if (options_.effort == 1 && members_of(dual) > kQuickMembers) return std::nullopt;
    return model.size() <= kFewItems ? by_root_and_boxes(model, dual)
                                     : by_dimension(model, dual, options_.effort);
  }
  std::optional<Certificate> operator()(const WeightedSum& sum) const {
    const auto dual = sum_decomposition(sum, beta());
    if (!dual) return by_boxes(sum);
    if (options_.effort == 1 && members_of(*dual) > kQuickMembers) return std::nullopt;
    return has_field(sum) ? by_root_and_boxes(sum, *dual)
                          : by_dimension(sum, *dual, options_.effort);
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
  static constexpr Index kFewItems = 20;  // of a coverage: boxes beat its many small parts
  static constexpr std::size_t kQuickMembers = 10000;  // beyond, one iteration takes seconds

  template <DualPart Part>
  static std::size_t members_of(const DualDecomposition<Part>& dual) {
    std::size_t members = 0;
    for (const Part& part : dual.parts()) members += part.members().size();
    return members;
  }

  /// Of the dual, for about the cost of inference: fewer where there are many or large parts.
  template <DualPart Part>
  static std::size_t quick_iterations(const DualDecomposition<Part>& dual) {
    constexpr std::size_t kMost = 40, kWork = 80000;  // members of parts visited
    return std::clamp(kWork / std::max<std::size_t>(1, members_of(dual)), std::size_t{1}, kMost);
  }

  template <class M, DualPart Part>
  std::optional<Certificate> by_dimension(const M& model, const DualDecomposition<Part>& dual,
                                          std::size_t nodes) const {
    const Elbo elbo(model.at(point_), beta());
    ContractionOptions contraction;  // a slope is a difference of two values
    contraction.slack = std::max(contraction.slack, 4 * rounding_);
    const auto proof =
        branch_and_bound(elbo, dual, problem_.box,
                         {.relative_gap = options_.wanted_gap,
                          .nodes = nodes,
                          .root_iterations = options_.effort == 1 ? quick_iterations(dual) : 400,
                          .threads = options_.threads,
                          .known_bound = options_.known_bound,
                          .contraction = contraction},
                         [&](const BranchAndBoundProgress&) { return go_on(); });
    return certificate("branch and bound over dual decomposition by dimension",
                       *proof.report.upper_bound, proof.report.value, proof.report.point,
                       proof.report.status);
  }

  static bool has_field(const WeightedSum& sum) {
    return std::any_of(sum.terms.begin(), sum.terms.end(), [](const WeightedSum::Term& term) {
      return std::holds_alternative<PairwiseField>(term.model) ||
             std::holds_alternative<GraphCut>(term.model);
    });
  }

  /// Where couplings matter the parts settle little more than the root, at many times the cost of a
  /// box: first the root by parts, then boxes; parts again once the boxes are too many to keep.
  template <class M, DualPart Part>
  std::optional<Certificate> by_root_and_boxes(const M& model,
                                               const DualDecomposition<Part>& dual) const {
    Certificate found = *by_dimension(model, dual, 1);
    improve(found, [&](const Certifier& from) { return from.by_boxes(model); });
    if (found.status == Status::kEpochLimit && options_.effort > 1)
      improve(found, [&](const Certifier& from) {
        return from.by_dimension(model, dual, options_.effort);
      });
    return found;
  }

  /// Goes on from what is found, unless that is enough, by a method that returns a certificate.
  void improve(Certificate& found, auto&& method) const {
    if (found.status == Status::kConverged || !go_on()) return;
    Certifier from = *this;
    from.point_ = found.point;
    from.value_ = found.value;
    from.options_.known_bound = std::min(options_.known_bound, found.upper_bound);
    std::optional<Certificate> other = method(from);
    if (!other) return;
    if (other->upper_bound >= found.upper_bound) {
      other->upper_bound = std::max(found.upper_bound, other->value);
      other->method = std::move(found.method);
    }
    found = std::move(*other);
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
    const PairwiseField model = at_inverse_temperature(given, beta());
    const Elbo elbo(model.at(point_));
    Box box = problem_.box;
    if (problem_.is_submodular() &&
        !contract(elbo, problem_.box, box, {.slack = std::max(1e-10, 4 * rounding_of(model))}))
      box = problem_.box;
    if (attracting_flips(model, box)) {
      const auto proof = cut_bound(model, box,
                                   {.rounds = std::min<std::size_t>(60, 6 * options_.effort),
                                    .wanted_gap = options_.wanted_gap},
                                   [&](std::size_t, double, double) { return go_on(); });
      return certificate("minimum cuts", proof.bound, proof.value, proof.point, proof.status);
    }
    if (!problem_.is_submodular())
      return by_edges(model, box, std::min<std::size_t>(100000, 100 * options_.effort));
    Certificate found = by_edges(model, box, 100);  // almost all that edges can do
    improve(found, [&](const Certifier& from) { return from.by_boxes(given); });
    if (found.status == Status::kEpochLimit && options_.effort > 1)
      improve(found, [&](const Certifier& from) { return from.by_edges(model, box, 10000); });
    return found;
  }

  /// `model` is at the inverse temperature wanted.
  Certificate by_edges(const PairwiseField& model, const Box& box, std::size_t iterations) const {
    const auto proof = edge_dual_bound(
        model, box, value_,
        {.iterations = iterations, .wanted_gap = options_.wanted_gap, .threads = options_.threads},
        [&](std::size_t, double) { return go_on(); });
    const auto polished =
        coordinate_ascent(Elbo(model.at(proof.point)), box, Order::natural(model.size()));
    return certificate("dual decomposition by edge", proof.bound, polished.value, polished.point,
                       proof.status);
  }

  const Problem& problem_;
  std::vector<double> point_;
  double value_;
  double rounding_ = 0;  // what rounding can do to the values that the point is compared by
  CertifyOptions options_;
};

}  // namespace

std::optional<Certificate> certify(const Problem& problem, std::span<const double> point,
                                   double value, const CertifyOptions& options) {
  require(!std::isnan(options.known_bound),
          "certify: the known bound is nan, which must be a number");
  return std::visit(Certifier(problem, point, value, options), problem.model);
}

}  // namespace surefield
