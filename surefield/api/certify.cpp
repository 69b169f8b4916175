#include "surefield/api/certify.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/api/certifier.hpp"
#include "surefield/api/helping.hpp"
#include "surefield/bounds/elbo/field_of_terms.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/packing.hpp"

namespace surefield {
namespace {

constexpr const char* kByLogZ = "an upper bound of log Z";

}  // namespace

Certifier::Certifier(const Problem& problem, std::span<const double> point, double value,
                     const CertifyOptions& options)
    : problem_(problem),
      model_(problem.model),
      facts_(problem.model.facts().times(options.inverse_temperature)),
      point_(point.begin(), point.end()),
      value_(value),
      options_(options) {
  rounding_ = pass_rounding(facts_, model_.size(), value);
}

std::optional<Certificate> Certifier::operator()() const {
  if (facts_.estimated) return std::nullopt;
  // Sums on the way may be beyond a double, and no point has a value to begin with.
  if (!std::isfinite(facts_.magnitude) || !std::isfinite(rounding_.value)) return std::nullopt;
  if (auto field = field_of_terms(model_)) return by_field(std::move(*field));
  return once(options_.budget, options_.crew, [&] { return by_terms(); });
}

Subject Certifier::subject(const char* method, const Box& domain) const {
  if (options_.helpers == nullptr) return {};
  return {method, packed(BoxSubject{.beta = beta(),
                                    .domain = domain,
                                    .relative_gap = options_.wanted_gap,
                                    .rounding = rounding_,
                                    .branches = options_.effort > 1,
                                    .point = point_})};
}

BranchAndBoundOptions Certifier::search(const char* method, std::size_t nodes) const {
  BranchAndBoundOptions how;
  how.relative_gap = options_.wanted_gap;
  how.nodes = nodes;
  how.budget = options_.budget;
  how.rounding = rounding_;
  how.known_bound = options_.known_bound;
  how.helpers = options_.helpers;
  how.subject = subject(method, problem_.box);
  return how;
}

void Certifier::tell(double value, double bound, std::string_view method) const {
  if (!options_.watcher) return;
  options_.watcher({.low = std::max(value, value_),
                    .high = least_end({bound, std::string(method)}).value,
                    .by = method});
}

End Certifier::least_end(End bound) const {
  Claim best("the best ELBO");
  best.at_most({options_.known_bound, kByLogZ, options_.known_basis});
  best.at_most(bound);
  if (best.high()) bound = *best.high();
  // The parts, edges and cuts are of numbers that differ from the true ones by no more than this.
  bound.value += rounding_.value;
  return bound;
}

std::function<bool(const BranchAndBoundProgress&)> Certifier::teller(
    std::string_view method) const {
  if (!options_.watcher) return {};
  return [this, method](const BranchAndBoundProgress& now) {
    tell(now.value, now.upper_bound, method);
    return true;
  };
}

Certificate Certifier::certificate(std::string method, double bound, double value,
                                   std::vector<double> point, Status status, Basis proof) const {
  const bool better = value > value_;
  return {.bound = least_end({bound, std::move(method), proof}),
          .value = better ? value : value_,
          .point = better ? std::move(point) : point_,
          .status = status};
}

std::optional<Certificate> certify(const Problem& problem, std::span<const double> point,
                                   double value, const CertifyOptions& options) {
  require(!std::isnan(options.known_bound),
          "certify: the known bound is nan, which must be a number");
  return Certifier(problem, point, value, options)();
}

}  // namespace surefield
