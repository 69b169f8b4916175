// Sets of fields that only grow, from the highest item to the lowest: what enumeration walks over.
//
// A growing set has
//   gain(k)                  F(S + k) - F(S)
//   grow_from(smaller, k)    become `smaller` plus k
// for the free items k = 0, 1, ... of a box, numbered by FreeItems. After k only items below k are
// asked for or added, so a set need not carry anything that concerns others: of 2^n sets half end
// at item 0, a quarter at item 1 and so on, and what a step costs is a small constant on average.
// Nothing is ever taken out, so nothing drifts.
//
//   GrowingField        pairwise: what every lower item would add
//   GrowingMonomials    any order: the same, and of monomials with two open variables or more how many of the others are in
//   GrowingHypergraph   cuts: of every hyperedge, nodes of the tail inside and of the head outside
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "surefield/bounds/log_z/free_items.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/models/gibbs_field/gibbs_field.hpp"
#include "surefield/models/hypergraph_cut/hypergraph_cut.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

class GrowingField {
 public:
  GrowingField(const PairwiseField& model, const FreeItems& which);

  double gain(Index k) const { return field_[k]; }
  void grow_from(const GrowingField& smaller, Index k) {
    const double* const row = coupling_->data() + k * field_.size();
    for (Index j = 0; j < k; ++j) field_[j] = smaller.field_[j] + row[j];
  }

 private:
  std::shared_ptr<const std::vector<double>> coupling_;  // of free items, row by row
  std::vector<double> field_;
};

class GrowingMonomials {
 public:
  GrowingMonomials(const GibbsField& model, const FreeItems& which);

  double gain(Index k) const { return field_[k]; }
  void grow_from(const GrowingMonomials& smaller, Index k) {
    std::copy_n(smaller.field_.data(), k, field_.data());
    std::copy_n(smaller.in_.data(), tables_->open[k], in_.data());
    for (const auto m : tables_->of_item[k]) {
      const Term& term = tables_->terms[m];
      if (term.second != k)
        ++in_[m];
      else if (smaller.in_[m] == term.others)
        field_[term.lowest] += term.coefficient;
    }
  }

 private:
  struct Term {  // a monomial of two free variables or more
    std::uint32_t lowest, second;
    std::uint32_t others;  // beside these two
    double coefficient;
  };
  struct Tables {
    std::vector<Term> terms;                          // by ascending second variable
    std::vector<std::vector<std::uint32_t>> of_item;  // terms that hold it, not as the lowest
    std::vector<Index> open;                          // terms with their second variable below k
  };
  std::shared_ptr<const Tables> tables_;
  std::vector<double> field_;
  std::vector<std::uint32_t> in_;  // of a term's others
};

class GrowingHypergraph {
 public:
  GrowingHypergraph(const HypergraphCut& model, const FreeItems& which);

  double gain(Index k) const {
    double sum = tables_->bias[k];
    for (const End& end : tables_->ends[k]) {
      const Sides now = sides_[end.edge];
      const bool before = now.tail_inside > 0 && now.head_outside > 0;
      const bool after = now.tail_inside + end.tail > 0 && now.head_outside > end.head;
      sum += end.weight * (static_cast<int>(after) - static_cast<int>(before));
    }
    return sum;
  }
  void grow_from(const GrowingHypergraph& smaller, Index k) {
    std::copy_n(smaller.sides_.data(), tables_->open[k], sides_.data());
    for (const End& end : tables_->ends[k]) {
      sides_[end.edge].tail_inside += end.tail;
      sides_[end.edge].head_outside -= end.head;
    }
  }

 private:
  struct Sides {
    std::uint32_t tail_inside, head_outside;
  };
  struct End {
    std::uint32_t edge;
    std::uint32_t tail, head;  // 1 if the item is in it
    double weight;
  };
  struct Tables {
    std::vector<double> bias;
    std::vector<std::vector<End>> ends;
    std::vector<Index> open;  // hyperedges with a node below k: they come first
  };
  std::shared_ptr<const Tables> tables_;
  std::vector<Sides> sides_;  // by ascending lowest node
};

}  // namespace surefield
