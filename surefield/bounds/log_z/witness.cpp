#include "surefield/bounds/log_z/witness.hpp"

#include "surefield/core/error.hpp"

namespace surefield {

void require_falling_gain(Index i, double on_smaller, double on_larger, const Facts& facts) {
  if (!(on_larger - on_smaller > 2 * facts.gain_error)) return;
  throw Contradiction(
      message("F is ", facts.submodularity == Submodularity::kProved ? "held" : "assumed",
              " to be submodular, but item ", i, " adds ", on_smaller, " to a set and ", on_larger,
              " to a larger one; nothing is certified"));
}

}  // namespace surefield
