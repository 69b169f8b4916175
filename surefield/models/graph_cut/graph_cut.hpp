// Graph cut plus a modular term: neighbours prefer to differ.
//
//   undirected  F(S) = sum_{i in S} bias_i + sum_{ij} w_ij [exactly one of i, j in S]
//               m(x) = sum_i bias_i x_i + sum_{ij} w_ij (x_i + x_j - 2 x_i x_j)
//   directed    F(S) = sum_{i in S} bias_i + sum_{i->j} w_ij [i in S, j not in S]
//               m(x) = sum_i bias_i x_i + sum_{i->j} w_ij x_i (1 - x_j)
//
// Each undirected edge is listed once; no factor 1/2 in either. w >= 0 makes F submodular.
// Both are pairwise fields in other words; `field` is that field, and its states are the states of
// the cut. Cost: as pairwise_field.hpp, partial O(degree), set O(1), memory O(n + edges).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/models/pairwise_field/pairwise_field.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct GraphCut {
  static constexpr std::string_view kKind = "cut";
  using State = PairwiseField::State;
  using Set = PairwiseField::Set;

  std::vector<double> bias;
  std::vector<Edge> edges;  ///< each once; from and to matter only if directed
  bool directed = false;
  PairwiseField field;  ///< derived from the above by make_graph_cut

  Index size() const { return bias.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const& {
    return field.at(x);
  }  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const& { return field.empty_set(); }
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const { field.show_terms(visitor, weight); }
};

/// Throws Error unless every edge joins two different nodes and every number is finite, the sum of
/// each node's bias and weights too.
GraphCut make_graph_cut(std::vector<double> bias, std::vector<Edge> edges, bool directed = false);

/// Why F is not submodular, naming the edge; nothing if it is. Parallel edges count by their sum.
std::optional<std::string> submodularity_violation(const GraphCut& model);

/// Sizes, rounding and submodularity, proved in graph_cut_facts.cpp.
Facts facts_of(const GraphCut& model);

}  // namespace surefield
