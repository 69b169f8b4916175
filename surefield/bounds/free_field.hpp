// A pairwise field on the free coordinates of a box, the others put in:
//
//   F(x) = constant + bias.x + sum of w_ij x_i x_j over the edges
//
// Couplings with what is put in move into the biases; entropies of it, if wanted, into the constant. Put in are the coordinates
// that the box fixes, and those with an interval no wider than `narrow`, at their middle; what F and the entropy can change across the interval
// goes into `error`, with the rounding of all these sums. Cost: O(n + edges).
#pragma once

#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct FreeField {
  std::vector<Index> item;  ///< of the field, ascending: the coordinates left free
  double constant = 0;
  double error = 0;  ///< F, with the entropies put in, is at most so far from what stands here
  double magnitude =
      0;  ///< the sizes of all numbers of the whole field added up, couplings from either end
  std::vector<double> bias;
  std::vector<Edge> edges;  ///< between places in `item`, from < to, no weight is 0
};

/// How much higher than at a point of it the entropy can be on an interval, rounding included: H rises towards 1/2.
double entropy_rise(Interval in, double at);

/// Throws Error unless the box lies in [0, 1]^n.
FreeField free_field(const PairwiseField& field, const Box& box, bool entropies = false,
                     double narrow = 0);

}  // namespace surefield
