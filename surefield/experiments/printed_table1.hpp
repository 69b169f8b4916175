// Table 1 of the paper as it is printed: mean and standard deviation of one-epoch values, per
// category and dimension.
//
// Y. Bian, J. Buhmann, A. Krause. Optimal Continuous DR-Submodular Maximization and Applications to
// Provable Mean Field Inference. ICML 2019.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace surefield {

struct PrintedCell {
  std::string_view mean, deviation;  ///< to the digits printed
};

struct PrintedRow {
  std::string_view category;
  int items, dimensions;
  std::array<PrintedCell, 3> elbo, agreement;  ///< Submodular-DoubleGreedy, BSCB, DR-DoubleGreedy
};

std::span<const PrintedRow> printed_table1();

}  // namespace surefield
