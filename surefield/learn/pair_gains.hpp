// What a coupling of two items would say about the data.
//
//   gain_ij = met_ij log(met_ij / e_ij) - met_ij + e_ij      about what a coupling adds to the log-likelihood
//   e_ij    = N q_i q_j / P(not empty)                       sets that would hold both, were items by themselves
//
// The divergence of two Poisson counts: 0 where a pair meets as often as chance has it, whether that is seldom or often. A number
// learned from N sets is worth having where it gains log(N) / 2 (G. Schwarz, Estimating the dimension of a model, 1978).
//
// Cost: O(sum_S |S|^2 + pairs).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/learn/flat_sets.hpp"
#include "surefield/learn/pair_support.hpp"

namespace surefield {

/// A pair, i < j, and what a coupling of it would add.
struct PairGain {
  std::uint32_t i, j;
  double gain;
};

/// In how many sets the pairs of a support met, in the order of its pairs.
std::vector<double> times_met(const DistinctSets& sets, const PairSupport& pairs);

/// The gains of the pairs of a support, in its order. `alone`: the chance of every item by itself;
/// of all sets, or given that they are not empty.
std::vector<PairGain> pair_gains(const DistinctSets& sets, const PairSupport& pairs,
                                 const std::vector<double>& alone, bool given_non_empty);

/// What a number learned from so many sets has to gain, in nats of all data: log(N) / 2.
double price_of_number(double sets);

/// Pairs that the data say something of, and what a coupling of one has to gain.
struct PricedGains {
  std::vector<PairGain> gains;  ///< by i, then j
  double price;
};

/// Pairs that met. Of large catalogues (default_least_pair) those that met twice, or should have, at the price of a number: linear in
/// the data, and of many pairs that could be taken few are taken for chance; else at a nat. TooMuch as pair_support.
PricedGains priced_gains(const DistinctSets& sets, const std::vector<double>& alone,
                         bool given_non_empty, const Budget& budget = {});

/// Those that gain more than the price.
PairSupport pairs_worth(double price, std::span<const PairGain> gains, Index items);

}  // namespace surefield
