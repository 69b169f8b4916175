#include "surefield/core/paid_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "surefield/core/budget.hpp"

namespace surefield {

std::size_t paid_rounds(const RoundsWork& work, double operations_a_round, std::size_t asked,
                        std::string_view rounds) {
  const double most = std::floor(work.operations / std::max(1.0, operations_a_round));
  const auto paid = static_cast<std::size_t>(std::clamp(most, 0.0, static_cast<double>(asked)));
  if (paid < std::min(work.fewest, asked))
    throw TooMuch(
        fmt::format("{} {} are more than {:.2g} operations", work.fewest, rounds, work.operations));
  return std::max<std::size_t>(1, paid);
}

}  // namespace surefield
