// A set of a problem's model in the user's variables: a flipped item is in when the model's variable is
// out.
#pragma once

#include <utility>

#include "surefield/api/problem.hpp"

namespace surefield {

class UserSet {
 public:
  /// Empty. The problem must outlive it.
  explicit UserSet(const Problem& problem)
      : set_(problem.model.empty_set()), flips_(&problem.flips) {
    for (Index i = 0; i < flips_->size(); ++i)
      if ((*flips_)[i]) set_.add(i);
  }

  bool contains(Index i) const { return set_.contains(i) != is_flipped(i); }
  /// F(S + i) - F(S - i).
  double gain(Index i) const { return is_flipped(i) ? -set_.gain(i) : set_.gain(i); }
  void add(Index i) { is_flipped(i) ? set_.remove(i) : set_.add(i); }
  void remove(Index i) { is_flipped(i) ? set_.add(i) : set_.remove(i); }
  double value() const { return set_.value(); }

 private:
  bool is_flipped(Index i) const { return !flips_->empty() && (*flips_)[i] != 0; }

  AnySet set_;
  const std::vector<std::uint8_t>* flips_;
};

}  // namespace surefield
