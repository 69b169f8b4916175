#include "surefield/learn/folds.hpp"

#include <algorithm>

#include "surefield/core/error.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

std::vector<std::vector<Index>> fold_indices(Index sets, Index folds, std::uint64_t seed) {
  require(folds >= 2, "folds: the number of folds is ", folds, ", which must be at least 2");
  require(folds <= sets, "folds: the number of folds is ", folds, ", more than the ", sets,
          " sets there are");
  Random random(seed);
  const auto order = permutation(sets, random);
  std::vector<std::vector<Index>> held_out(folds);
  for (Index k = 0; k < sets; ++k) held_out[k % folds].push_back(order[k]);
  for (auto& fold : held_out) std::sort(fold.begin(), fold.end());
  return held_out;
}

Fold fold_of(const SetCollection& data, Index folds, Index fold, std::uint64_t seed) {
  const auto held_out = fold_indices(data.sets.size(), folds, seed);
  require(fold < folds, "folds: fold ", fold, " was asked for, but there are ", folds,
          ", numbered from 0");
  Fold result;
  for (SetCollection* part : {&result.training, &result.held_out}) {
    part->items = data.items;
    part->names = data.names;
  }
  auto next = held_out[fold].begin();
  for (Index k = 0; k < data.sets.size(); ++k) {
    const bool is_held_out = next != held_out[fold].end() && *next == k;
    if (is_held_out) ++next;
    (is_held_out ? result.held_out : result.training).sets.push_back(data.sets[k]);
  }
  return result;
}

}  // namespace surefield
