#include "surefield/api/log_z.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>
#include <utility>

#include "surefield/api/infer.hpp"
#include "surefield/api/log_z_checks.hpp"
#include "surefield/api/log_z_record.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/models/at_inverse_temperature.hpp"
#include "surefield/bounds/log_z/sampling/annealed_importance.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/log_z/hoelder/conditioned.hpp"
#include "surefield/bounds/log_z/exact/dpp.hpp"
#include "surefield/bounds/log_z/exact/elimination.hpp"
#include "surefield/bounds/log_z/exact/enumeration.hpp"
#include "surefield/bounds/log_z/exact/flid_exact.hpp"
#include "surefield/bounds/log_z/supergradient/fractional_supergradient.hpp"
#include "surefield/bounds/log_z/hoelder/hoelder.hpp"
#include "surefield/bounds/log_z/supergradient/supergradients.hpp"

namespace surefield {
namespace {

constexpr Index kQuadratic = 400;     // items: methods of n^2 gains or more
constexpr Index kDearGains = 60;      // items: the same, where a gain is a call or a factorisation
constexpr Index kSplittable = 20000;  // items: elimination, branch and bound
constexpr double kCaseWork = 1e7;     // exponentials of all cases of Hoelder's bound: 1 s
constexpr Index kQuickUpper = 2000;   // items: Hoelder's bound for infer

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
      : model_(model),
        problem_(problem),
        options_(options),
        free_(free_count(problem.box)),
        record_(options.go_on) {}

  LogZResult operator()() {
    exact();
    if (options_.stop_at_exact && record_.result().exact) return std::move(record_.result());
    below();
    above();
    between();
    if (options_.estimates)
      record_.attempt("annealed importance sampling", [&] {
        const auto estimate =
            annealed_importance(model_, &problem_.box,
                                {.beta = beta(), .steps = 300, .runs = 20, .seed = options_.seed});
        record_.add(Side::kEstimate, estimate.log_z, estimate.standard_error);
      });
    return std::move(record_.result());
  }

 private:
  double beta() const { return options_.inverse_temperature; }

  void require_few(std::string_view method, Index limit) const {
    require(free_ <= limit, method, ": there are ", free_, " free items, more than the limit of ",
            limit);
  }

  /// An exact method's answer, whichever of them it is.
  template <class Answer>
  void add_exact(const Answer& found) {
    record_.add(Side::kExact, found.log_z);
    if (options_.marginals) record_.add_marginals(found.marginals);
  }

  void exact() {
    if constexpr (std::is_same_v<M, LogDet>)
      record_.attempt("determinant", [&] { add_exact(exact_dpp(model_, problem_.box, beta())); });
    if constexpr (std::is_same_v<M, Flid> || std::is_same_v<M, FacilityLocation>)
      record_.attempt("best items", [&] {
        add_exact(flid_exact(model_, &problem_.box,
                             {.beta = beta(),
                              .limit = 2e7,
                              .marginals = options_.marginals,
                              .threads = options_.threads}));
      });
    if constexpr (std::is_same_v<M, PairwiseField> || std::is_same_v<M, GibbsField>)
      eliminated(model_);
    if constexpr (std::is_same_v<M, GraphCut>) eliminated(model_.field);
    record_.attempt("enumeration", [&] {
      require_few("enumeration", options_.enumerable);
      add_exact(enumerate_log_z(
          model_, &problem_.box,
          {.beta = beta(), .marginals = options_.marginals, .threads = options_.threads}));
    });
  }

  template <class Field>
  void eliminated(const Field& field) {
    record_.attempt("elimination", [&] {
      require(field.size() <= kSplittable, "elimination: there are ", field.size(),
              " items, more than the limit of ", kSplittable);
      add_exact(eliminate(at_inverse_temperature(field, beta()), &problem_.box,
                          {.limit = 22, .marginals = options_.marginals}));
    });
  }

  void below() {
    if (is_estimated(problem_.model)) {
      record_.result().refused.emplace_back("mean field",
                                            "mean field: the objective is an estimate by sampling");
      return;
    }
    record_.attempt("mean field", [&] {
      const Result found = infer(problem_, {.inverse_temperature = beta(), .quick_proof = false});
      require(found.log_z_lower.has_value(), "mean field: it failed");
      mean_field_ = in_user_variables(problem_, found.marginals);  // back in those of the model
      record_.add(Side::kLower, *found.log_z_lower);
    });
    record_.attempt("conditioned mean field", [&] {
      require_few("conditioned mean field", kQuadratic);
      record_.add(
          Side::kLower,
          conditioned_lower_bound(model_, &problem_.box, cases(options_.conditioned)).bound);
    });
  }

  ConditionedOptions cases(Index items) const {
    ConditionedOptions how;
    how.beta = beta();
    how.items = items;
    how.threads = options_.threads;
    how.start = mean_field_;
    return how;
  }

  void above() {
    HoelderBound whole;
    const bool split = record_.attempt("hoelder", [&] {
      whole = hoelder_bound(model_, &problem_.box, {.beta = beta()});
      record_.add(Side::kUpper, whole.log_z_upper);
    });
    if (split && !whole.exact && options_.conditioned > 0)
      record_.attempt("conditioned hoelder", [&] {
        require_few("conditioned hoelder", kQuadratic);
        const Index items = affordable_cases(whole);
        require(items > 0,
                "conditioned hoelder: one bound of this model costs so much that not "
                "even two cases are affordable");
        record_.add(Side::kUpper,
                    conditioned_upper_bound(model_, &problem_.box, cases(items)).bound);
      });
    for (const auto& [name, kind] : {std::pair{"supergradient, bar", Supergradient::kBar},
                                     std::pair{"supergradient, grow", Supergradient::kGrow},
                                     std::pair{"supergradient, shrink", Supergradient::kShrink}})
      record_.attempt(name, [&] {
        require_few(name, kind != Supergradient::kBar && is_estimated(problem_.model) ? kDearGains
                                                                                      : kQuadratic);
        const Supergradients bounds(model_, &problem_.box, beta());
        record_.add(Side::kUpper, kind == Supergradient::kBar ? bounds.bar().log_z_upper
                                                              : bounds.search(kind).log_z_upper);
      });
    record_.attempt("fractional supergradient", [&] {
      require_few("fractional supergradient", kQuadratic);
      record_.add(Side::kUpper,
                  fractional_bound(model_, &problem_.box, {.beta = beta()}).log_z_upper);
    });
  }

  /// As many items as asked for, or as few as keep all cases together within a second or two.
  /// Counted in work, not in seconds, so that the answer is the same on every machine.
  Index affordable_cases(const HoelderBound& whole) const {
    constexpr bool kTables = std::is_same_v<M, PairwiseField> || std::is_same_v<M, GraphCut> ||
                             std::is_same_v<M, GibbsField> || std::is_same_v<M, WeightedSum>;
    const double one =
        static_cast<double>(whole.evaluations * free_ * whole.weights.size()) * (kTables ? 8 : 1);
    Index items = options_.conditioned;
    while (items > 0 && std::ldexp(one, static_cast<int>(items)) > kCaseWork) --items;
    return items;
  }

  void between() {
    record_.attempt("branch and bound", [&] {
      require_few("branch and bound", kSplittable);
      const auto start = Clock::now();
      CertifiedLogZOptions how{
          .beta = beta(), .width = options_.width, .threads = options_.threads};
      how.marginals = options_.marginals && !record_.result().marginals_exact;
      how.observer = [&](const CertifiedLogZProgress&) {
        return record_.go_on() &&
               std::chrono::duration<double>(Clock::now() - start).count() < options_.seconds;
      };
      auto found = branch_and_bound_log_z(model_, &problem_.box, how);
      record_.add(Side::kLower, found.log_z.low);
      record_.add(Side::kUpper, found.log_z.high);
      if (how.marginals) record_.add_marginals(std::move(found.marginals));
    });
  }

  const M& model_;
  const Problem& problem_;
  const LogZOptions& options_;
  Index free_;
  LogZRecord record_;
  std::vector<double> mean_field_;  // empty until found
};

/// Marginals of the user's variables: a flipped one is in where the model's is out.
void unflip(std::vector<Interval>& marginals, const std::vector<std::uint8_t>& flips) {
  if (marginals.empty()) return;
  for (Index i = 0; i < flips.size(); ++i)
    if (flips[i]) marginals[i] = {1 - marginals[i].high, 1 - marginals[i].low};
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

void require_valid(const LogZOptions& options) {
  require_temperature_of_log_z(options.inverse_temperature);
  require_width_of_log_z(options.width);
  require(options.enumerable <= 30, "log Z: the limit of enumeration is ", options.enumerable,
          " free items, which must be at most 30");
}

}  // namespace

LogZResult log_z(const FactorGraph& tables, const Box& box, const LogZOptions& options) {
  const auto start = Clock::now();
  require_sets_of_log_z(box);
  require_valid(options);
  LogZRecord record(options.go_on);
  record.attempt("elimination", [&] {
    FactorGraph scaled = tables;
    for (Factor& factor : scaled.factors)
      for (double& entry : factor.log_table) entry *= options.inverse_temperature;
    const auto found = eliminate(scaled, &box, {.limit = 22, .marginals = options.marginals});
    require(std::isfinite(found.log_z), "elimination: every set has probability 0, so log Z is ",
            found.log_z);
    record.add(Side::kExact, found.log_z);
    if (options.marginals) record.add_marginals(found.marginals);
  });
  LogZResult result = std::move(record.result());
  result.model_kind = "factor graph with zeros";
  result.items = tables.variables;
  result.marginals_wanted = options.marginals;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

LogZResult log_z(const Problem& problem, const LogZOptions& options) {
  const auto start = Clock::now();
  require_sets_of_log_z(problem.box);
  require_valid(options);
  LogZResult result = std::visit(
      [&](const auto& model) { return Methods(model, problem, options)(); }, problem.model);
  result.model_kind = problem.kind;
  result.items = problem.size();
  result.names = problem.items;
  result.marginals_wanted = options.marginals;
  unflip(result.marginals, problem.flips);
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
