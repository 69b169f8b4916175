// Independent sets with exactly the distribution P(S) ~ e^{F(S)} of a FLID, by rejection from one
// that factorises.
//
// Give each item to the dimension d(i) where its weight is greatest, and let every dimension see
// its own items only:
//
//   G(S) = sum_{i in S} u_i + sum_d (max_{i in S_d} W_id - sum_{i in S_d} W_id)
//   S_d = {i in S : d(i) = d}
//
// W >= 0 makes F <= G: one more item never raises a dimension's max - sum. e^G is a product over
// the dimensions, and each factor is drawn exactly: first its best item i, with weight e^{u_i} prod
// (1 + e^{u_j - W_j}) over the items j below it (none: weight 1), then each of those j by itself. A
// draw is kept with probability e^{F(S) - G(S)}: what the items cost in the dimensions of others.
//
// So it is quick where each item serves mainly one dimension, however many items and dimensions
// there are; where every item weighs in everywhere, few draws are kept and perfect_sampling.hpp
// does better. Cost: O(n) a draw, plus O(|S| D).
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/core/random.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

class FlidSampler {
 public:
  /// Throws Error if a weight is negative. The model must outlive the sampler.
  explicit FlidSampler(const Flid& model);

  /// One set, its items ascending; never the empty set if asked so. Throws Error if none is kept in
  /// `most_draws` draws.
  std::vector<std::uint32_t> draw(Random& random, bool non_empty = false,
                                  Index most_draws = 10'000'000);

  Index draws() const { return draws_; }  ///< so far, kept or not
  /// log of the sum of e^G over all sets: log Z is this plus the log of the chance to be kept.
  double log_upper() const { return log_upper_; }

 private:
  struct Member {
    std::uint32_t item;
    double beside;  // chance to be in beside a better one: sigmoid(u - W)
    double up_to;   // running sum of the weights as best item, relative to the greatest
  };
  struct Part {
    std::vector<Member> members;  // by ascending weight, then number
    double none = 0;              // weight of no item
  };

  void propose(Random& random);
  double log_keep() const;  // F(S) - G(S)

  const Flid* model_;
  std::vector<Part> parts_;
  std::vector<Index> own_;  // the dimension of each item
  std::vector<std::uint32_t> set_;
  double log_upper_ = 0;
  Index draws_ = 0;
};

}  // namespace surefield
