// The noise of noise contrastive estimation: every item by itself, as often as in the data, given
// that the set is not empty.
//
//   q_i = (count_i + 1) / N, at most N / (N + 1)
//   q_0 = prod (1 - q_i)                the chance of the empty set, at most 1/2
//   P(S) = prod_S q_i prod_rest (1 - q_i) / (1 - q_0)
//
// N counts the sets that are not empty; one more sighting than there were keeps every q_i above 0,
// and the cap below 1 where an item is in every set. Drawing costs O(items drawn): items are walked
// from the most to the least likely in geometric steps, thinned to the chance of the one stepped
// on, and an empty set is drawn again.
//
// J. Miller, A. Hagberg. Efficient generation of networks with given expected degrees. WAW 2011
// (the steps).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/learn/flat_sets.hpp"

namespace surefield {

class NoiseSets {
 public:
  /// From the sets that are not empty. Throws Error if there is none.
  NoiseSets(const FlatSets& sets, Index items);

  Index size() const { return marginal_.size(); }
  double marginal(Index i) const { return marginal_[i]; }  ///< q_i
  double log_odds(Index i) const { return log_odds_[i]; }
  /// log(Z - 1) of the modular model with these log odds: what its sets but the empty one add up
  /// to.
  double log_z_without_empty() const { return log_z_without_empty_; }
  /// log P(S); the set must not be empty.
  double log_probability(std::span<const std::uint32_t> set) const;
  /// Not empty, ascending.
  void draw(Random& random, std::vector<std::uint32_t>& set) const;

 private:
  std::vector<double> marginal_, log_odds_;
  double log_z_without_empty_ = 0;
  std::vector<std::uint32_t> by_chance_;  // items, most likely first
  std::vector<double> log_stay_;          // log(1 - q) of each of those
};

}  // namespace surefield
