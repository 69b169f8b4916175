// A set of a pairwise field that keeps what every item would add: gain O(1), add and remove O(degree).
//
// For searches that ask far more often than they change, such as annealing. The gains are kept up to
// date by adding and subtracting couplings, so they drift by a rounding a change: value() is computed
// afresh, gains are for choosing and prove nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

class TrackedSet {
 public:
  /// The empty set. The model must outlive it.
  explicit TrackedSet(const PairwiseField& model)
      : model_(&model), chosen_(model.size(), 0), gain_(model.bias) {}

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const { return gain_[i]; }
  double value() const { return model_->evaluate(chosen_); }
  void add(Index i) { change(i, 1); }
  void remove(Index i) { change(i, 0); }

 private:
  void change(Index i, std::uint8_t in) {
    if (chosen_[i] == in) return;
    chosen_[i] = in;
    for (std::size_t e = model_->start[i]; e < model_->start[i + 1]; ++e)
      gain_[model_->neighbour[e]] += in ? model_->coupling[e] : -model_->coupling[e];
  }

  const PairwiseField* model_;
  std::vector<std::uint8_t> chosen_;
  std::vector<double> gain_;
};

}  // namespace surefield
