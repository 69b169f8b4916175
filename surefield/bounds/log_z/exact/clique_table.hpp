// The tables of variable elimination: products over a clique with one variable summed out.
//
//   message(y)     = sum_{v = 0, 1} prod_t table_t(v, y)       y: the later variables of the clique
//   conditional(y) = P(v = 1 | y) = prod_t table_t(1, y) / message(y)
//
// A table is kept as plain numbers beside a log scale while the products it enters stay within the
// range of a double, and as logs otherwise, so that nothing ever under- or overflows: numbers are
// fast, logs are safe. The whole product table never exists: it is worked off in blocks that fit
// the cache, several at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/bounds/log_z/exact/clique_layout.hpp"
#include "surefield/core/concepts.hpp"

namespace surefield {

struct CliqueTable {
  std::vector<std::uint32_t> steps;  ///< its variables by their step of elimination, ascending; the
                                     ///< first is the lowest bit
  std::vector<double> value;         ///< numbers, or logs if `logs`; times e^log_scale
  double log_scale = 0;
  double log_low = 0, log_high = 0;  ///< logs of the smallest (not zero) and the largest value
  bool logs = false;
};

/// From logs, -infinity for zero. The steps in any order, the first the lowest bit.
CliqueTable clique_table(std::vector<std::uint32_t> steps, std::vector<double> logs);

struct SummedOut {
  CliqueTable message;
  std::vector<double> conditional;  ///< empty unless asked for; 0 where the message is
};

/// Sums out the variable that is the first of every table; `later` are the other steps of the
/// clique, ascending.
SummedOut sum_out(const std::vector<std::uint32_t>& later,
                  std::span<const CliqueTable* const> tables, bool with_conditional,
                  CliqueLayouts& known);

/// A table of probabilities over part of a clique, to be added to.
struct Marginal {
  std::span<const std::uint32_t> steps;  ///< ascending, the summed variable first
  std::span<double> probability;
};

/// Adds up the distribution over a clique, P(y) and P(v = 1 | y), in tables over parts of it.
/// Returns P(v = 1).
double spread(const std::vector<std::uint32_t>& later, std::span<const double> probability,
              std::span<const double> conditional, std::span<const Marginal> parts,
              CliqueLayouts& known);

}  // namespace surefield
