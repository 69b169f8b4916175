// A table per factor over binary variables: what UAI and .fg files hold. Plain data, turned into a
// field of monomials.
//
//   F(S) = sum_f log_table_f[entry of S in f]       p(S) ~ exp(F(S)); -infinity for a zero entry
//
// The same function as a polynomial, by the Moebius transform of each table over B, O(k 2^k):
//
//   coefficient of A = sum_{C subset of A} (-1)^{|A - C|} log_table(C)       A subset of B
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct Factor {
  std::vector<std::uint32_t> variables;  ///< different; may be none (a constant)
  std::vector<double> log_table;  ///< 2^k natural logs, the last variable varies fastest; -infinity
                                  ///< for a zero entry
  bool operator==(const Factor&) const = default;
};

struct FactorGraph {
  Index variables = 0;
  std::vector<Factor> factors;
  bool operator==(const FactorGraph&) const = default;
};

inline constexpr Index kLargestFactor = 26;  ///< variables of one table

/// Throws Error unless the variables of every factor are different and in range, and its table has
/// 2^k entries below +infinity.
void require_valid(const FactorGraph& graph);

/// F(S) by definition; -infinity where a table says zero.
double evaluate(const FactorGraph& graph, Subset chosen);

/// One value per variable: 0, 1, or kFree.
using Assignment = std::vector<std::int8_t>;
inline constexpr std::int8_t kFree = -1;

/// The table over the free variables of the factor, the others fixed.
Factor restricted(const Factor& factor, const Assignment& fixed);

/// A sum of monomials with the sets it is for: fixed variables have a_i = b_i in the box, and take
/// no part in any monomial.
struct Field {
  std::variant<PairwiseField, GibbsField> model;
  Box box;
};

/// The same function on the sets of the box: pairwise if no monomial has more than two variables,
/// else Gibbs. Monomials of two or more variables no larger than the rounding of the logarithms
/// they come from are left out, and pairs that attract by no more than that are kept from it; by
/// how much the field may then differ from the tables is its inherited_error.
///
/// Where the entries of a factor that are not zero all agree on a variable, that variable is fixed;
/// fixing goes on until nothing changes. A zero entry that is left then is refused, with its factor
/// and entry. Evidence: intervals at 0 or 1 fix, others are kept as they are.
Field field_of(const FactorGraph& graph, const Box* evidence = nullptr);

/// The largest finite number of every table, added up: no sum of one number a table is larger.
double magnitude_of(const FactorGraph& graph);

}  // namespace surefield
