// The parameters of a pairwise field and of its normaliser as one vector, with the score of a set and its
// derivatives: what nce_parameters.hpp is for a FLID.
//
//   theta = (b_0 .. b_{n-1}, w of every pair of the support, c)
//   score(S) = sum_{i in S} b_i + sum of w_ij over the pairs of S that are in the support + c
//
// Linear in theta: J is concave, one start is enough. A set touches |S| + 1 entries and its pairs. Cost: a
// binary search a pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "surefield/learn/flid_fit.hpp"
#include "surefield/learn/noise_contrastive.hpp"
#include "surefield/learn/pair_support.hpp"

namespace surefield {

struct ScoredPairs;

struct NcePairs {
  using Scored = ScoredPairs;

  const PairSupport* support = nullptr;
  std::vector<double> theta = {};

  Index items() const { return support->items(); }
  Index constant_at() const { return theta.size() - 1; }
  double constant() const { return theta.back(); }
  /// Biases and couplings are of any sign.
  static constexpr bool is_weight(Index) { return false; }
};

/// The entries of the pairs of one set; filled by score, read by for_each_partial.
struct ScoredPairs {
  explicit ScoredPairs(const NcePairs&) {}
  std::vector<Index> pairs;
};

inline double score(const NcePairs& parameters, std::span<const std::uint32_t> set,
                    ScoredPairs& scored) {
  const PairSupport& support = *parameters.support;
  double sum = parameters.constant();
  scored.pairs.clear();
  for (Index a = 0; a < set.size(); ++a) {
    sum += parameters.theta[set[a]];
    const auto first = support.neighbour.begin();
    auto at = first + static_cast<std::ptrdiff_t>(support.start[set[a]]);
    const auto end = first + static_cast<std::ptrdiff_t>(support.start[set[a] + 1]);
    for (Index b = a + 1; b < set.size() && at != end; ++b) {  // both lists ascend
      at = std::lower_bound(at, end, set[b]);
      if (at == end || *at != set[b]) continue;
      const auto place = static_cast<std::size_t>(at - first);
      scored.pairs.push_back(support.items() + support.pair[place]);
      sum += parameters.theta[scored.pairs.back()];
    }
  }
  return sum;
}

template <class Step>
void for_each_partial(const NcePairs& parameters, std::span<const std::uint32_t> set,
                      const ScoredPairs& scored, Step&& step) {
  static constexpr double kOne = 1;
  for (const auto i : set) step(static_cast<Index>(i), std::span(&kOne, 1));
  step(parameters.constant_at(), std::span(&kOne, 1));
  for (const Index at : scored.pairs) step(at, std::span(&kOne, 1));
}

struct NcePairsFit : FitCourse {
  std::vector<double> theta;  ///< biases, then the couplings of the support
};

/// A pairwise field with couplings on the support (nce_pairs.hpp): log Z is by its -c, and the share of empty sets
/// moves nothing. Throws Error as fit_flid_nce does, and for more than one start: J is concave.
NcePairsFit fit_pairs_nce(const SetCollection& data, const PairSupport& support,
                          const NceOptions& options = {});

}  // namespace surefield
