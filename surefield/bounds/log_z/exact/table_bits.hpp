// Tables over bits, and over some of their bits: entry z of a table of b bits has the values of its variables in the bits of z.
// Cost: the entries of the larger table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"

namespace surefield {

/// Adds up the bits of a table that are not in the mask: what is left is over those that are.
void sum_to(std::uint32_t mask, Index bits, std::vector<double>& table);

/// Multiplies a table by one over the bits of the mask.
void multiply_by(std::span<const double> factor, std::uint32_t mask, Index bits,
                 std::vector<double>& table);

}  // namespace surefield
