// A certified interval for log Z of any submodular F, narrowed by splitting the sets into classes.
//
// A leaf (S, R) stands for the sets S + T with T inside R. Let up_j = F(j | S) and
// lo_j = F(j | S + R - j), all times beta.
//
//   upper  F(S) + sum_{j in R} log(1 + e^{up_j})
//   lower  F(S) + log(1 + sum_j e^{up_j} prod_{k before j} (1 + e^{lo_k}))
//
// since F(S + T) <= F(S) + sum_T up and F(S + T) >= F(S) + up_j + sum_{T - j} lo for each j in T:
// the last of T in the order of ascending up - lo. Z lies between the sums over the leaves. The
// leaf of the widest e^upper - e^lower is split by an item, in or out: the one with the largest
// log(1 + e^up) - log(1 + e^lo).
//
// A split asks for the gains twice from below and twice from above. Leaves are split in rounds
// whose size depends on the leaves alone, so the result does not depend on the number of threads.
// Every end is moved outwards by more than rounding can have cost, so that the interval is a proof.
// Running sums are wrong by the rounding of the widest leaf ever met, which can be 1e15 times Z;
// they only say when to add up all leaves afresh. Memory: about 40 + items / 4 bytes a leaf.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/tree/gain_bounds.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

class LogZTree {
 public:
  /// One leaf: all sets. `items` counts the fixed ones too. `facts` are those of beta F, of which the
  /// gains are; their errors go into the margins. Throws Contradiction, here and in refine, on a
  /// witness against submodularity.
  LogZTree(std::unique_ptr<const GainBounds> gains, FreeItems which, Index items, Facts facts);

  /// Splits leaves until the interval is at most `width` wide, no leaf can be split, `splits` more
  /// splits are done, the budget is spent or its memory used up. Call again to go on.
  void refine(double width, Index splits, const Budget& budget = {});
  /// How many leaves the budget's memory holds.
  Index room(const Budget& budget) const;

  /// Contains log Z.
  Interval log_z() const { return log_z_; }
  bool can_split() const { return !queue_.empty(); }
  Index leaves() const { return leaves_.size(); }
  Index splits() const { return splits_; }

  /// Contains P(i in S), for every item. Costs about as much as the leaves did.
  std::vector<Interval> marginals() const;

  /// The leaves' shares of the upper end, and a set of a leaf drawn from the bound: one byte an
  /// item, with the probability that it is to be kept. See perfect_sampling.hpp.
  std::vector<double> upper_shares() const;
  struct Proposal {
    std::vector<std::uint8_t> set;
    double keep;
  };
  Proposal propose(Index leaf, Random& random) const;

 private:
  static constexpr double kRounding = 0x1p-49;  // of one number: more than a few ulp
  static constexpr Index kTask = 16;            // splits a task

  struct Leaf {
    double upper, lower;  // log; with margins
    double priority;      // log(e^upper - e^lower); -infinity if it cannot be split
    ItemNumber branch;
  };
  struct Scratch {  // reused from leaf to leaf
    std::vector<ItemNumber> in, out, rest, order;
    std::vector<double> up, lo, child_up, child_lo, exp_up, exp_lo;
  };
  struct Children {
    Leaf in, out;
    bool made = false;
  };

  void read(Index leaf, Scratch& scratch) const;
  Leaf bound(double value, Scratch& scratch, std::span<const ItemNumber> rest,
             std::span<const double> up, std::span<const double> lo) const;
  Children split(Index leaf, Scratch& scratch) const;
  void push(Index leaf);
  bool comes_after(std::uint32_t a, std::uint32_t b) const;  // in the queue
  void add_up();
  std::uint64_t* bits(Index leaf) { return bits_.data() + leaf * 2 * words_; }
  const std::uint64_t* bits(Index leaf) const { return bits_.data() + leaf * 2 * words_; }

  std::unique_ptr<const GainBounds> gains_;
  FreeItems which_;
  Index items_, words_;
  Facts facts_;  // of beta F
  double margin_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<std::uint64_t> bits_;   // a leaf: the items that are in, then those that are open
  std::vector<std::uint32_t> queue_;  // a heap by priority, then by number
  Index splits_ = 0;
  Interval log_z_{0, 0};
  double shift_ = 0, sum_upper_ = 0, sum_lower_ = 0;  // running, relative to e^shift_
};

}  // namespace surefield
