// A model as a sum of pieces each of which can be summed over all sets exactly.
//
//   beta F(S) = constant + sum_{i in S} modular_i + sum_{ij in S} coupling_ij + sum_r f_r(S)
//
// over the free items of a box, the fixed ones gone. f_r: one dimension of a facility location, one
// concept, hyperedge, monomial of three or more, or concave group. F need not be submodular.
// Cost: O(entries of the model), and O(cap) per entry of a concept or a concave group.
#pragma once

#include <variant>
#include <vector>

#include "surefield/bounds/log_z/hoelder/automaton_piece.hpp"
#include "surefield/bounds/log_z/hoelder/best_item_piece.hpp"
#include "surefield/core/box.hpp"
#include "surefield/core/budget.hpp"
#include "surefield/models/any_model.hpp"
#include "surefield/models/pairwise_field/pairwise_field.hpp"

namespace surefield {

using HoelderPiece = std::variant<BestItemPiece, AutomatonPiece>;

struct HoelderSplit {
  std::vector<Index> free;  ///< the items of the model that are free; below they are 0, 1, ...
  double constant = 0;
  std::vector<double> modular;
  std::vector<Edge> edges;           ///< pairs once each, from < to, coupling != 0
  std::vector<HoelderPiece> pieces;  ///< two items or more each
  double error = 0;                  ///< how far beta F as split can be from the true one
  double magnitude = 0;  ///< all numbers of beta F by size, added up: what rounding is relative to

  Index size() const { return modular.size(); }
};

/// Throws Error for an interval that is not [0, 1], 0 or 1, for beta that is not finite and > 0,
/// and for a model without terms (models/terms.hpp), a log det or a black box among them.
/// TooMuch where the states of concepts and groups are more than the budget's operations allow.
HoelderSplit split_for_hoelder(const AnyModel& model, const Box* box = nullptr, double beta = 1,
                               const Budget& budget = {});

/// Of one evaluation of the bound with tables over `width` variables: about.
double operations_of(const HoelderSplit& split, Index width);

}  // namespace surefield
