// Which items share a term of F: the neighbours of coordinate ascent, for any model that shows its terms.
//
// Along x_i the multilinear extension depends on the items that share a term with i, and on no others.
// A term over k items makes k (k - 1) pairs, so where terms are long there is no list worth having.
// Cost: O(pairs log pairs).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "surefield/core/neighbours.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

/// Items from which on a coloured order pays: cache misses and vector width matter more than the order itself.
inline constexpr Index kColouredItems = 10000;

struct Interaction {
  std::vector<std::size_t> start;
  std::vector<std::uint32_t> neighbour;  ///< symmetric, ascending per item

  Neighbours neighbours() const& { return {start, neighbour}; }
  Neighbours neighbours() const&& = delete;
};

/// Nothing for a model without terms, and where there are more than `most` pairs, counted once a term
/// and from either side.
std::optional<Interaction> interaction_of(const AnyModel& model, std::size_t most);

}  // namespace surefield
