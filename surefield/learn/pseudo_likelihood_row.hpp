// What the rows of a pseudo-likelihood work on: arrays over all sets, kept between the rows of one task.
#pragma once

#include <cstdint>
#include <vector>

#include "surefield/learn/pseudo_likelihood.hpp"

namespace surefield {

class PseudoLikelihood::Row {
 public:
  explicit Row(Index sets) : slot(sets, 0), stamp(sets, 0) {}

  std::vector<double> field;         // h_i of every set met, later the residual
  std::vector<double> chance;        // sigmoid(-h_i)
  std::vector<std::uint32_t> met;    // the sets, where not all are
  std::vector<std::uint32_t> slot;   // place of a set in the arrays
  std::vector<std::uint32_t> stamp;  // 1 + the row that met the set last

  // Of sampled and tabled rows: couplings of the row by place, their derivatives; the place of every item.
  std::vector<double> coupling, by_coupling;
  std::vector<std::uint32_t> place;
};

}  // namespace surefield
