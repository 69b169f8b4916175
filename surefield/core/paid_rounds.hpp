// How many rounds of stated cost an amount of work pays for.
//
// Learning goes by rounds, epochs or iterations, that take about as long each. Operations are counted, a nanosecond of a core each
// (core/budget.hpp), never measured: the same rounds on every machine.
#pragma once

#include <cstddef>
#include <string_view>

#include "surefield/core/numeric.hpp"

namespace surefield {

struct RoundsWork {
  double operations = kInfinity;  ///< of all rounds together, about
  std::size_t fewest = 0;         ///< rounds that are of use: where fewer are paid, none are made
};

/// As many rounds as are paid, at most those asked for and at least one. Throws TooMuch where they are fewer than are of use, unless
/// no more were asked for.
std::size_t paid_rounds(const RoundsWork& work, double operations_a_round, std::size_t asked,
                        std::string_view rounds);

}  // namespace surefield
