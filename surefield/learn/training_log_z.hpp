// log Z with its derivatives as training by likelihood asks for it: at every model of a search, by one method.
//
//   kExact      by best items: O(n^(D + E)) at most (bounds/log_z/exact/flid_exact.hpp)
//   kHoelder    from above, with multipliers that the search moves together with the model (hoelder_objective.hpp)
//   kMeanField  from below, the ELBO from four starts, one of them where it ended last; of a FLID
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/learn/hoelder_objective.hpp"

namespace surefield {

enum class LogZMethod { kHoelder, kExact, kMeanField };

/// hoelder, exact, mean-field.
std::string_view text_of(LogZMethod method);

class TrainingLogZ {
 public:
  TrainingLogZ(Index items, LogZMethod method, const Budget& budget)
      : method_(method), budget_(budget), last_(items, 0.5) {}

  /// Derivatives in the multipliers, of Hoelder alone, are written to `slope`. Throws Error where the model is too
  /// large to sum, and for the ELBO of an FLDC.
  FlidLogZSlopes operator()(const Flid& model, std::span<const double> multipliers,
                            std::span<double> slope);
  FlidLogZSlopes operator()(const Fldc& model, std::span<const double> multipliers,
                            std::span<double> slope);

 private:
  FlidLogZSlopes by_mean_field(const Flid& model);

  LogZMethod method_;
  Budget budget_;
  std::vector<double> last_;
};

/// log(Z - 1) in place of log Z, which moves 1 / (1 - 1/Z) times as much. Where 1 - 1/Z is all rounding, the sets
/// of one item are what is left: Z - 1 is the sum of e^{u_i}.
void leave_out_empty(std::span<const double> utility, FlidLogZSlopes& of,
                     std::span<double> multiplier_slope);

}  // namespace surefield
