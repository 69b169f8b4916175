#include "surefield/learn/pairwise_nce_fit.hpp"

#include <algorithm>
#include <utility>

#include "surefield/core/error.hpp"
#include "surefield/learn/nce_pairs.hpp"
#include "surefield/learn/pseudo_likelihood.hpp"

namespace surefield {
PairwiseFit fit_pairwise_nce(const SetCollection& data, const PairwiseFitOptions& field,
                             const NceOptions& options) {
  require(!field.repulsive, "nce: a repulsive field is learned by pseudo-likelihood");
  const DistinctSets sets = distinct_sets(flat_sets(data));
  PairwiseFit result;
  result.least_pair = field.least_pair.value_or(default_least_pair(data.items));
  const PairSupport support = pair_support(sets, data.items, result.least_pair, options.budget);
  result.pairs = support.pairs();
  NcePairsFit found = fit_pairs_nce(data, support, options);
  result.status = found.status;
  result.evaluations = found.trace.size();
  if (found.best_epoch > 0) result.objective = found.trace[found.best_epoch - 1].watched;
  std::size_t largest = 0;
  for (const auto& set : data.sets) largest = std::max(largest, set.size());
  const auto seen = static_cast<double>(largest);
  if (field.sizes_seen && found.status != Status::kInterrupted) {
    const PseudoLikelihood loss(sets, support, field.smoothing, found.empty_sets == 0);
    result.shift = keep_to_sizes_seen(found.theta, loss, support, seen, options.budget);
  }
  result.model = field_of(found.theta, support);
  result.beyond = size_beyond(result.model, seen, options.budget);
  return result;
}

}  // namespace surefield
