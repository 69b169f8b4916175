#include "surefield/bounds/log_z/exact/flid_exact.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/bounds/log_z/exact/best_tuples.hpp"
#include "surefield/bounds/log_z/exact/dense_facility.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {
namespace {

/// A term is e to a sum of at most 2 n weights and log(1 + e^u), one more a dimension; adding up terms of
/// one sign rounds a few times more.
double error_of_terms(const Facts& facts, Index n, Index dimensions, double log_z) {
  const auto items = static_cast<double>(n + dimensions);
  return facts.value_error + gamma_of(4 * items + 64) * (facts.magnitude + items) +
         gamma_of(64) * (1 + std::abs(log_z));
}

ExactLogZ exact_of(const BestRanks& ranking, double value, const FreeItems& which,
                   const Facts& facts_of_beta, Index n, const FlidExactOptions& options) {
  ExactLogZ result;
  result.log_z = log_z_of_tuples(ranking, options);
  std::vector<double> free;
  if (options.marginals) free = probabilities_of_tuples(ranking, result.log_z, false, options).in;
  result.log_z += value;
  result.error = error_of_terms(facts_of_beta, n, ranking.dimensions, result.log_z);
  if (!options.marginals) return result;
  result.marginals.assign(n, 0);
  for (const Index i : which.in) result.marginals[i] = 1;
  for (Index k = 0; k < ranking.items; ++k)
    result.marginals[which.free[k]] = std::min(free[k], 1.0);
  return result;
}

ExactLogZ exact_of(const FacilityLocation& model, const Facts& facts, const Box* box,
                   const FlidExactOptions& options) {
  const FreeItems which = free_items(box, model.size(), "exact flid");
  require_inverse_temperature(options.beta, "exact flid");
  const DenseFacility dense = dense_facility(model, which, options.beta);
  return exact_of(BestRanks(dense, model.benefit.groups()), dense.value, which,
                  facts.times(options.beta), model.size(), options);
}

FlidExactSlopes slopes_of(const BestRanks& ranking, const FlidExactOptions& options) {
  const double log_z = log_z_of_tuples(ranking, options);
  TupleProbabilities found = probabilities_of_tuples(ranking, log_z, true, options);
  return {log_z, std::move(found.in), std::move(found.best)};
}

}  // namespace

ExactLogZ flid_exact(const FacilityLocation& model, const Box* box,
                     const FlidExactOptions& options) {
  return exact_of(model, AnyModel(model).facts(), box, options);
}

ExactLogZ flid_exact(const Flid& model, const Box* box, const FlidExactOptions& options) {
  return exact_of(model.facility, AnyModel(model).facts(), box, options);
}

ExactLogZ flid_exact(const Fldc& model, const Box* box, const FlidExactOptions& options) {
  const FreeItems which = free_items(box, model.size(), "exact flid");
  require_inverse_temperature(options.beta, "exact flid");
  const DenseFacility added = dense_facility(model.best_weight, which, options.beta);
  const DenseFacility taken = dense_facility(model.best_coherence, which, options.beta);
  const BestRanks ranking(added, model.best_weight.benefit.groups(), &taken,
                          model.best_coherence.benefit.groups());
  return exact_of(ranking, added.value - taken.value, which,
                  AnyModel(model).facts().times(options.beta), model.size(), options);
}

FlidExactSlopes flid_exact_slopes(const Flid& model, const FlidExactOptions& options) {
  const FreeItems which = free_items(nullptr, model.size(), "exact flid");
  require_inverse_temperature(options.beta, "exact flid");
  const DenseFacility dense = dense_facility(model.facility, which, options.beta);
  return slopes_of(BestRanks(dense, model.facility.benefit.groups()), options);
}

FlidExactSlopes flid_exact_slopes(const Fldc& model, const FlidExactOptions& options) {
  const FreeItems which = free_items(nullptr, model.size(), "exact fldc");
  require_inverse_temperature(options.beta, "exact fldc");
  const DenseFacility added = dense_facility(model.best_weight, which, options.beta);
  const DenseFacility taken = dense_facility(model.best_coherence, which, options.beta);
  return slopes_of(BestRanks(added, model.best_weight.benefit.groups(), &taken,
                             model.best_coherence.benefit.groups()),
                   options);
}

}  // namespace surefield
