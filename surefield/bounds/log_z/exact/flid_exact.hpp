// Exact log Z and marginals of a FLID of few dimensions: polynomial in the number of items.
//
//   Z = 1 + sum over (i_1 .. i_D) of
//           e^{sum_d W_{i_d d} + sum_{distinct i_d} u'_i} prod_j (1 + e^{u'_j})
//
// i_d is the best chosen item of dimension d (ties by a fixed order). A tuple is consistent if no
// i_e beats i_d in dimension d; the product is over the items that are beaten in every dimension,
// which are free to be in or out. u'_i = u_i - sum_d W_id.
//
// A search by depth, one dimension a level, keeps the list of items still beaten in all dimensions
// decided; the last dimension is one scan over that list in ascending order with a running sum of
// log(1 + e^{u'}). Cost: at most items^D steps, but few tuples are consistent: 100 items take 2 ms
// at D = 3 and 0.2 s at D = 5, 32 items 0.2 s at D = 10. The marginals come from a second search
// with weights e^{term - log Z}, so nothing cancels and nothing overflows. Fixed items are folded
// into the weights. The result does not depend on the number of threads.
//
// The tuples are those of S. Tschiatschek, J. Djolonga, A. Krause. Learning Probabilistic
// Submodular Diversity Models via Noise Contrastive Estimation. AISTATS 2016 (O(items^{D+1})).
#pragma once

#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

struct FlidExactOptions {
  double beta = 1;     ///< finite and >= 0
  double limit = 2e9;  ///< steps, of about 10 ns
  bool marginals = true;
  Budget budget = {};  ///< the result does not depend on its threads; TooMuch, or Error once spent
};

/// Weights of either sign. Throws Error above the limit, and for an interval of the box that is not
/// [0, 1], 0 or 1. Without a box no item is fixed.
ExactLogZ flid_exact(const Flid& model, const Box* box = nullptr,
                     const FlidExactOptions& options = {});

/// The same with the best of a concept taken away: items^(D + E) steps at most.
ExactLogZ flid_exact(const Fldc& model, const Box* box = nullptr,
                     const FlidExactOptions& options = {});

/// What log Z does when the parameters move: d log Z / d u_i = beta P(i in S), and
/// d log Z / d W_id = beta (P(i is the best of d) - P(i in S)); of a concept with the sign turned round.
struct FlidExactSlopes {
  double log_z = 0;
  std::vector<double> marginals;
  std::vector<double> best;  ///< P(i is the best of d), row by row as the weights; ties as above
};

/// Throws Error above the limit. Of an FLDC a row of `best` has its D dimensions, then its E concepts.
FlidExactSlopes flid_exact_slopes(const Flid& model, const FlidExactOptions& options = {});
FlidExactSlopes flid_exact_slopes(const Fldc& model, const FlidExactOptions& options = {});

/// The same with the customers as dimensions.
ExactLogZ flid_exact(const FacilityLocation& model, const Box* box = nullptr,
                     const FlidExactOptions& options = {});

}  // namespace surefield
