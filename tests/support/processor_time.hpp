#pragma once
// Seconds of processor time that this process has taken, all threads together: what a deadline is held to where the machine does other
// things too and clocks on the wall say nothing.
#include <ctime>

namespace surefield::testing {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace surefield::testing
