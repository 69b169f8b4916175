#include "surefield/api/log_z.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>

#include "surefield/api/infer.hpp"
#include "surefield/core/error.hpp"
#include "surefield/partition/annealed_importance.hpp"
#include "surefield/partition/branch_and_bound_log_z.hpp"
#include "surefield/partition/conditioned.hpp"
#include "surefield/partition/dpp.hpp"
#include "surefield/partition/elimination.hpp"
#include "surefield/partition/enumeration.hpp"
#include "surefield/partition/flid_exact.hpp"
#include "surefield/partition/fractional_supergradient.hpp"
#include "surefield/partition/hoelder.hpp"
#include "surefield/partition/supergradients.hpp"

namespace surefield {
namespace {

constexpr Index kEnumerable = 24;    // free items: seconds
constexpr Index kQuadratic = 400;    // items: methods of n^2 gains or more
constexpr Index kQuickUpper = 2000;  // items: Hoelder's bound for infer

using Clock = std::chrono::steady_clock;

Index free_count(const Box& box) {
  Index count = 0;
  for (Index i = 0; i < box.size(); ++i) count += !box[i].is_point();
  return count;
}

template <class M>
class Methods {
 public:
  Methods(const M& model, const Problem& problem, const LogZOptions& options)
      : model_(model), problem_(problem), options_(options), free_(free_count(problem.box)) {}

  LogZResult operator()() {
    exact();
    below();
    above();
    between();
    if (options_.estimates && go_on())
      attempt("annealed importance sampling", [&] {
        const auto estimate =
            annealed_importance(model_, &problem_.box,
                                {.beta = beta(), .steps = 300, .runs = 20, .seed = options_.seed});
        add("annealed importance sampling", Side::kEstimate, estimate.log_z);
        result_.values.back().standard_error = estimate.standard_error;
      });
    return std::move(result_);
  }

 private:
  double beta() const { return options_.inverse_temperature; }
  bool go_on() const { return !options_.go_on || options_.go_on(); }

  /// Runs one method and times it; a refusal is noted, not passed on.
  template <class Action>
  void attempt(const std::string& method, Action&& action) {
    if (!go_on()) return;
    started_ = Clock::now();
    try {
      action();
    } catch (const Error& error) {
      result_.refused.emplace_back(method, error.what());
    }
  }

  void add(const std::string& method, Side side, double value) {
    if (!std::isfinite(value)) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    result_.values.push_back({.method = method, .side = side, .value = value, .seconds = seconds});
    if (side == Side::kExact) result_.exact = true;
    if (side == Side::kLower || side == Side::kExact)
      result_.lower = std::max(result_.lower.value_or(value), value);
    if (side == Side::kUpper || side == Side::kExact)
      result_.upper = std::min(result_.upper.value_or(value), value);
  }

  void exact() {
    if constexpr (std::is_same_v<M, LogDet>)
      attempt("determinant", [&] {
        add("determinant", Side::kExact, exact_dpp(model_, problem_.box, beta()).log_z);
      });
    if constexpr (std::is_same_v<M, Flid> || std::is_same_v<M, FacilityLocation>)
      attempt("best items", [&] {
        const auto found = flid_exact(
            model_, &problem_.box,
            {.beta = beta(), .limit = 2e7, .marginals = false, .threads = options_.threads});
        add("best items", Side::kExact, found.log_z);
      });
    if constexpr (std::is_same_v<M, PairwiseField> || std::is_same_v<M, GibbsField>)
      eliminated(model_);
    if constexpr (std::is_same_v<M, GraphCut>) eliminated(model_.field);
    attempt("enumeration", [&] {
      require(free_ <= kEnumerable, "enumeration: there are ", free_,
              " free items, more than the limit of ", kEnumerable);
      add("enumeration", Side::kExact,
          enumerate_log_z(model_, &problem_.box,
                          {.beta = beta(), .marginals = false, .threads = options_.threads})
              .log_z);
    });
  }

  template <class Field>
  void eliminated(Field field) {
    attempt("elimination", [&] {
      require(field.size() <= 20000, "elimination: there are ", field.size(),
              " items, more than the limit of 20000");
      scale(field);
      add("elimination", Side::kExact,
          eliminate(field, &problem_.box, {.limit = 22, .marginals = false}).log_z);
    });
  }

  void scale(PairwiseField& field) const {
    field.constant *= beta();
    for (double& bias : field.bias) bias *= beta();
    for (double& coupling : field.coupling) coupling *= beta();
  }
  void scale(GibbsField& field) const {
    field.constant *= beta();
    for (double& bias : field.bias) bias *= beta();
    for (double& coefficient : field.coefficient) coefficient *= beta();
  }

  void below() {
    if (is_estimated(problem_.model)) {
      result_.refused.emplace_back("mean field",
                                   "mean field: the objective is an estimate by sampling");
      return;
    }
    attempt("mean field", [&] {
      const Result found = infer(problem_, {.inverse_temperature = beta(), .quick_proof = false});
      require(found.log_z_lower.has_value(), "mean field: it failed");
      add("mean field", Side::kLower, *found.log_z_lower);
    });
    attempt("conditioned mean field", [&] {
      require(free_ <= kQuadratic, "conditioned mean field: there are ", free_,
              " free items, more than the limit of ", kQuadratic);
      add("conditioned mean field", Side::kLower,
          conditioned_lower_bound(model_, &problem_.box, conditioned()).bound);
    });
  }

  ConditionedOptions conditioned() const {
    ConditionedOptions how;
    how.beta = beta();
    how.items = options_.conditioned;
    how.threads = options_.threads;
    return how;
  }

  void above() {
    attempt("hoelder", [&] {
      add("hoelder", Side::kUpper,
          hoelder_bound(model_, &problem_.box, {.beta = beta()}).log_z_upper);
    });
    attempt("supergradient, bar", [&] {
      require(free_ <= kQuadratic, "supergradient: there are ", free_,
              " free items, more than the limit of ", kQuadratic);
      const Supergradients bounds(model_, &problem_.box, beta());
      add("supergradient, bar", Side::kUpper, bounds.bar().log_z_upper);
    });
    attempt("fractional supergradient", [&] {
      require(free_ <= kQuadratic, "fractional supergradient: there are ", free_,
              " free items, more than the limit of ", kQuadratic);
      add("fractional supergradient", Side::kUpper,
          fractional_bound(model_, &problem_.box, {.beta = beta()}).log_z_upper);
    });
  }

  void between() {
    attempt("branch and bound", [&] {
      require(free_ <= 20000, "branch and bound: there are ", free_,
              " free items, more than the limit of 20000");
      const auto start = Clock::now();
      CertifiedLogZOptions how{
          .beta = beta(), .width = options_.width, .threads = options_.threads};
      how.observer = [&](const CertifiedLogZProgress&) {
        return go_on() &&
               std::chrono::duration<double>(Clock::now() - start).count() < options_.seconds;
      };
      const auto found = branch_and_bound_log_z(model_, &problem_.box, how);
      add("branch and bound", Side::kLower, found.log_z.low);
      add("branch and bound", Side::kUpper, found.log_z.high);
    });
  }

  const M& model_;
  const Problem& problem_;
  const LogZOptions& options_;
  Index free_;
  LogZResult result_;
  Clock::time_point started_;
};

/// In, out or free.
bool is_of_sets(Interval in) {
  return in == Interval{0, 1} || in == Interval{0, 0} || in == Interval{1, 1};
}

bool is_of_sets(const Box& box) {
  for (Index i = 0; i < box.size(); ++i)
    if (!is_of_sets(box[i])) return false;
  return true;
}

void require_sets(const Box& box) {
  for (Index i = 0; i < box.size(); ++i)
    require(is_of_sets(box[i]), "log Z: item ", i, " is bounded to [", box.low[i], ", ",
            box.high[i], "]; only in, out or free has a meaning for sets");
}

/// log Z over the sets of `box`, from above.
std::optional<double> quick_upper(const Problem& problem, const Box& box, double beta) {
  if (problem.size() > kQuickUpper) return std::nullopt;
  try {
    if (const auto* dpp = std::get_if<LogDet>(&problem.model))
      return exact_dpp(*dpp, box, beta).log_z;
    const double bound = std::visit(
        [&](const auto& model) {
          return hoelder_bound(model, &box, {.beta = beta, .iterations = 60, .width = 4})
              .log_z_upper;
        },
        problem.model);
    return std::isfinite(bound) ? std::optional(bound) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // no such bound for this model, box or temperature
  }
}

}  // namespace

LogZResult log_z(const Problem& problem, const LogZOptions& options) {
  const auto start = Clock::now();
  require_sets(problem.box);
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "log Z: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(options.width > 0, "log Z: the width is ", options.width, ", which must be > 0");
  LogZResult result = std::visit(
      [&](const auto& model) { return Methods(model, problem, options)(); }, problem.model);
  result.model_kind = problem.kind;
  result.items = problem.size();
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

std::optional<double> quick_log_z_upper(const Problem& problem, double inverse_temperature) {
  if (!is_of_sets(problem.box)) return std::nullopt;
  return quick_upper(problem, problem.box, inverse_temperature);
}

std::optional<double> quick_elbo_upper(const Problem& problem, double inverse_temperature) {
  Box box = problem.box;
  for (Index i = 0; i < box.size(); ++i)
    if (!is_of_sets(box[i])) box.low[i] = 0, box.high[i] = 1;
  return quick_upper(problem, box, inverse_temperature);
}

}  // namespace surefield
