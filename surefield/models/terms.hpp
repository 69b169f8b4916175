// F as a sum of simple terms: what bounds can be made of without knowing the family.
//
//   constant  w                                linear   w [i in S]
//   pair      w [i and j in S]                 product  w [all members in S], three or more
//   best      w max_{i in S} value_i           cover    w (1 - prod_{i in S} (1 - value_i))
//   cut       w [S meets the tail and does not contain the head]
//   concave   w psi(sum_{i in S} value_i)
//
// A model that can be written so has `void show_terms(TermVisitor&, double weight) const`, which shows
// weight * F term by term; sums of models show the terms of all. A visitor that cannot use a term says
// so and the method built on it does not apply. An outside model with this one function gets the
// bounds by Hoelder's inequality, dual decomposition, minimum cuts and elimination.
#pragma once

#include <cstdint>
#include <span>

#include "surefield/core/concepts.hpp"
#include "surefield/core/incidence.hpp"

namespace surefield {

struct Concave;
struct Hyperedge;

class TermVisitor {
 public:
  virtual ~TermVisitor() = default;
  virtual void constant(double w) = 0;
  virtual void linear(Index i, double w) = 0;
  virtual void pair(Index i, Index j, double w) = 0;
  virtual void product(std::span<const Entry> members, double w) = 0;
  /// Members by ascending value. The best of none is 0, and so is that of items that are not members:
  /// these are there only if all values are > 0.
  virtual void best(std::span<const Entry> members, double w) = 0;
  virtual void cover(std::span<const Entry> members, double w) = 0;
  /// The hyperedge's own weight is not part of it: w is all.
  virtual void cut(const Hyperedge& edge, double w) = 0;
  virtual void concave(std::span<const Entry> members, const Concave& shape, double w) = 0;
};

/// A visitor for sums of pairs and of what it overrides: `fits_` is false once a term of another kind was shown.
class FittingTerms : public TermVisitor {
 public:
  void product(std::span<const Entry>, double w) override { fits_ &= w == 0; }
  void best(std::span<const Entry>, double w) override { fits_ &= w == 0; }
  void cover(std::span<const Entry>, double w) override { fits_ &= w == 0; }
  void cut(const Hyperedge&, double w) override { fits_ &= w == 0; }
  void concave(std::span<const Entry>, const Concave&, double w) override { fits_ &= w == 0; }

 protected:
  bool fits_ = true;
};

template <class M>
concept HasTerms = requires(const M& model, TermVisitor& visitor, double weight) {
  model.show_terms(visitor, weight);
};

}  // namespace surefield
