// What exit code follows from an answer: 0 if all that was asked for is there, else 1, with every
// reason in words. The one place that decides it (2, bad input, is for what throws).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "surefield/core/report.hpp"

namespace surefield {

/// How far apart two ends are, and how far they may be. Infinite where an end is missing.
struct Distance {
  double got, wanted;
  bool is_short() const { return !(got <= wanted); }
};

/// All of an answer that its exit code depends on.
struct Ending {
  Status status = Status::kDone;
  bool epochs_asked = false;  ///< the user named the number of epochs: to use them up is no fault
  bool interrupted = false;   ///< Ctrl-C, whatever the status says
  std::optional<Distance> gap = {};    ///< relative, of --certify
  std::optional<Distance> width = {};  ///< of a certified interval, the widest of several
  std::vector<std::string> missing =
      {};  ///< whatever else was asked for and is not there, in words
};

/// Why the answer is short of what was asked, in words; empty if it is not.
std::vector<std::string> shortfalls(const Ending& ending);

/// 0 or 1.
int exit_code(const Ending& ending);

/// upper - lower, infinite where one is not known.
double distance(const std::optional<double>& lower, const std::optional<double>& upper);

}  // namespace surefield
