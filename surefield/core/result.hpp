// Everything one run tells its user: plain data, filled by the front door, written by the formats
// in report/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surefield/core/claim.hpp"
#include "surefield/core/concepts.hpp"
#include "surefield/core/item_intervals.hpp"
#include "surefield/core/report.hpp"

namespace surefield {

struct Result {
  std::string command;             ///< the front door's function: infer
  std::string model_kind;          ///< flid, coverage, ...
  std::vector<std::string> items;  ///< names, or empty
  std::string objective;           ///< what is maximised: elbo, softmax
  std::string algorithm;           ///< by the name it is asked for
  Status status = Status::kDone;
  double elbo = 0;                    ///< recomputed from a fresh state at the marginals
  std::optional<double> elbo_lower;   ///< the same less its rounding; none for an estimate
  std::optional<double> upper_bound;  ///< of the best elbo in the box; empty if none is known
  std::string upper_bound_method;     ///< what gave it
  bool certified_global = false;      ///< elbo and upper bound agree to 1e-6 relative
  std::optional<double> log_z_lower, log_z_upper;  ///< natural logarithm; empty if none is known
  bool log_z_exact = false;
  std::string log_z_method;      ///< what gave the ends
  Basis basis = Basis::kProved;  ///< what the weakest bound of all rests on
  Index size = 0;                ///< how many items
  std::vector<double> marginals;
  std::string marginals_file;  ///< where they are, if not here
  /// Of p(S) itself, where that was asked for.
  std::optional<ItemIntervals> set_marginals;
  std::vector<TracePoint> trace;
  std::string guarantee;           ///< in words; says so if there is none
  std::vector<std::string> notes;  ///< what else is worth knowing: flips, estimates, drift
  std::uint64_t seed = 0;
  unsigned threads = 1;
  double seconds = 0;
  double inverse_temperature = 1;
};

}  // namespace surefield
