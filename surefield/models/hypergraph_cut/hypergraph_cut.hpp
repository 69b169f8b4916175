// Hypergraph cut plus a modular term: a hyperedge pays its weight when the set splits it.
//
//   F(S) = sum_{i in S} bias_i + sum_e w_e [S meets tail(e) and does not contain head(e)]
//   m(x) = sum_i bias_i x_i + sum_e w_e (1 - T_e - H_e)         where tail and head share a node
//                           + sum_e w_e (1 - T_e) (1 - H_e)     where they do not
//   T_e = prod_{tail} (1 - x_i),  H_e = prod_{head} x_i         w >= 0 makes F submodular
//
// An undirected hyperedge has tail = head = its nodes: it pays when some of them are in S and some
// are not. A directed edge of a graph has one node in each.
// A product is rebuilt after as many replacements as it has factors, so that it never drifts.
// Cost: partial and set O(hyperedges of i), the latter amortised over the rebuilding, value
// O(n + hyperedges), gradient O(n + entries), memory O(n + entries).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/core/incidence.hpp"
#include "surefield/core/scaled_product.hpp"
#include "surefield/models/facts.hpp"
#include "surefield/models/terms.hpp"

namespace surefield {

struct Hyperedge {
  double weight = 0;
  std::vector<std::uint32_t> tail, head;  ///< undirected: tail == head == the nodes
  bool operator==(const Hyperedge&) const = default;
};

struct HypergraphCut {
  static constexpr std::string_view kKind = "hypergraph-cut";
  class State;
  class Set;

  std::vector<double> bias;
  std::vector<Hyperedge> hyperedges;
  Incidence tails, heads;  ///< derived: group = hyperedge, entries (node, 1)
  std::vector<std::uint8_t>
      overlapping;  ///< derived: per hyperedge, whether tail and head share a node

  Index size() const { return bias.size(); }
  double evaluate(Subset chosen) const;
  State at(std::span<const double> x) const&;  ///< the model must outlive the state
  State at(std::span<const double> x) const&& = delete;
  Set empty_set() const&;
  Set empty_set() const&& = delete;
  void show_terms(TermVisitor& visitor, double weight) const;
};

class HypergraphCut::State {
 public:
  State(const HypergraphCut& model, std::span<const double> x);

  Index size() const { return x_.size(); }
  double coordinate(Index i) const { return x_[i]; }
  double partial(Index i) const;
  void gradient(std::span<double> out) const;
  double value() const;
  void set(Index i, double v);

 private:
  void rebuild_tail(Index e);
  void rebuild_head(Index e);

  const HypergraphCut* model_;
  std::vector<double> x_;
  std::vector<ScaledProduct>
      untouched_;  // per hyperedge T_e: the probability that S misses the tail
  std::vector<ScaledProduct>
      swallowed_;  // per hyperedge H_e: the probability that S contains the head
  std::vector<std::uint32_t> tail_replaced_, head_replaced_;  // factors, since they were rebuilt
};

/// gain, add and remove O(hyperedges of i), value O(n + hyperedges).
class HypergraphCut::Set {
 public:
  explicit Set(const HypergraphCut& model);

  Index size() const { return chosen_.size(); }
  bool contains(Index i) const { return chosen_[i] != 0; }
  double gain(Index i) const;
  double value() const;
  void add(Index i);
  void remove(Index i);

 private:
  const HypergraphCut* model_;
  std::vector<std::uint8_t> chosen_;
  std::vector<std::uint32_t> tail_inside_;   // per hyperedge: nodes of the tail in the set
  std::vector<std::uint32_t> head_outside_;  // per hyperedge: nodes of the head not in the set
};

/// Throws Error unless every tail and head holds at least one node, different nodes in range, and
/// every number is finite.
HypergraphCut make_hypergraph_cut(std::vector<double> bias, std::vector<Hyperedge> hyperedges);

Hyperedge undirected_hyperedge(std::vector<std::uint32_t> nodes, double weight);

/// Names a hyperedge of negative weight, parallel ones (of the same tail and head) counted by their
/// sum; nothing if there is none, and then F is submodular. (Weights that other hyperedges make up
/// for are named all the same.)
std::optional<std::string> submodularity_violation(const HypergraphCut& model);

/// Sizes, rounding and submodularity, proved in hypergraph_cut_facts.cpp.
Facts facts_of(const HypergraphCut& model);

}  // namespace surefield
