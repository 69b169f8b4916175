// Independent sets with exactly the distribution P(S) ~ e^{F(S)} of an FLDC, by rejection from a FLID.
//
//   F(S) = G(S) - sum_e max_{i in S} V_ie        G the FLID of utilities u_i + sum_e V_ie and weights W
//
// For V >= 0 F <= G: a set of G (flid_sampling.hpp) is kept with probability e^{-sum_e max_S V_ie}. Quick where
// coherence is a small part of F; where it is not, few draws are kept, and perfect_sampling.hpp does better on
// few items. Cost: that of a set of the FLID, plus O(|S| E).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "surefield/bounds/log_z/sampling/flid_sampling.hpp"
#include "surefield/models/fldc/fldc.hpp"

namespace surefield {

class FldcSampler {
 public:
  /// Throws Error if a weight or a coherence is negative. The model must outlive the sampler.
  explicit FldcSampler(const Fldc& model);

  /// As FlidSampler::draw.
  std::vector<std::uint32_t> draw(Random& random, bool non_empty = false,
                                  Index most_draws = 10'000'000);

  Index draws() const { return flid_.draws(); }  ///< so far, kept or not
  double log_upper() const { return flid_.log_upper(); }

 private:
  const Fldc* model_;
  std::unique_ptr<const Flid> above_;  // where flid_ finds it, wherever this is moved
  FlidSampler flid_;
};

}  // namespace surefield
