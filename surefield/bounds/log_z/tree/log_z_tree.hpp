// A certified interval for log Z of a submodular F, or of a difference of two, F = A - B, narrowed by
// splitting the sets into classes.
//
// A leaf (S, R) stands for the sets S + T with T inside R. All times beta, let
//
//   up_j = A(j | S) - B(j | S + R - j)      lo_j = A(j | S + R - j) - B(j | S)      first_j = F(j | S)
//
//   upper  F(S) + sum_{j in R} log(1 + e^{up_j})
//   lower  F(S) + log(1 + sum_j e^{first_j} prod_{k before j} (1 + e^{lo_k}))
//
// since F(S + T) <= F(S) + sum_T up and F(S + T) >= F(S) + first_j + sum_{T - j} lo for each j in T: the
// last of T in the order of ascending first - lo. Without B first = up. Z lies between the sums over the
// leaves. The leaf of the widest e^upper - e^lower is split by an item, in or out: the one with the
// largest log(1 + e^up) - log(1 + e^lo).
//
// A split asks for the gains twice from below and twice from above. Leaves are split in rounds
// whose size depends on the leaves alone, so the result does not depend on the number of threads and helpers.
// Every end is moved outwards by more than rounding can have cost, so that the interval is a proof.
// Running sums are wrong by the rounding of the widest leaf ever met, which can be 1e15 times Z;
// they only say when to add up all leaves afresh. Memory: about 40 + items / 4 bytes a leaf. Where there is no more room, leaves
// that add least to the width can be given up: their sum is kept, they are not split any more.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/bounds/log_z/tree/gain_bounds.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/helpers.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

class LogZTree {
 public:
  /// One leaf: all sets. `taken` has the gains of B, or is null. `items` counts the fixed ones too.
  /// `facts` are those of beta F, of which the gains are, with the errors of both parts; they go into
  /// the margins. Throws Contradiction, here and in refine, on a witness against submodularity.
  LogZTree(std::unique_ptr<const GainBounds> added, std::unique_ptr<const GainBounds> taken,
           FreeItems which, Index items, Facts facts);

  /// Splits leaves until the interval is at most `width` wide, no leaf can be split, `splits` more
  /// splits are done, the budget is spent or its memory used up; then, if it `gives_up`, a quarter of the
  /// leaves make room. Call again to go on.
  /// Helpers that know the subject split leaves too.
  void refine(double width, Index splits, const Budget& budget = {}, bool gives_up = false,
              Helpers* helpers = nullptr, const Subject& subject = {});
  /// Splits leaves of such a tree that another process refines.
  std::string answer(std::string_view question, const Budget& budget) const;
  /// How many leaves the budget's memory holds.
  Index room(const Budget& budget) const;

  /// Contains log Z.
  Interval log_z() const { return log_z_; }
  bool can_split() const { return !queue_.empty(); }
  Index leaves() const { return leaves_.size(); }
  Index splits() const { return splits_; }
  Index given_up() const { return given_up_; }
  /// What the interval rests on.
  Basis basis() const { return facts_.basis(); }

  /// Contains P(i in S), for every item. Costs about as much as the leaves did.
  std::vector<Interval> marginals() const;

  /// The leaves' shares of the upper end, and a set of a leaf drawn from the bound: one byte an
  /// item, with the probability that it is to be kept. See perfect_sampling.hpp. Throws Error where leaves were given up.
  std::vector<double> upper_shares() const;
  struct Proposal {
    std::vector<std::uint8_t> set;
    double keep;
  };
  /// What is drawn from: F(S), the open items, up_j and its sigmoid. Found once a leaf, used for every draw of it.
  struct DrawTable {
    double value = 0;
    std::vector<ItemNumber> in, rest;
    std::vector<double> up, chance;
  };
  DrawTable draw_table(Index leaf) const;
  Proposal propose(const DrawTable& from, Random& random) const;

 private:
  static constexpr double kRounding = 0x1p-49;  // of one number: more than a few ulp
  static constexpr Index kTask = 16;            // splits a task

  struct Leaf {
    double upper, lower;  // log; with margins
    double priority;      // log(e^upper - e^lower); -infinity if it cannot be split
    ItemNumber branch;
  };
  struct Gains {  // of both parts at one end of a leaf; none of B where there is none
    std::vector<double> added, taken;
    void resize(Index n, bool both) {
      added.resize(n);
      taken.resize(both ? n : 0);
    }
    void erase(std::ptrdiff_t at) {
      added.erase(added.begin() + at);
      if (!taken.empty()) taken.erase(taken.begin() + at);
    }
  };
  struct Scratch {  // reused from leaf to leaf
    std::vector<ItemNumber> in, out, rest, order;
    Gains below, above, child_below, child_above;
    std::vector<double> up, lo, first, exp_up, exp_lo, exp_first;
  };
  struct Children {
    Leaf in, out;
    bool made = false;
  };
  struct SplitTask {  // leaves to be split, as another process sees them
    std::vector<std::uint64_t> bits;
    std::vector<ItemNumber> branch;
  };
  friend auto fields_of(Children& children) {
    auto& [in, out, made] = children;
    return std::tie(in.upper, in.lower, in.priority, in.branch, out.upper, out.lower, out.priority,
                    out.branch, made);
  }
  friend auto fields_of(SplitTask& task) {
    auto& [bits, branch] = task;
    return std::tie(bits, branch);
  }

  void read(const std::uint64_t* bits, Scratch& scratch) const;
  /// F(S), and the gains of the rest on S; then those on all but what is out.
  double look_below(const Scratch& scratch, Gains& gains) const;
  void look_above(const Scratch& scratch, Gains& gains) const;
  /// up, lo and first of the rest.
  void ends_of(const Gains& below, const Gains& above, Scratch& scratch) const;
  Leaf bound(double value, const Gains& below, const Gains& above, Scratch& scratch) const;
  Children split(const std::uint64_t* bits, ItemNumber branch, Scratch& scratch) const;
  void push(Index leaf);
  bool comes_after(std::uint32_t a, std::uint32_t b) const;  // in the queue
  void add_up();
  /// Keeps so many leaves, those with the highest priorities; the others become one interval.
  void give_up(Index kept);
  std::uint64_t* bits(Index leaf) { return bits_.data() + leaf * 2 * words_; }
  const std::uint64_t* bits(Index leaf) const { return bits_.data() + leaf * 2 * words_; }

  std::unique_ptr<const GainBounds> added_, taken_;
  FreeItems which_;
  Index items_, words_;
  Facts facts_;  // of beta F
  double margin_ = 0;
  std::vector<Leaf> leaves_;
  std::vector<std::uint64_t> bits_;   // a leaf: the items that are in, then those that are open
  std::vector<std::uint32_t> queue_;  // a heap by priority, then by number
  Index splits_ = 0, given_up_ = 0;
  Interval given_{-kInfinity, -kInfinity};  // log of the sum over what was given up
  Interval log_z_{0, 0};
  double shift_ = 0, sum_upper_ = 0, sum_lower_ = 0;  // running, relative to e^shift_
};

}  // namespace surefield
