// The Hoelder bound of a FLID's log Z as one smooth function of the model and the multipliers.
//
//   log Z(u, W) <= B = sum_d p_d log sum_S exp(t_d(S) + max_{i in S} W_id / p_d)
//   t_di = u'_i - sum_e p_e v_ei + v_di,    u'_i = u_i - sum_d W_id,    p = softmax(r)
//
// for every v and r. To fit a model the bound is needed at its best v and r, but since both the fit
// and the bound want B small, (u, W, v, r) are moved together: no inner loop. With mu_d and q_d the
// marginals of part d and its chances that an item is the best, mean_i = sum_d p_d mu_di:
//
//   dB/du_i  = mean_i                        dB/dv_di = p_d (mu_di - mean_i)
//   dB/dW_id = q_di - mean_i                 dB/dp_d  = log Z_d - E_d[max W] / p_d - t_d . mean
//
// Cost: O(D n log n). One dimension: B = log Z. bounds/log_z/hoelder/hoelder.hpp has the bound for every
// family of models, optimised at a fixed model and certified.
#pragma once

#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/models/fldc/fldc.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// log Z of a FLID or an FLDC, exact, bounded or estimated, with its derivatives.
struct FlidLogZSlopes {
  double log_z = 0;
  /// d log Z / du and / dW, ordered as those; of an FLDC a row has D weights W and then E coherences V.
  std::vector<double> utility, weights;
};

/// The multipliers (v row by row, part after part; then r) of a FLID of at least one dimension.
inline Index hoelder_multipliers(Index items, Index dimensions) { return (items + 1) * dimensions; }

/// B and its derivatives; those in the multipliers are written to `slope`. W >= 0 or of any sign.
FlidLogZSlopes hoelder_objective(const Flid& model, std::span<const double> multipliers,
                                 std::span<double> slope);
/// The same with max V_ie of every concept taken away, V >= 0: of D + E parts.
FlidLogZSlopes hoelder_objective(const Fldc& model, std::span<const double> multipliers,
                                 std::span<double> slope);

}  // namespace surefield
