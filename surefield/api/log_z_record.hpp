// What is found about log Z, written down method by method: each timed, each refusal kept with its
// reason, the tightest interval and the best marginals kept up to date.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "surefield/core/log_z_result.hpp"

namespace surefield {

class LogZRecord {
 public:
  /// `go_on` may be empty; once it says no, no further method is started.
  explicit LogZRecord(std::function<bool()> go_on) : go_on_(std::move(go_on)) {}

  bool go_on() const { return !go_on_ || go_on_(); }

  /// Runs one method; an Error thrown by it is a refusal, noted and not passed on. Returns whether
  /// it ran to its end.
  bool attempt(const std::string& method, const std::function<void()>& action);

  /// Values of the method under way. One that is not finite says nothing and is dropped.
  void add(Side side, double value, double standard_error = 0);

  /// Marginals of the method under way: the first exact ones are kept, before them the first
  /// intervals.
  void add_marginals(const std::vector<double>& exact);
  void add_marginals(std::vector<Interval> certified);

  LogZResult& result() { return result_; }

 private:
  std::function<bool()> go_on_;
  LogZResult result_;
  std::string method_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace surefield
