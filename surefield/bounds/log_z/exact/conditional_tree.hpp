// Marginals of one model of small treewidth under many conditions, each by what it changes; and sets drawn from it.
//
//   P(i in S | some items are in S, some are not)
//
// Once, for an order of elimination: c_s(y) = P(variable s is 1 | later neighbours y), a Bayesian network whose
// cliques form a forest, and M_s(y), the distribution of the later neighbours. For a condition E:
//
//   up     l_s(y) = P(E below s | y) = sum_v c_s(v | y) [v agrees with E] prod_{children} l_child     from the items of E
//   down   M'_s from the clique above it, P'(v | y) = c_s(v | y) [..] prod l_child / l_s(y)
//
// Sums of products of probabilities: nothing cancels. Both passes end where nothing moves any more: what is above s moves
// by no more than l_s varies, relative to its largest, and what is below s by no more than the total variation of M'_s and
// M_s (a channel contracts it). Ends are taken at `tolerance`, so a marginal is off by at most the ends of its path times
// that. Cost: the tables of the cliques that move, not all.
//
// A set is drawn from the last variable to the first, each by c_s given its later neighbours: independent, exact to rounding.
// Cost: a random number a variable, and its later neighbours.
//
// S. Lauritzen, D. Spiegelhalter. Local computations with probabilities on graphical structures. JRSS B 50, 1988.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/exact/elimination_order.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

struct ConditionalTreeOptions {
  double beta = 1;          ///< finite
  Index limit = 16;         ///< variables of the largest table
  double tolerance = 1e-9;  ///< of a probability, where a pass ends
  Budget budget = {};       ///< TooMuch where the tables do not fit its memory or operations
};

/// An item and whether it is in.
struct Condition {
  std::uint32_t item;
  bool in;
};

class ConditionalTree {
 public:
  /// Throws Error as eliminate() does.
  ConditionalTree(const AnyModel& model, const Box& box, const ConditionalTreeOptions& options);

  Index size() const { return marginal_.size(); }
  /// Without a condition.
  const std::vector<double>& marginals() const { return marginal_; }

  /// A set of the box, by its chance. No log of a chance is off by more than error(): roundings move every table by a little, twice,
  /// since log Z moves too.
  void draw(Random& random, std::span<std::uint8_t> set) const;
  double error() const { return error_; }

  /// One thread's questions; the tree must outlive it.
  class Asker {
   public:
    explicit Asker(const ConditionalTree& tree);
    /// False where the condition has no probability that a double can hold, or contradicts the box.
    bool operator()(std::span<const Condition> condition, std::span<double> marginals);
    /// Cliques looked at by the last question.
    Index visited() const { return visited_; }

   private:
    /// What the condition does at a step: the product over (v, y) of its conditional with what is below, l_s, and M'_s.
    struct Change {
      std::uint32_t step = 0;
      bool below = false;  // whether `product` and `likely` are other than without a condition
      bool moved = false;  // whether `above` is
      std::vector<double> product, likely, above;
    };
    bool up(std::span<const Condition> condition);
    void down(std::span<double> marginals);
    void enter(std::uint32_t step);
    Change& fresh_change(std::uint32_t step);

    const ConditionalTree* tree_;
    std::vector<std::int8_t> value_;  // of the condition, by step
    std::vector<std::uint32_t> change_at_;
    std::vector<std::unique_ptr<Change>> changes_;
    Index used_ = 0, visited_ = 0;
    std::vector<std::uint32_t> waiting_;
    std::vector<double> table_, other_;
  };

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Index bits(std::uint32_t s) const { return order_.later[s].size(); }
  std::span<const double> chance(std::uint32_t s) const {
    return {chance_.data() + start_[s], std::size_t{1} << bits(s)};
  }
  std::span<const double> above(std::uint32_t s) const {
    return {above_.data() + start_[s], std::size_t{1} << bits(s)};
  }
  std::span<const std::uint32_t> children(std::uint32_t s) const {
    return {child_.data() + first_child_[s], child_.data() + first_child_[s + 1]};
  }

  EliminationOrder order_;
  double tolerance_;
  double error_ = 0;
  std::vector<double> marginal_;
  std::vector<std::int8_t> fixed_;     // by item: kFree or its value
  std::vector<std::uint32_t> step_;    // by item
  std::vector<std::uint32_t> parent_;  // by step; kNone
  std::vector<std::uint32_t>
      inside_;  // by step: which bits of the parent's clique its later neighbours are
  std::vector<std::size_t> start_, first_child_;
  std::vector<std::uint32_t> child_;    // of every step, descending
  std::vector<double> chance_, above_;  // c_s and M_s, step by step
};

}  // namespace surefield
