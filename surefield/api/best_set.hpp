// The front door to the mode of p(S): the set of greatest F, of at most k items if asked, and how good it
// is.
//
//   F(set) <= max F <= upper
//
// Below: annealing, the rounded mean field and, with a size, lazy greedy and exchanges. Above: a point
// mass has no entropy, so beta max F <= the best ELBO at beta <= its certified bound, for every beta;
// beta is taken so large that the entropy, n log 2 at most, does not matter, and all certificates of
// infer apply (cuts, parts, spectra, boxes). Families whose extension is estimated take log Z(beta) in its
// place. Best items and sure concepts have thresholds (bounds/best_set/threshold_bound.hpp), large fields the spectral bound of sets.
// With a size, for every mu >= 0
//
//   max_{|S| <= k} F(S) <= mu k + max_S (F(S) - mu |S|)
//
// and mu is found by bisection. docs/best_set.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surefield/api/problem.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct BestSetOptions {
  std::optional<Index> most = {};  ///< items of the set, those that must be in counted
  double wanted_gap = 1e-6;        ///< relative; the proof stops there
  std::uint64_t seed = 1;
  Budget budget = {};  ///< what is found and proved by then
};

struct BestSetResult {
  std::string model_kind;
  std::vector<std::string> names;  ///< of all items, or empty
  std::vector<Index> items;        ///< of the set, ascending, in the user's variables
  double value = 0;                ///< F of it
  double lower = 0;                ///< the same less its rounding: max F is at least this
  std::optional<double> upper;     ///< max F is at most this
  std::string found_by, upper_method;
  Basis basis = Basis::kProved;  ///< of the upper end
  std::string guarantee;         ///< beyond the interval, in words; or "none"
  std::optional<Index> most;
  Status status = Status::kDone;  ///< kDone: the gap is reached; kShort, kInterrupted, kFailed
  std::vector<std::string> notes;
  std::uint64_t seed = 0;
  double seconds = 0;
};

/// Throws Error unless every item of the box is in, out or free, and where more items must be in than
/// the set may hold.
BestSetResult best_set(const Problem& problem, const BestSetOptions& options = {});

}  // namespace surefield
