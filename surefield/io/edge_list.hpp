// Edge lists (Gset, rudy, BiqMac): `n m`, then m lines `i j w`, nodes from 1, the weight 1 where no
// line has one.
//
//   3 2
//   1 2 5
//   2 3 -1
//
// The file does not say what the numbers are; the caller does:
//   cut            F(S) = sum of w_ij over the edges that S cuts                  GraphCut
//   directed cut   the same over edges i -> j with i in S, j outside              GraphCut
//   couplings      F(S) = sum of w_ii, i in S, + sum of w_ij, i and j in S        PairwiseField
//   quadratic      F(x) = x^T Q x, Q symmetric, listed once: couplings 2 w_ij     PairwiseField
//
// The last is what the .sparse files of BiqMac hold.
// A line `i i w` is a bias; in a cut, where it has no meaning, it is refused. Cost: O(bytes).
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "surefield/models/graph_cut/graph_cut.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

enum class EdgeMeaning { kCut, kDirectedCut, kCouplings, kQuadratic };
/// cut, directed-cut, couplings, quadratic.
std::vector<std::string> edge_meaning_names();
/// Throws Error, listing them, for any other name.
EdgeMeaning edge_meaning_named(std::string_view name);

struct EdgeList {
  Index nodes = 0;
  std::vector<Edge> edges;  ///< as listed, nodes from 0, lines `i i w` among them
};

using EdgeModel = std::variant<GraphCut, PairwiseField>;

/// Refuses lines `i i w` unless `loops`.
EdgeList parse_edge_list(std::string_view text, std::string_view name, bool loops);

EdgeModel parse_edge_model(std::string_view text, std::string_view name, EdgeMeaning meaning);
EdgeModel read_edge_model(const std::string& path, EdgeMeaning meaning);

/// Throws Error if the cut has a bias, which an edge list cannot hold.
std::string edge_list_text(const GraphCut& model);
/// As couplings, or halved as the entries of a quadratic. Throws Error if the field has a constant.
std::string edge_list_text(const PairwiseField& model,
                           EdgeMeaning meaning = EdgeMeaning::kCouplings);

}  // namespace surefield
