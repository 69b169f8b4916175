// The log-likelihood of sets under a FLID or an FLDC, in two parts with their derivatives: F of the sets, and log Z.
//
//   log p(S) = F(S; u, W) - log Z(u, W)
//   dF(S)/du_i = [i in S]           dF(S)/dW_id = [i is the best of S in d] - [i in S]
//   d log Z/du_i = P(i in S)        d log Z/dW_id = P(i is the best of d) - P(i in S)
//
// By V_ie of a concept they are the same with their sign turned round (learn/weight_columns.hpp).
// log Z exactly (bounds/log_z/exact/flid_exact.hpp, few dimensions), or from above by Hoelder at the best
// multipliers (hoelder_objective.hpp), where they need no derivative: the bound is flat in them. With the bound
// in place of log Z the log-likelihood is one from below. Of items that tie, the higher index is the best.
//
// Cost: O(items of the set * D) a set; log Z as stated there, Hoelder O(D n log n) an iteration of L-BFGS.
#pragma once

#include <cstdint>
#include <span>

#include "surefield/core/budget.hpp"
#include "surefield/learn/hoelder_objective.hpp"
#include "surefield/models/flid/flid.hpp"

namespace surefield {

/// F(S). Its derivatives, `share` times, are added to the slopes, if there are any.
double add_set(const Flid& model, std::span<const std::uint32_t> set, double share,
               FlidLogZSlopes* slopes);
double add_set(const Fldc& model, std::span<const std::uint32_t> set, double share,
               FlidLogZSlopes* slopes);

/// Throws Error for a model too large to sum.
FlidLogZSlopes exact_log_z_slopes(const Flid& model, const Budget& budget = {});
FlidLogZSlopes exact_log_z_slopes(const Fldc& model, const Budget& budget = {});

/// The bound at multipliers as good as L-BFGS finds them: valid wherever it ends, up to rounding.
FlidLogZSlopes hoelder_log_z_slopes(const Flid& model, const Budget& budget = {});

}  // namespace surefield
