// Points of a pairwise field made better by coordinate ascent, between the rounds of a bound: by colours, on the threads of
// the budget and only where something moves, once there are many.
#pragma once

#include <vector>

#include "surefield/algorithms/coordinate_ascent.hpp"
#include "surefield/models/interaction.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {

class FieldAscent {
 public:
  /// All three must outlive this.
  FieldAscent(const PairwiseField& model, const Box& box, const Budget& budget)
      : model_(model),
        box_(box),
        budget_(budget),
        order_(is_large() ? Order::coloured(model.size(), colour_in_blocks(model.neighbours()))
                          : Order::natural(model.size())) {}

  bool is_large() const { return model_.size() >= kColouredItems; }

  /// Replaces the point and its value by better ones, if the ascent from `x`, put into the box, leads to such.
  void improve(std::vector<double> x, double tolerance, std::vector<double>& point,
               double& value) const {
    for (Index i = 0; i < x.size(); ++i) x[i] = box_[i].clamp(x[i]);
    Report found =
        coordinate_ascent(Elbo(model_.at(x)), box_, order_,
                          {.epochs = 500,
                           .tolerance = tolerance,
                           .budget = budget_,
                           .neighbours = is_large() ? model_.neighbours() : Neighbours{}});
    if (!(found.value > value)) return;
    value = found.value;
    point = std::move(found.point);
  }

 private:
  const PairwiseField& model_;
  const Box& box_;
  const Budget& budget_;
  Order order_;
};

}  // namespace surefield
