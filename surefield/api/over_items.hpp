// How much more likely a model makes held-out sets than items by themselves do, set by set, log Z proved.
//
//   log p(S) - log p0(S) = F(S) - log p0(S) - log Z       p0: items by themselves, of the same training sets
//
// Both among sets that are not empty where the data have no empty one. log Z is exact where the family is made for
// that (modular, thin, dpp), else what costs about as much as inference (LogZGoal::kQuick); below, it is at least
// the sum over the distinct sets seen. Operations are limited, not seconds: the same numbers on every machine.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "surefield/api/fit.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/learn/folds.hpp"
#include "surefield/learn/held_out.hpp"

namespace surefield {

struct OverItems {
  std::vector<double> values;  ///< F(S) - log p0(S), of every held-out set
  Interval normaliser;         ///< contains log Z, or log(Z - e^F(empty)); an end may be infinite
  double items = 0;            ///< mean of log p0(S)
};

inline auto fields_of(OverItems& over) {
  auto& [values, normaliser, items] = over;
  return std::tie(values, normaliser, items);
}

/// Throws Error as held_out_likelihood and log_z do. Under kNonEmptySets no set may be empty.
OverItems over_items(const FitResult& fit, const Fold& fold, Support support, const Budget& budget);

/// Of all held-out sets of several folds.
struct PooledOverItems {
  std::vector<double> values;  ///< log p(S) - log p0(S), log Z in the middle of what contains it
  double half = 0;             ///< of the width of their mean; infinite where log Z is not bounded
  Interval mean;               ///< contains the mean of log p(S) - log p0(S)
  double standard_error = 0;
  double items = 0;  ///< mean of log p0(S)
};

PooledOverItems pooled(std::span<const OverItems> folds);

}  // namespace surefield
