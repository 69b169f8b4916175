// F as concepts, pairs and items:
//
//   F(S) = constant + sum_i linear_i [i in S] + sum_ij w_ij [i and j in S] + sum_c w_c (1 - prod_i m_ic),   m_ic = in_ic with i in S, out_ic without
//
// with in and out >= 0. What items cover with chances p is missed by prod (1 - p_i): out = 1, in = 1 - p. A product w [all members in S] is a constant w and a concept of weight -w
// with out = 0, in = 1. A cut of a hyperedge is what meets its tail, less what contains its head, and, where the two share nothing, what contains the head and misses the tail.
//
// Coverage, fields, Gibbs fields, cuts, and sums of them. Cost: O(terms).
#pragma once

#include <optional>
#include <vector>

#include "surefield/models/any_model.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

struct CoverTerms {
  struct Member {
    Index item;
    double out, in;
    double fall;  ///< out - in, before rounding: not 0

    static Member covers(Index item, double chance) { return {item, 1, 1 - chance, chance}; }
    static Member is_in(Index item) { return {item, 0, 1, -1}; }
    /// m at x: a sum of two terms >= 0, so its relative accuracy is that of four roundings.
    double missed(double x) const { return (1 - x) * out + x * in; }
  };
  struct Concept {
    double weight;
    std::vector<Member> members;  ///< two or more
  };

  /// A concept of more members has weight > 0 and is covered by all of them.
  static constexpr Index kFewMembers = 12;

  double constant = 0;
  std::vector<double> linear;
  std::vector<Edge> pairs;
  std::vector<Concept> concepts;

  Index size() const { return linear.size(); }
};

/// inverse_temperature * F. Nothing where there is a term of another kind, or a concept of many members that may not be.
std::optional<CoverTerms> cover_terms(const AnyModel& model, double inverse_temperature = 1);

}  // namespace surefield
