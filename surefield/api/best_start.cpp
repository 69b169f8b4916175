#include "surefield/api/best_start.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace surefield {

void BestStart::consider(Report report) {
  if (report.upper_bound) claim_.at_most({*report.upper_bound, "a pass of double greedy", basis_});
  if (!any_ || report.value > best_.value) best_ = std::move(report);
  any_ = true;
  best_.upper_bound.reset();
  if (claim_.high()) best_.upper_bound = claim_.high()->value;
}

bool BestStart::is_open() const {
  const bool closed = best_.upper_bound && *best_.upper_bound - best_.value <=
                                               1e-9 * std::max(1.0, std::abs(best_.value));
  return best_.status != Status::kInterrupted && !closed;
}

}  // namespace surefield
