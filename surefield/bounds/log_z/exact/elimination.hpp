// Exact log Z and exact marginals by summing out one variable at a time.
//
//   log Z = log sum_S e^{F(S)},   P(i in S)     over the sets that agree with the fixed variables
//
// Forward: the tables that hold the variable are multiplied and the variable is summed out; what is
// left is a table over its later neighbours. Backward: from the last variable to the first,
// P(variable | later neighbours) spreads the joint distribution of each clique to the cliques that
// fed it. Everything is a sum or a product of probabilities, so nothing cancels.
//
// Cost: time O(sum of the table sizes); memory O(largest table) for log Z, and for marginals about
// the root of (largest table * sum of table sizes). elimination_order.hpp finds the order.
// R. Dechter. Bucket elimination: a unifying framework for reasoning. Artificial Intelligence 113,
// 1999.
#pragma once

#include <vector>

#include "surefield/bounds/log_z/exact/elimination_order.hpp"
#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/models/factor_graph.hpp"

namespace surefield {

inline constexpr Index kEliminable = 200'000;  ///< items, for which an order is found in seconds

struct EliminationOptions {
  double beta = 1;   ///< finite
  Index limit = 25;  ///< variables of the largest table; 25 takes about 300 MB
  /// An order found before for these factors, to save finding it again; must outlive the call.
  const EliminationOrder* order = nullptr;
  Budget budget = {};  ///< TooMuch where the tables do not fit its memory; once spent, Error
  bool marginals = true;
  bool together = false;        ///< of each factor too, with the marginals; for no box
  Index keep = Index{1} << 24;  ///< numbers kept for the marginals (128 MB); beyond, some work is
                                ///< done twice to save memory
};

struct Elimination : ExactLogZ {  ///< log_z is -infinity if no set is possible
  Index width = 0;                ///< variables of the largest table used
  /// P(all variables of the factor are 1), factor by factor, if asked for: the derivative of log Z
  /// by the last number of its table.
  std::vector<double> together = {};
};

/// Throws Error where a table would need more variables than the limit, where an interval of the
/// box is not [0, 1], 0 or 1, and where marginals are asked for but no set is possible. Without a
/// box no variable is fixed.
Elimination eliminate(const FactorGraph& graph, const Box* box = nullptr,
                      const EliminationOptions& options = {});
/// The same for a model whose terms each touch few items (term_tables.hpp).
Elimination eliminate(const AnyModel& model, const Box* box = nullptr,
                      const EliminationOptions& options = {});

/// The order that `eliminate` would use, with the width of its tables: what it would cost.
EliminationOrder elimination_order(const FactorGraph& graph, const Box* box = nullptr,
                                   const EliminationOptions& options = {});
}  // namespace surefield
