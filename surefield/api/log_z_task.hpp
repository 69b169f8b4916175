// One question about log Z while methods work on it: what is asked, and what is found so far.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefield/api/log_z.hpp"
#include "surefield/bounds/log_z/exact_log_z.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/models/facts.hpp"

namespace surefield {

/// How far exact methods may go.
struct ExactLimits {
  double steps;              ///< of best items, about 10 ns each
  Index width;               ///< of elimination's tables, in variables
  Index enumerable;          ///< free items of enumeration
  Index splits = 4'000'000;  ///< of branch and bound
  double entries = 2e8;      ///< of the search by Harris' inequality, about 20 ns each
};

class LogZTask {
 public:
  LogZTask(const Problem& problem, const LogZOptions& options);

  const Problem& problem() const { return problem_; }
  const AnyModel& model() const { return problem_.model; }
  const Box& box() const { return problem_.box; }
  const LogZOptions& options() const { return options_; }
  const Facts& facts() const { return facts_; }  ///< of beta F
  double beta() const { return options_.inverse_temperature; }
  Index free() const { return free_; }
  const ExactLimits& limits() const { return limits_; }
  void set_limits(const ExactLimits& limits) { limits_ = limits; }
  /// What the method under way may spend.
  const Budget& budget() const { return budget_; }

  /// Runs one method; an Error thrown by it is a refusal, noted and not passed on. Nothing is started
  /// once the budget is spent.
  void attempt(const std::string& method, const Budget& budget,
               const std::function<void(LogZTask&)>& run);

  /// What the method under way has found; the value of a bound has its rounding taken off.
  void at_least(double value, Basis basis);
  void at_most(double value, Basis basis);
  void exactly(const ExactLogZ& found);
  void estimate(double value, double standard_error);
  void certified_marginals(std::vector<Interval> intervals);

  /// Ends that the method under way has so far, for whoever watches; they are no part of the answer yet.
  void tell(const Interval& so_far) const;

  bool is_exact() const { return result_.exact; }
  bool reached(double width) const { return is_exact() || claim_.width() <= width; }
  /// Whether the method has found anything.
  bool answered(std::string_view method) const {
    return std::ranges::any_of(result_.values,
                               [&](const LogZValue& row) { return row.method == method; });
  }
  /// They were asked for, and no method has given any.
  bool lacks_marginals() const { return options_.marginals && result_.marginals_method.empty(); }
  /// What mean field ended at, for methods that begin there; empty until found.
  std::vector<double> mean_field;

  LogZResult finish();

 private:
  LogZValue* add(Side side, double value);
  void tell() const;
  void keep_marginals(const ExactLogZ& found);

  const Problem& problem_;
  const LogZOptions& options_;
  Facts facts_;
  Index free_ = 0;
  ExactLimits limits_{2e7, 22, 24};
  Budget budget_;
  Claim claim_{"log Z"};
  LogZResult result_;
  std::string method_;
  Stopwatch watch_;                   // of the whole task
  std::optional<Stopwatch> started_;  // of the method under way
};

}  // namespace surefield
