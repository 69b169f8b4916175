#include "surefield/api/log_z_record.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surefield/core/error.hpp"

namespace surefield {

bool LogZRecord::attempt(const std::string& method, const std::function<void()>& action) {
  if (!go_on()) return false;
  method_ = method;
  started_ = std::chrono::steady_clock::now();
  try {
    action();
    return true;
  } catch (const Error& error) {
    result_.refused.emplace_back(method, error.what());
    return false;
  }
}

void LogZRecord::add(Side side, double value, double standard_error) {
  if (!std::isfinite(value)) return;
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started_;
  result_.values.push_back({.method = method_,
                            .side = side,
                            .value = value,
                            .standard_error = standard_error,
                            .seconds = spent.count()});
  // The first exact value is the answer: a bound that touches it differs from it by rounding only.
  if (result_.exact) return;
  if (side == Side::kExact) {
    result_.exact = true;
    result_.lower = result_.upper = value;
  }
  if (side == Side::kLower) result_.lower = std::max(result_.lower.value_or(value), value);
  if (side == Side::kUpper) result_.upper = std::min(result_.upper.value_or(value), value);
}

void LogZRecord::add_marginals(const std::vector<double>& exact) {
  if (result_.marginals_exact) return;
  result_.marginals.clear();
  for (const double p : exact) result_.marginals.push_back({p, p});
  result_.marginals_exact = true;
  result_.marginals_method = method_;
}

void LogZRecord::add_marginals(std::vector<Interval> certified) {
  if (!result_.marginals_method.empty()) return;
  result_.marginals = std::move(certified);
  result_.marginals_method = method_;
}

}  // namespace surefield
