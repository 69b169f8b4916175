// Data that give away whoever looks at held-out sets: every fold has an item of its own, which is in
// each of its sets and in no other. A model that has not seen fold f thinks item f all but
// impossible; one that has does not.
#pragma once

#include <cstdint>

#include "surefield/core/random.hpp"
#include "surefield/core/set_collection.hpp"
#include "surefield/learn/folds.hpp"

namespace surefield::testing {

/// Items 0 .. folds - 1 are those of the folds dealt by the seed, four more come at random. One of
/// the sets is made empty where asked for.
inline SetCollection split_vocabulary(Index sets, Index folds, std::uint64_t seed,
                                      bool with_an_empty_set = false) {
  SetCollection data{.items = folds + 4, .sets = {}, .names = {}};
  data.sets.resize(sets);
  const auto held_out = fold_indices(sets, folds, seed);
  Random random(seed + 100);
  for (std::uint32_t fold = 0; fold < folds; ++fold)
    for (const Index k : held_out[fold]) {
      data.sets[k].push_back(fold);
      for (std::uint32_t i = 0; i < 4; ++i)
        if (random.chance(0.4)) data.sets[k].push_back(static_cast<std::uint32_t>(folds) + i);
    }
  if (with_an_empty_set) data.sets[held_out[0][0]].clear();
  return data;
}

}  // namespace surefield::testing
