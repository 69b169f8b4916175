// K random subsets that follow a point x, each element by a fixed uniform number of its own:
//
//   S_k = {i : u(seed, k, i) < x_i}       P(i in S_k) = x_i,  E F(S_k) = m(x)
//
// The uniforms never change (common random numbers), so the sets are a pure function of (seed, x),
// raising x only adds elements, and a mean of gains F(S_k + i) - F(S_k - i) does not depend on x_i
// and is antitone in x for submodular F.
//
// Memory K n bits; set O(K): the uniforms of a coordinate are recomputed from their keys.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"

namespace surefield {

class SampledSets {
 public:
  SampledSets(Index samples, std::uint64_t seed, std::span<const double> x);

  Index size() const { return x_.size(); }
  Index samples() const { return samples_; }
  double coordinate(Index i) const { return x_[i]; }
  bool contains(Index k, Index i) const { return (word(k, i) >> (i % 64)) & 1; }

  /// Moves coordinate i to v and calls changed(k) for every set that i has entered or left.
  template <class Changed>
  void set(Index i, double v, Changed&& changed) {
    const bool rises = v > x_[i];
    if (v == x_[i]) return;
    x_[i] = v;
    for (Index k = 0; k < samples_; ++k) {
      if (contains(k, i) == rises) continue;  // who is in stays in while x_i rises
      if ((keyed_uniform(seed_, k, i) < v) != rises) continue;
      bits_[k * words_ + i / 64] ^= std::uint64_t{1} << (i % 64);
      changed(k);
    }
  }

  /// Set k, one byte per element.
  void write(Index k, std::span<std::uint8_t> chosen) const;

  /// For every set the first one equal to it. Near a corner of the cube most sets are the same, and
  /// need work only once.
  std::vector<Index> twins() const;

 private:
  std::uint64_t word(Index k, Index i) const { return bits_[k * words_ + i / 64]; }

  Index samples_;
  std::uint64_t seed_;
  std::vector<double> x_;
  std::size_t words_;  // per set
  std::vector<std::uint64_t> bits_;
};

}  // namespace surefield
