// A picture of trajectories as plain data: what the paper's figures show, one panel each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/core/box.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/experiments/trajectories.hpp"

namespace surefield {

struct Chart {
  std::string id, figure, title;
  std::string_view objective;  ///< elbo or pa-elbo
  std::string category;
  Index items = 0, dimensions = 0;  ///< of one model
  std::vector<int> folds;
  std::optional<Interval> log_z;  ///< certified; a point where it is exact; none if stopped before
  std::vector<Trajectory> series;
};

/// A compact table: an algorithm a row, an epoch a column; of a series with ten times the epochs
/// every tenth.
std::string charts_text(const std::vector<Chart>& charts);

/// figure,algorithm,epoch,value; the ends of log Z as algorithms `log Z, lower` and `log Z, upper`
/// with no epoch.
std::string charts_csv(const std::vector<Chart>& charts);

/// Whether an interval of log Z is a value and its rounding.
inline bool is_exact(const Interval& log_z) {
  return log_z.width() <= 1e-9 * (1 + (log_z.low < 0 ? -log_z.low : log_z.low));
}

}  // namespace surefield
