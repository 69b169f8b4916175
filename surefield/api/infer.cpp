#include "surefield/api/infer.hpp"

#include <algorithm>
#include <cmath>

#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/certify.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/run_algorithm.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/claim.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/parallel.hpp"
#include "surefield/core/stopwatch.hpp"
#include "surefield/objectives/elbo.hpp"
#include "surefield/objectives/elbo_error.hpp"

namespace surefield {
namespace {

constexpr Index kQuickProof = 2000;   // items; beyond, a proof costs far more than an answer
constexpr double kSaysNothing = 0.2;  // an interval of a probability, on average

bool agree(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(a)); }

/// One run of inference: what is claimed about the best ELBO and about log Z, end by end.
class Inference {
 public:
  Inference(const Problem& problem, const InferOptions& options)
      : problem_(problem),
        options_(options),
        algorithm_(algorithm_named(options.algorithm)),
        facts_(problem.model.facts().times(options.inverse_temperature)) {
    require_valid(options);
  }

  Result operator()() {
    try {
      run();
      prove();
      bound_log_z();
      conclude();
    } catch (const Contradiction& contradiction) {
      fail(contradiction.what());
    }
    describe();
    return std::move(result_);
  }

 private:
  double beta() const { return options_.inverse_temperature; }

  Observer observer() const {
    if (!options_.trace && !options_.observer) return {};
    return [this](TracePoint& now) {
      now.seconds = watch_.seconds();
      return !options_.observer || options_.observer(now);
    };
  }

  void run() {
    const Observer watch = observer();
    with_threads(options_.budget.threads(),
                 [&] { report_ = run_algorithm(problem_, options_, algorithm_, watch); });
    settle(report_.point);
    const double running = report_.value;
    // Both may be off by what the facts say: where numbers cancel, that is all there is of them.
    const double rounding = 2 * elbo_error(facts_, problem_.size(), value_);
    if (!std::isfinite(value_) ||
        (value_ < running && !agree(value_, running) && !(running - value_ <= rounding)))
      throw Contradiction(message("the running value ", running, " is not the value ", value_,
                                  " recomputed at the point returned; nothing is certified"));
    if (problem_.is_submodular() && !facts_.estimated && report_.upper_bound)
      best_.at_most({*report_.upper_bound,
                     algorithm_.id == Algorithm::kBest ? "passes of double greedy"
                                                       : std::string(algorithm_.name),
                     facts_.basis()});
    tell();
  }

  void tell() const {
    if (!options_.watcher || !best_.low()) return;
    BoundsNow now{.low = best_.low()->value, .by = algorithm_.name};
    if (best_.high()) now.high = best_.high()->value, now.by = best_.high()->method;
    options_.watcher(now);
  }

  /// The point returned, with its value from a state made afresh.
  void settle(std::vector<double> point) {
    value_ = Elbo(problem_.model.at(point), beta()).value();
    report_.point = std::move(point);
    if (facts_.estimated || !std::isfinite(value_)) return;
    lower_ = value_ - elbo_error(facts_, problem_.size(), value_);
    best_.at_least({lower_, "the point returned", facts_.value_basis()});
  }

  bool is_best() const {
    return options_.quick_proof && algorithm_.id == Algorithm::kBest &&
           report_.status != Status::kInterrupted;
  }

  /// No ELBO is above log Z: its quick upper bound, over all sets that points of the box can draw, so
  /// that an item bounded to a part of [0, 1] counts as free.
  void bound_by_log_z(bool wanted) {
    if (!wanted || options_.budget.spent()) return;
    Problem whole = problem_;
    bool sets = true;
    for (Index i = 0; i < whole.box.size(); ++i)
      if (!is_of_sets(whole.box[i])) whole.box.low[i] = 0, whole.box.high[i] = 1, sets = false;
    const bool marginals = sets && is_best() && problem_.size() <= kQuickProof;
    log_z_ = log_z(whole, {.goal = LogZGoal::kQuick,
                           .inverse_temperature = beta(),
                           .marginals = marginals,
                           .budget = options_.budget})
                 .sound();
    log_z_is_of_box_ = sets;
    if (marginals) keep_marginals();
    if (log_z_.upper && !facts_.estimated)
      best_.at_most({*log_z_.upper, "an upper bound of log Z", log_z_.basis});
    tell();
  }

  /// Those of p(S) itself, beside those of mean field; intervals that say next to nothing are left out.
  void keep_marginals() {
    double width = 0;
    for (const Interval& in : log_z_.marginals) width += in.width();
    ItemIntervals& kept = result_.set_marginals.emplace();
    if (log_z_.marginals.empty() || width > kSaysNothing * static_cast<double>(problem_.size()))
      return;
    kept = {.in = std::move(log_z_.marginals),
            .exact = log_z_.marginals_exact,
            .method = log_z_.marginals_method,
            .basis = log_z_.basis};
  }

  void prove() {
    const bool best = is_best();
    const bool small = problem_.size() <= kQuickProof;
    const bool quick = best && !options_.certify && small;
    bound_by_log_z(best || (options_.certify && !facts_.estimated));
    if (facts_.estimated || !(options_.certify || quick) || closed()) return;
    CertifyOptions how{.inverse_temperature = beta(),
                       .wanted_gap = options_.wanted_gap,
                       .effort = quick ? 1 : options_.effort,
                       .budget = options_.budget,
                       .helpers = options_.helpers,
                       .watcher = certificate_watcher()};
    if (log_z_.upper) how.known_bound = *log_z_.upper, how.known_basis = log_z_.basis;
    if (options_.certify) how.budget = options_.budget.within(*options_.certify);
    auto found = certify(problem_, report_.point, value_, how);
    if (!found) {
      if (options_.certify)
        result_.notes.push_back(
            "no certificate beyond that of the passes is known for this family");
      return;
    }
    best_.at_most(found->bound);
    settle(std::move(found->point));
    tell();
  }

  /// The bound of a pass may still be the better one.
  BoundsWatcher certificate_watcher() const {
    if (!options_.watcher) return {};
    return [this](const BoundsNow& now) {
      BoundsNow both = now;
      if (both.low) *both.low -= elbo_error(facts_, problem_.size(), *both.low);
      Claim above("the best ELBO");
      if (best_.high()) above.at_most(*best_.high());
      if (now.high) above.at_most({*now.high, std::string(now.by)});
      if (now.high && above.high()) both.high = above.high()->value;
      options_.watcher(both);
    };
  }

  /// The pass or log Z has closed the gap already: there is nothing left to prove.
  bool closed() const { return best_.high() && best_.high()->value - value_ <= slack(); }
  double slack() const { return options_.wanted_gap * std::max(1.0, std::abs(value_)); }

  void bound_log_z() {
    Claim claim("log Z");
    if (!facts_.estimated) claim.at_least({lower_, "mean field", facts_.value_basis()});
    if (log_z_is_of_box_) {
      if (log_z_.lower) claim.at_least({*log_z_.lower, log_z_.lower_method, log_z_.basis});
      if (log_z_.upper) claim.at_most({*log_z_.upper, log_z_.upper_method, log_z_.basis});
      result_.log_z_exact = log_z_.exact;
    }
    if (claim.low()) result_.log_z_lower = claim.low()->value;
    if (claim.high()) result_.log_z_upper = claim.high()->value;
    result_.log_z_method = claim.method();
    result_.basis = std::max(best_.basis(), claim.basis());
  }

  void conclude() {
    result_.status = report_.status;
    if (!facts_.estimated) result_.elbo_lower = lower_;
    if (best_.high()) {
      result_.upper_bound = best_.high()->value;
      result_.upper_bound_method = best_.high()->method;
    }
    result_.certified_global = result_.upper_bound && agree(value_, *result_.upper_bound);
    if (options_.certify && !closed()) {
      if (result_.status != Status::kInterrupted) result_.status = Status::kShort;
      result_.notes.push_back(
          message("the gap asked for, ", options_.wanted_gap, " relative, was not reached"));
    }
  }

  void fail(const std::string& reason) {
    result_.status = Status::kFailed;
    result_.upper_bound.reset();
    result_.log_z_lower.reset();
    result_.log_z_upper.reset();
    result_.set_marginals.reset();
    result_.log_z_exact = result_.certified_global = false;
    result_.notes.push_back(reason);
  }

  void describe() {
    result_.command = "infer";
    result_.model_kind = problem_.kind;
    result_.items = problem_.items;
    result_.size = problem_.size();
    result_.objective = "elbo";
    result_.algorithm = options_.algorithm;
    result_.elbo = value_;
    if (result_.status == Status::kFailed) {
      result_.guarantee = "none: the run failed";
    } else {
      result_.guarantee =
          guarantee_of(problem_.model.facts(), problem_.violation, options_, report_.status);
      if (result_.upper_bound)
        result_.guarantee += "; the upper bound is " + std::string(text_of(best_.basis())) +
                             " by " + result_.upper_bound_method;
    }
    result_.marginals = in_user_variables(problem_, std::move(report_.point));
    result_.trace = std::move(report_.trace);
    if (const auto flipped = std::count(problem_.flips.begin(), problem_.flips.end(), 1);
        flipped > 0)
      result_.notes.push_back(
          message(flipped, " of ", problem_.size(),
                  " variables were flipped to make the model log-submodular, and flipped back"));
    if (facts_.estimated)
      result_.notes.push_back("the elbo is an estimate by sampling, not a lower bound of log Z");
    result_.seed = options_.seed;
    result_.threads = options_.budget.threads();
    result_.inverse_temperature = beta();
    result_.seconds = watch_.seconds();
  }

  const Problem& problem_;
  const InferOptions& options_;
  const AlgorithmRow& algorithm_;
  Facts facts_;  // of beta F
  Stopwatch watch_;
  Report report_;
  double value_ = 0;           // of the point, as computed
  double lower_ = -kInfinity;  // the same less its rounding
  Claim best_{"the best ELBO"};
  LogZResult log_z_;
  bool log_z_is_of_box_ = false;
  Result result_;
};

}  // namespace

void require_valid(const InferOptions& options) {
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "elbo: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(std::isfinite(options.tolerance) && options.tolerance >= 0, "tolerance: it is ",
          options.tolerance, ", which must be finite and >= 0");
  require(options.certify.value_or(0) >= 0, "certify: it is ", options.certify.value_or(0),
          ", which must be >= 0");
  require(options.wanted_gap >= 0, "gap: it is ", options.wanted_gap, ", which must be >= 0");
  require(options.epsilon.value_or(1) > 0, "epsilon: it is ", options.epsilon.value_or(1),
          ", which must be > 0");
}

std::string guarantee_of(const Facts& facts, const std::string& violation,
                         const InferOptions& options, Status status) {
  if (!violation.empty()) return "none: the model is not submodular: " + violation;
  if (facts.estimated) return "none: the objective is an estimate by sampling";
  if (status == Status::kInterrupted) return "none: the run was interrupted before its end";
  if (options.multilinear_direction)
    return "none: the direction leaves out the entropy, as the paper's released code does";
  std::string text(algorithm_named(options.algorithm).guarantee);
  if (options.epsilon) text += message(", up to the tolerance ", *options.epsilon, " of its lines");
  if (facts.submodularity == Submodularity::kAssumed)
    text += "; if F is submodular, which is assumed and not proved";
  return text;
}

Result infer(const Problem& problem, const InferOptions& options) {
  return Inference(problem, options)();
}

}  // namespace surefield
