// A pairwise field on a narrow graph, a tree or a strip, summed over all sets exactly.
//
//   sum_S exp(sum_{i in S} theta_i + sum_{ij, both in S} theta_ij)      P(i in S), P(i and j in S)
//
// Variables are summed out one by one along an order found once; a table holds the logs, so nothing
// underflows. On a tree this is sum-product. Cost: O(sum of 2^width over the variables).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/exact/elimination_order.hpp"
#include "surefield/bounds/log_z/hoelder/piece.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

class PairwisePiece {
 public:
  /// All variables 0 .. variables - 1 take part; the weights of the edges are not looked at. The
  /// order must be one of just these edges.
  PairwisePiece(Index variables, std::span<const Edge> edges, const EliminationOrder& order);

  Index variables() const { return steps_.size(); }
  Index edges() const { return edges_; }

  /// theta and marginal: the variables, then the edges, in the order given. There is no f.
  PieceSum sum(std::span<const double> theta, std::span<double> marginal) const;

 private:
  struct Link {  // an edge of the variable summed out, to a variable of its table
    std::uint32_t edge, bit;
  };
  struct Step {
    std::uint32_t variable;
    std::uint32_t later;  // variables of the table, this one not counted
    std::vector<Link> links;
    std::uint32_t parent;                // the step its message goes to; kNone for a root
    std::vector<std::uint32_t> message;  // per entry of the parent's table, that of the message
    std::size_t offset;                  // of its 2^later messages in one long array
  };
  static constexpr std::uint32_t kNone = 0xffffffffU;

  std::vector<Step> steps_;
  std::vector<std::vector<std::uint32_t>> children_;
  Index edges_;
  std::size_t entries_ = 0;
};

}  // namespace surefield
