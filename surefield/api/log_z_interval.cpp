#include "surefield/api/log_z_interval.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "surefield/api/exact_answer.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/log_z_checks.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"

namespace surefield {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Index kSplittable = 20000;   // items: a split asks for the gains of all
constexpr double kStepsASecond = 1e8;  // of best items
constexpr ExactAnswerOptions kDearest{.steps = 2e9, .width = 24, .enumerable = 24};

class Narrowing {
 public:
  Narrowing(const Problem& problem, const LogZIntervalOptions& options)
      : problem_(problem), options_(options) {}

  LogZInterval operator()() {
    if (options_.exact) exactly({});
    if (!reached() && go_on()) between();
    if (options_.exact && !reached() && go_on()) {
      ExactAnswerOptions dear = kDearest;
      dear.steps = std::min(dear.steps, kStepsASecond * options_.seconds);
      exactly(dear);
    }
    if (!reached() && go_on()) outside();
    now_.seconds = seconds();
    return std::move(now_);
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  bool go_on() const { return !options_.go_on || options_.go_on(); }
  bool reached() const { return now_.exact || now_.width() <= options_.width; }

  void credit(const std::string& method) {
    if (now_.method.find(method) == std::string::npos)
      now_.method += (now_.method.empty() ? "" : ", ") + method;
  }
  void raise_lower(double value, const std::string& method) {
    if (!std::isfinite(value) || (now_.lower && *now_.lower >= value)) return;
    now_.lower = value;
    credit(method);
  }
  void cut_upper(double value, const std::string& method) {
    if (!std::isfinite(value) || (now_.upper && *now_.upper <= value)) return;
    now_.upper = value;
    credit(method);
  }

  void exactly(ExactAnswerOptions how) {
    how.inverse_temperature = options_.inverse_temperature;
    how.threads = options_.threads;
    const auto found = exact_answer(problem_, how);
    if (!found) return;
    now_.lower = now_.upper = found->log_z;
    now_.method = found->method;
    now_.exact = true;
  }

  void between() {
    if (!problem_.is_submodular() || problem_.size() > kSplittable) return;
    const double began = seconds();
    CertifiedLogZOptions how{
        .beta = options_.inverse_temperature, .width = options_.width, .threads = options_.threads};
    how.observer = [&](const CertifiedLogZProgress&) {
      return go_on() && seconds() - began < options_.seconds;
    };
    const auto found = std::visit(
        [&](const auto& model) { return branch_and_bound_log_z(model, &problem_.box, how); },
        problem_.model);
    raise_lower(found.log_z.low, "branch and bound");
    cut_upper(found.log_z.high, "branch and bound");
  }

  void outside() {
    if (!is_estimated(problem_.model)) {
      const Result found = infer(
          problem_, {.inverse_temperature = options_.inverse_temperature, .quick_proof = false});
      if (found.log_z_lower) raise_lower(*found.log_z_lower, "mean field");
    }
    if (const auto upper = quick_log_z_upper(problem_, options_.inverse_temperature))
      cut_upper(*upper, "hoelder");
  }

  const Problem& problem_;
  const LogZIntervalOptions& options_;
  Clock::time_point start_ = Clock::now();
  LogZInterval now_;
};

}  // namespace

double LogZInterval::width() const {
  return is_known() ? std::max(0.0, *upper - *lower) : std::numeric_limits<double>::infinity();
}

LogZInterval log_z_interval(const Problem& problem, const LogZIntervalOptions& options) {
  require_sets_of_log_z(problem.box);
  require_temperature_of_log_z(options.inverse_temperature);
  require_width_of_log_z(options.width);
  return Narrowing(problem, options)();
}

}  // namespace surefield
