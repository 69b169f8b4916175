#include "surefield/report/ending.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace surefield {

double distance(const std::optional<double>& lower, const std::optional<double>& upper) {
  return lower && upper ? *upper - *lower : std::numeric_limits<double>::infinity();
}

std::vector<std::string> shortfalls(const Ending& ending) {
  std::vector<std::string> reasons;
  if (ending.status == Status::kFailed) reasons.emplace_back(text_of(Status::kFailed));
  if (ending.status == Status::kInterrupted || ending.interrupted)
    reasons.emplace_back(text_of(Status::kInterrupted));
  if (ending.status == Status::kEpochLimit && !ending.epochs_asked)
    reasons.emplace_back(text_of(Status::kEpochLimit));
  if (ending.gap && ending.gap->is_short())
    reasons.push_back(
        std::isfinite(ending.gap->got)
            ? fmt::format("the relative gap is {:.3g}, more than the {:.3g} asked for",
                          ending.gap->got, ending.gap->wanted)
            : std::string("no bound of the optimum is proved, so there is no gap"));
  if (ending.width && ending.width->is_short())
    reasons.push_back(
        std::isfinite(ending.width->got)
            ? fmt::format("the interval is {:.3g} wide, wider than the {:.3g} asked for",
                          ending.width->got, ending.width->wanted)
            : std::string("the interval is wider than asked for: it has not both ends"));
  reasons.insert(reasons.end(), ending.missing.begin(), ending.missing.end());
  return reasons;
}

int exit_code(const Ending& ending) { return shortfalls(ending).empty() ? 0 : 1; }

}  // namespace surefield
