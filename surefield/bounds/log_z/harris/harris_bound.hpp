// Both ends of the sum over a class of sets, by Harris' inequality and a bound of its error.
//
// The class (S, R) stands for the sets S + T with T inside R. Let M_d be the best of S in group d, and
//
//   r_kd = max(w_kd - M_d, 0)      a_k = e^{F(k | S)}      p_k = a_k / (1 + a_k)
//   g_d(T) = e^{-(sum_{k in T} r_kd - max_{k in T} r_kd)}                       what counting twice costs
//
//   sum_T e^{F(S + T)} = e^{F(S)} prod_{k in R} (1 + a_k) E[prod_d g_d(T)]      k in T with probability p_k
//
// Every g_d is in (0, 1] and falls as T grows, so (Harris)
//
//   prod_d E g_d  <=  E prod_d g_d  <=  prod_d E g_d + sum_{d < e} Cov(g_d, g_e)
//
// The right side by induction: for f, g, h falling in [0, 1], gh = g + h - 1 + (1 - g)(1 - h), and f and the last
// product are negatively correlated, so Cov(f, gh) <= Cov(f, g) + Cov(f, h). A covariance under a product
// measure is a sum over martingale differences (Efron, Stein), so
//
//   Cov(g_d, g_e) <= sum_k p_k (1 - p_k) c_kd c_ke      c_kd^2 = E[min(y_kd, max_{l in T - k} y_ld)^2],
//                                                       y_kd = 1 - e^{-r_kd}
//
// since an item changes g_d by at most that minimum. E g_d and all c_kd take two passes over the items with
// r_kd > 0 in ascending order. The gap is of second order in what items share, in two groups at once; the
// item's part of it says where to split. Items that share no group with another are factors 1 + a_k and settled.
// All numbers are positive and none is a difference: the relative error is a count of roundings.
//
// T. Harris. Proc. Camb. Phil. Soc. 1960. B. Efron, C. Stein. Annals of Statistics 1981.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/harris/best_item_table.hpp"

namespace surefield {

/// (S, R), with what the bound found out about its items.
struct BestItemClass {
  std::vector<std::uint32_t> rest;   ///< R; bound() leaves those that share a group with another
  std::vector<double> best;          ///< per group e^{M_d}
  std::vector<std::uint32_t> list;   ///< group after group the items of R with r_kd > 0, ascending
  std::vector<std::uint32_t> start;  ///< of each group in the list, and the end
  std::vector<double> odds;          ///< a_k, by item
  std::vector<std::int32_t> place;   ///< by item: where it stands among those left, -1 once settled
};

/// All sets.
BestItemClass whole_class(const BestItemTable& table);

/// The sets of `of` with none of the first `from` items of its rest and, if `with` is an item, with that one.
void make_part(const BestItemTable& table, const BestItemClass& of, Index from,
               const std::uint32_t* with, BestItemClass& part);

/// A class as bound() left it, from what it cannot be without: all but its odds.
void restore(const BestItemTable& table, const std::vector<std::uint32_t>& rest,
             const std::vector<double>& best, BestItemClass& sets);

class HarrisBound {
 public:
  explicit HarrisBound(const BestItemTable& table);

  struct Ends {
    double settled;    ///< product of 1 + a_k over the items that share nothing
    double product;    ///< the same over the others
    double low, high;  ///< of the expectation
  };
  /// The sum over the class is e^{F(S)} settled product E with E in [low, high].
  Ends bound(BestItemClass& sets);
  /// The item's part of the sum of covariances, after bound().
  double share(std::uint32_t k) const { return share_[k]; }
  /// Entries of lists looked at so far: about 20 ns each.
  double entries() const { return entries_; }
  /// At most so many roundings go into any one of the numbers above, in a row.
  static double roundings(const BestItemTable& table);

 private:
  void add_group(const BestItemClass& sets, Index d, Ends& ends);

  const BestItemTable* table_;
  std::vector<std::uint8_t> shares_;  // by item: whether some list holds it with another
  std::vector<double> in_, out_;      // p and 1 - p
  std::vector<double> sum_, share_;   // of c_kd over the groups so far, and of products of two
  std::vector<double> some_above_, none_above_;
  double entries_ = 0;
};

}  // namespace surefield
