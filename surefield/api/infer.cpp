#include "surefield/api/infer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/certify.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/run_algorithm.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/models/rounding.hpp"
#include "surefield/objectives/elbo.hpp"

namespace surefield {
namespace {

constexpr Index kQuickProof = 2000;  // items; beyond, a proof costs far more than an answer

/// What rounding, and the quadrature of a concave group, can have added to a value of the
/// objective.
double rounding_of_value(const Problem& problem, double beta) {
  return beta * std::visit([](const auto& model) { return rounding_of(model); }, problem.model) +
         1e-15 * static_cast<double>(problem.size());
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void require_valid(const InferOptions& options) {
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "elbo: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(std::isfinite(options.tolerance) && options.tolerance >= 0, "tolerance: it is ",
          options.tolerance, ", which must be finite and >= 0");
  require(options.seconds.value_or(0) >= 0, "seconds: it is ", options.seconds.value_or(0),
          ", which must be >= 0");
  require(options.certify.value_or(0) >= 0, "certify: it is ", options.certify.value_or(0),
          ", which must be >= 0");
  require(options.threads >= 1, "threads: there are 0, but it takes at least 1");
  require(options.wanted_gap >= 0, "gap: it is ", options.wanted_gap, ", which must be >= 0");
  require(options.epsilon.value_or(1) > 0, "epsilon: it is ", options.epsilon.value_or(1),
          ", which must be > 0");
}

double fresh_value(const Problem& problem, std::span<const double> point, double beta) {
  return std::visit([&](const auto& model) { return Elbo(model.at(point), beta).value(); },
                    problem.model);
}

/// What rounding can do to a value of the ELBO.
double rounding_in(const Problem& problem, double beta) {
  return beta * std::visit([](const auto& model) { return rounding_of(model); }, problem.model);
}

bool agree(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(a)); }

/// What is promised, in words, for the run that was made.
std::string guarantee_of(const Problem& problem, const AlgorithmRow& algorithm, bool estimated,
                         const std::string& proof) {
  std::string text;
  if (!problem.is_submodular())
    text = "none: " + problem.violation;
  else if (estimated)
    text = "none: the objective is an estimate by sampling";
  else
    text = algorithm.guarantee;
  return proof.empty() ? text : text + "; the upper bound is proved by " + proof;
}

}  // namespace

Result infer(const Problem& problem, const InferOptions& options) {
  const Stopwatch watch;
  require_valid(options);
  const AlgorithmRow& algorithm = algorithm_named(options.algorithm);
  Observer observer;
  if (options.trace || options.seconds || options.observer)
    observer = [&](TracePoint& now) {
      now.seconds = watch.seconds();
      return (!options.observer || options.observer(now)) &&
             (!options.seconds || now.seconds < *options.seconds);
    };

  Report report;
  with_threads(options.threads,
               [&] { report = run_algorithm(problem, options, algorithm, observer); });
  const double beta = options.inverse_temperature;
  const bool estimated = is_estimated(problem.model);
  const double running = report.value;
  double value = fresh_value(problem, report.point, beta);
  if (!problem.is_submodular() || estimated) report.upper_bound.reset();

  Result result;
  std::string proof;
  // `best` proves what can be proved at about its own cost; --certify goes on for as long as it was
  // given.
  const bool best = options.quick_proof && algorithm.id == Algorithm::kBest &&
                    report.status != Status::kInterrupted;
  const bool quick =
      best && !options.certify && problem.is_submodular() && problem.size() <= kQuickProof;
  std::optional<double> log_z_upper, elbo_upper;  // no ELBO is above log Z
  if (best) log_z_upper = quick_log_z_upper(problem, beta);
  if (!estimated && (options.certify || (best && problem.is_submodular())))
    elbo_upper = log_z_upper ? log_z_upper : quick_elbo_upper(problem, beta);
  if (elbo_upper) *elbo_upper += rounding_in(problem, beta);
  if ((options.certify || quick) && !estimated && std::isfinite(value)) {
    const double start = watch.seconds();
    TracePoint tick{report.epochs, value, 0};
    const auto go_on = [&] {
      return (!options.certify || watch.seconds() - start < *options.certify) &&
             (!options.seconds || watch.seconds() < *options.seconds) &&
             (!options.observer || options.observer(tick));
    };
    const CertifyOptions how{.inverse_temperature = beta,
                             .wanted_gap = options.wanted_gap,
                             .known_bound = elbo_upper.value_or(kInfinity),
                             .threads = options.threads,
                             .effort = quick ? 1 : CertifyOptions{}.effort,
                             .go_on = go_on};
    if (auto found = certify(problem, report.point, value, how)) {
      if (!report.upper_bound || found->upper_bound < *report.upper_bound) {
        report.upper_bound = found->upper_bound;
        proof = found->method;
      }
      report.point = std::move(found->point);
      value = fresh_value(problem, report.point, beta);
    } else if (options.certify) {
      result.notes.push_back("no certificate beyond that of the passes is known for this family");
    }
  }
  if (elbo_upper && (!report.upper_bound || *elbo_upper < *report.upper_bound)) {
    report.upper_bound = elbo_upper;
    proof = "an upper bound of log Z";
  }

  result.command = "infer";
  result.model_kind = problem.kind;
  result.items = problem.items;
  result.objective = "elbo";
  result.algorithm = options.algorithm;
  result.status = report.status;
  result.elbo = value;
  if (!std::isfinite(value) || (value < running && !agree(value, running))) {
    result.status = Status::kFailed;
    result.notes.push_back(message("the running value ", running, " is not the value ", value,
                                   " recomputed at the point returned"));
  }
  if (result.status != Status::kFailed) {
    result.upper_bound = report.upper_bound;
    if (result.upper_bound) *result.upper_bound = std::max(*result.upper_bound, value);
    if (!estimated) result.log_z_lower = value - rounding_of_value(problem, beta);
    result.log_z_upper = log_z_upper;
    if (estimated && result.log_z_upper)
      result.log_z_lower = result.log_z_upper;  // exact: a determinant
    result.log_z_exact = result.log_z_lower && result.log_z_lower == result.log_z_upper;
  }
  result.certified_global = result.upper_bound && agree(value, *result.upper_bound);
  result.marginals = in_user_variables(problem, std::move(report.point));
  result.trace = std::move(report.trace);
  result.guarantee = guarantee_of(problem, algorithm, estimated, proof);
  if (const auto flipped = std::count(problem.flips.begin(), problem.flips.end(), 1); flipped > 0)
    result.notes.push_back(
        message(flipped, " of ", problem.size(),
                " variables were flipped to make the model log-submodular, and flipped back"));
  if (estimated)
    result.notes.push_back("the elbo is an estimate by sampling, not a lower bound of log Z");
  result.seed = options.seed;
  result.threads = options.threads;
  result.inverse_temperature = beta;
  result.seconds = watch.seconds();
  return result;
}

}  // namespace surefield
