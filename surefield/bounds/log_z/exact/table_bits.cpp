#include "surefield/bounds/log_z/exact/table_bits.hpp"

#include <bit>

namespace surefield {

void sum_to(std::uint32_t mask, Index bits, std::vector<double>& table) {
  for (Index b = bits; b-- > 0;) {
    if ((mask >> b & 1) != 0) continue;
    const std::size_t half = std::size_t{1} << b, size = table.size();
    std::size_t to = 0;
    for (std::size_t from = 0; from < size; from += 2 * half, to += half)
      for (std::size_t k = 0; k < half; ++k)
        table[to + k] = table[from + k] + table[from + half + k];
    table.resize(to);
  }
}

void multiply_by(std::span<const double> factor, std::uint32_t mask, Index bits,
                 std::vector<double>& table) {
  // The bits below the lowest one that is not in the mask go along.
  const auto run = static_cast<Index>(std::countr_one(mask));
  if (run >= bits) {
    for (std::size_t z = 0; z < table.size(); ++z) table[z] *= factor[z];
    return;
  }
  const std::size_t length = std::size_t{1} << run;
  for (std::size_t z = 0; z < table.size(); z += length) {
    std::size_t y = 0, at = 0;
    for (Index b = 0; b < bits; ++b)
      if ((mask >> b & 1) != 0) y |= (z >> b & 1) << at++;
    for (std::size_t k = 0; k < length; ++k) table[z + k] *= factor[y + k];
  }
}

}  // namespace surefield
