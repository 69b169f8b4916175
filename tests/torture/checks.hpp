// All that is asked of one problem, and held to the truth: log Z by every goal, inference by every
// algorithm, best sets, bounds of fields one by one, agreement of pairs, samples, held-out likelihood. Also problems too large for the truth,
// where every interval is held to every other.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "surefield/api/agree.hpp"
#include "surefield/api/algorithm_table.hpp"
#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/api/sample.hpp"
#include "surefield/bounds/elbo/difference_boxes.hpp"
#include "surefield/bounds/elbo/pass_rounding.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/spectral/cover_boxes.hpp"
#include "surefield/core/box_of_sets.hpp"
#include "surefield/core/error.hpp"
#include "surefield/learn/held_out.hpp"
#include "surefield/objectives/elbo_error.hpp"
#include "tests/torture/asking.hpp"
#include "tests/torture/best_set_checks.hpp"
#include "tests/torture/problems.hpp"
#include "tests/torture/tally.hpp"
#include "tests/torture/truth.hpp"

namespace surefield::torture {

class Checks : private BestSetChecks {
 public:
  Checks(const TortureProblem& problem, Tally& tally) : BestSetChecks(problem, tally) {}

  /// A few of all checks, so that many problems are seen; over many problems, all of them.
  void small() {
    truth_.emplace(given_.model);
    const Facts& facts = given_.model.facts();
    if (facts.submodularity == Submodularity::kProved && !truth_->submodular)
      wrong("the model is held to be submodular, but is not");
    assumption_fails_ = facts.submodularity == Submodularity::kAssumed && !truth_->submodular;
    const auto problem = ready(given_.model, given_.sets);
    if (!problem) return;
    const TrueLogZ log_z(*truth_, given_.sets, given_.beta);
    check_log_z(*problem, log_z, random_log_z_options());
    if (random_.chance(0.5)) check_log_z(*problem, log_z, random_log_z_options());
    check_infer(*problem, given_.sets, random_.chance(0.5));
    if (random_.chance(0.7))
      if (const auto inner = ready(given_.model, given_.inner))
        check_infer(*inner, given_.inner, random_.chance(0.5));
    if (random_.chance(0.3)) check_boxes(*problem, given_.sets);
    if (random_.chance(0.2)) check_sets(*problem, random_.chance(0.5) ? given_.inner : given_.sets);
    check_field(*problem);
    if (random_.chance(0.25)) check_best_set(*problem);
    if (random_.chance(0.15)) check_agree(*problem);
    if (random_.chance(0.05)) check_sample(*problem);
    if (random_.chance(0.3)) check_held_out();
  }

  void large() {
    const auto problem = ready(given_.model, given_.sets);
    if (!problem) return;
    double low = -kInfinity, high = kInfinity;
    const auto meet = [&](const std::optional<double>& lower, const std::optional<double>& upper,
                          std::string_view what) {
      if (lower) low = std::max(low, *lower), ++tally_.bounds;
      if (upper) high = std::min(high, *upper), ++tally_.bounds;
      if (low > high) wrong(message(what, ": intervals exclude each other, ", low, " > ", high));
    };
    for (const LogZGoal goal :
         {LogZGoal::kAll, LogZGoal::kWidth, LogZGoal::kExact, LogZGoal::kQuick}) {
      LogZOptions how{.goal = goal, .inverse_temperature = given_.beta};
      how.estimates = false;
      how.exact = goal != LogZGoal::kWidth;
      how.marginals = random_.chance(0.5);
      const auto found = asked("log_z", [&](const Budget& budget) {
        how.budget = budget;
        return log_z(*problem, how);
      });
      if (!found) continue;
      if (!found->failure.empty()) wrong("log_z: " + found->failure);
      meet(found->lower, found->upper, "log_z");
    }
    const auto found = asked("infer", [&](const Budget& budget) {
      return infer(*problem, {.inverse_temperature = given_.beta, .budget = budget});
    });
    if (!found) return;
    if (found->status == Status::kFailed && !beyond(*problem)) wrong("infer: " + notes_of(*found));
    meet(found->log_z_lower, found->log_z_upper, "infer");
    if (found->status != Status::kFailed && !given_.model.facts().estimated)
      meet(found->log_z_lower, found->upper_bound ? std::nullopt : found->log_z_upper, "infer");
  }

 private:
  LogZOptions random_log_z_options() {
    constexpr std::array kGoals{LogZGoal::kAll, LogZGoal::kWidth, LogZGoal::kWidth,
                                LogZGoal::kExact, LogZGoal::kQuick};
    LogZOptions how{.goal = kGoals[random_.below(kGoals.size())],
                    .inverse_temperature = given_.beta};
    how.estimates = random_.chance(0.005);
    how.marginals = random_.chance(0.5);
    how.exact = random_.chance(0.5);
    how.compare = !random_.chance(0.2);
    how.conditioned = random_.below(4);
    how.width = random_.chance(0.5) ? 1e-3 : std::pow(10, random_.uniform(-9, 1));
    how.seed = random_.bits();
    return how;
  }

  static bool rests_on_submodularity(const std::string& method) {
    return method.find("supergradient") != std::string::npos || method == "branch and bound";
  }

  void check_log_z(const Problem& problem, const TrueLogZ& truth, LogZOptions how) {
    constexpr std::array<std::string_view, 4> kNames{"quick", "exact", "width", "all"};
    const std::string name = "log_z " + std::string(kNames[static_cast<std::size_t>(how.goal)]);
    const auto found = asked(name, [&](const Budget& budget) {
      how.budget = budget;
      return log_z(problem, how);
    });
    if (!found) return;
    if (!found->failure.empty()) {
      if (assumption_fails_)
        ++tally_.refuted;
      else
        wrong(name + " fails: " + found->failure);
    } else if (!found->is_bounded()) {
      ++tally_.nothing_claimed;
      const bool exact = how.exact || how.goal != LogZGoal::kWidth;
      const bool able = exact || (truth_->submodular && !problem.model.facts().estimated);
      if (!beyond(problem) && how.goal != LogZGoal::kQuick && !found->interrupted && able &&
          problem.is_submodular())
        wrong(name + " claims nothing, though no number is beyond a double");
    }
    const bool rests = found->basis == Basis::kAssumesSubmodular;
    if (found->lower) at_least(*found->lower, truth.log_z, truth.off, name + " lower", rests);
    if (found->upper) at_most(*found->upper, truth.log_z, truth.off, name + " upper", rests);
    for (const LogZValue& row : found->values) {
      const std::string what = name + ", " + row.method;
      const bool assumes = rests_on_submodularity(row.method);
      if (!std::isfinite(row.value) || std::isnan(row.error)) wrong(what + " is not finite");
      if (row.side == Side::kLower) at_least(row.value, truth.log_z, truth.off, what, assumes);
      if (row.side == Side::kUpper) at_most(row.value, truth.log_z, truth.off, what, assumes);
      if (row.side == Side::kExact) {
        if (!holds(std::abs(row.value - truth.log_z), row.error, truth.off))
          off_bound(what + ", error " + message(row.error), "is not", row.value, truth.log_z,
                    false);
        if (found->exact)
          tally_.widest = std::max(
              tally_.widest, row.error / std::max(1.0, std::abs(static_cast<double>(truth.log_z))));
      }
    }
    if (!std::isfinite(static_cast<double>(truth.marginal_off))) return;
    for (Index i = 0; i < found->marginals.size(); ++i) {
      const auto [low, high] = found->marginals[i];
      const std::string what = name + message(", marginal of item ", i, " by ") +
                               found->marginals_method + " in [" + message(low, ", ", high, "]");
      const bool assumes = rests_on_submodularity(found->marginals_method);
      at_least(low, truth.marginals[i], truth.marginal_off, what, assumes);
      at_most(high, truth.marginals[i], truth.marginal_off, what, assumes);
    }
  }

  void check_infer(const Problem& problem, const Box& box, bool best) {
    const auto table = algorithm_table();
    InferOptions how{
        .algorithm = best ? "best" : std::string(table[random_.below(table.size())].name),
        .inverse_temperature = given_.beta};
    how.seed = random_.bits();
    how.contract = random_.chance(0.2);
    how.polish = random_.chance(0.2);
    if (random_.chance(0.1)) how.certify = 0.05;
    constexpr std::array<std::string_view, 4> kStarts{"low", "high", "middle", "random"};
    how.start = kStarts[random_.below(kStarts.size())];
    const std::string name = "infer " + how.algorithm + (how.certify ? " certified" : "");
    const auto found = asked(name, [&](const Budget& budget) {
      how.budget = budget;
      return infer(problem, how);
    });
    if (!found) return;
    const bool estimated = problem.model.facts().estimated;
    const bool rests = found->basis == Basis::kAssumesSubmodular;
    if (found->status == Status::kFailed) {
      if (assumption_fails_)
        ++tally_.refuted;
      else if (beyond(problem))
        ++tally_.nothing_claimed;
      else
        wrong(name + ": " + notes_of(*found));
      return;
    }
    if (found->marginals.size() != problem.size()) return wrong(name + ": marginals are missing");
    for (Index i = 0; i < problem.size(); ++i)
      if (!(box[i].contains(found->marginals[i])))
        wrong(name + message(": marginal ", i, " is ", found->marginals[i], ", outside [",
                             box.low[i], ", ", box.high[i], "]"));
    Box whole = box;
    for (Index i = 0; i < whole.size(); ++i)
      if (!is_of_sets(whole[i])) whole.low[i] = 0, whole.high[i] = 1;
    const TrueLogZ log_z(*truth_, whole, given_.beta);
    if (found->log_z_lower)
      at_least(*found->log_z_lower, log_z.log_z, log_z.off, name + " log_z_lower", rests);
    if (found->log_z_upper && is_of_sets(box))
      at_most(*found->log_z_upper, log_z.log_z, log_z.off, name + " log_z_upper", rests);
    if (estimated) return;
    if (!std::isfinite(found->elbo)) wrong(name + ": the elbo is not finite");
    if (problem.flips.empty()) {
      const TrueElbo here = true_elbo(*truth_, given_.beta, found->marginals);
      const Facts facts = problem.model.facts().times(given_.beta);
      const double claimed = elbo_error(facts, problem.size(), found->elbo);
      if (!holds(std::abs(found->elbo - here.value), claimed, here.off))
        off_bound(name + " elbo, error " + message(claimed), "is not", found->elbo, here.value,
                  true);
    }
    if (!found->upper_bound) return;
    const TrueElbo best_known = best_known_elbo(*truth_, given_.beta, box, {found->marginals});
    at_most(*found->upper_bound, best_known.value, best_known.off,
            name + " upper bound by " + found->upper_bound_method, rests);
  }

  /// Quadratics above terms, which the front door keeps for many items, and boxes of a difference.
  void check_boxes(const Problem& problem, const Box& box) {
    if (!problem.flips.empty() || beyond(problem)) return;
    const auto parts = submodular_difference(problem.model);
    if (!parts) return;
    const Facts facts = facts_with_parts(problem.model, *parts, given_.beta);
    if (facts.estimated || !std::isfinite(facts.value_error)) return;
    BranchAndBoundOptions how{.relative_gap = 1e-3, .nodes = 1 + random_.below(20)};
    how.rounding = pass_rounding(facts, problem.size(), 0);
    const auto check = [&](const char* name, double bound, double value,
                           const std::vector<double>& point) {
      const TrueElbo best_known = best_known_elbo(*truth_, given_.beta, box, {point});
      at_most(bound + pass_rounding(facts, problem.size(), value).value, best_known.value,
              best_known.off, name, facts.basis() == Basis::kAssumesSubmodular);
    };
    const auto terms = cover_terms(problem.model, given_.beta);
    if (terms && !terms->concepts.empty()) {
      const auto found = asked("cover boxes", [&](const Budget& budget) {
        return cover_boxes(problem.model, *terms, given_.beta, box, box.low,
                           {.relative_gap = 1e-3, .nodes = how.nodes, .budget = budget},
                           facts.gain_error);
      });
      if (found) check("cover boxes", found->bound, found->value, found->point);
    }
    if (!parts->taken) return;
    const auto found = asked("difference boxes", [&](const Budget& budget) {
      how.budget = budget;
      return difference_boxes(problem.model, *parts, given_.beta, box, box.low, how).report;
    });
    if (found) check("difference boxes", *found->upper_bound, found->value, found->point);
  }

  /// log Z over sets above the best ELBO, as certificates of coverage take it for many items.
  void check_sets(const Problem& problem, const Box& box) {
    const Facts facts = problem.model.facts().times(given_.beta);
    if (!facts.is_submodular() || facts.estimated || !problem.flips.empty() || beyond(problem))
      return;
    Box sets = box;
    for (Index i = 0; i < sets.size(); ++i)
      if (!is_of_sets(sets[i])) sets.low[i] = 0, sets.high[i] = 1;
    const Index splits = random_.below(30);
    const auto found = asked("log Z over sets", [&](const Budget& budget) {
      return branch_and_bound_log_z(
          problem.model, &sets,
          {.beta = given_.beta, .width = 0, .splits = splits, .budget = budget});
    });
    if (!found) return;
    const TrueElbo best_known = best_known_elbo(*truth_, given_.beta, box, {});
    at_most(found->log_z.high, best_known.value, best_known.off, "log Z over sets above the ELBO",
            found->basis == Basis::kAssumesSubmodular);
  }

  void check_agree(const Problem& first) {
    const auto second = ready(given_.other, given_.other_sets);
    if (!second) return;
    const Truth other(given_.other);
    const bool other_fails =
        given_.other.facts().submodularity == Submodularity::kAssumed && !other.submodular;
    const bool before = std::exchange(assumption_fails_, assumption_fails_ || other_fails);
    AgreeOptions how{.inverse_temperature = given_.beta, .seconds = 0.5, .no_guarantee = true};
    how.exact = random_.chance(0.7);
    const auto found = asked("agree", [&](const Budget& budget) {
      how.budget = budget;
      return agree(first, *second, how);
    });
    if (found) {
      Box both = given_.sets;
      for (Index i = 0; i < both.size(); ++i) {
        both.low[i] = std::max(both.low[i], given_.other_sets.low[i]);
        both.high[i] = std::min(both.high[i], given_.other_sets.high[i]);
      }
      std::vector<Quad> sums = truth_->values;
      for (std::size_t code = 0; code < sums.size(); ++code) sums[code] += other.values[code];
      const TrueLogZ a(*truth_, given_.sets, given_.beta);
      const TrueLogZ b(other, given_.other_sets, given_.beta);
      const TrueLogZ c(sums, truth_->error + other.error, both, given_.beta);
      const long double truth = c.log_z - a.log_z - b.log_z, off = a.off + b.off + c.off;
      const bool rests = found->bounds.basis == Basis::kAssumesSubmodular;
      if (found->bounds.pa_lower) at_least(*found->bounds.pa_lower, truth, off, "pa_lower", rests);
      if (found->bounds.pa_upper) at_most(*found->bounds.pa_upper, truth, off, "pa_upper", rests);
      if (found->bounds.pa_elbo_lower)
        at_least(*found->bounds.pa_elbo_lower, truth, off, "pa_elbo_lower", rests);
      const bool sum_rests = found->both.basis == Basis::kAssumesSubmodular;
      if (found->both.lower)
        at_least(*found->both.lower, c.log_z, c.off, "agree: Z+ lower", sum_rests);
      if (found->both.upper)
        at_most(*found->both.upper, c.log_z, c.off, "agree: Z+ upper", sum_rests);
    }
    assumption_fails_ = before;
  }

  void check_sample(const Problem& problem) {
    SampleOptions how{.count = 3, .inverse_temperature = given_.beta};
    how.method = random_.chance(0.5) ? "auto" : "perfect";
    const auto found = asked("sample", [&](const Budget& budget) {
      how.budget = budget;
      return sample(problem, how);
    });
    if (!found) return;
    for (const auto& set : found->sets) {
      std::vector<std::uint8_t> in(problem.size(), 0);
      for (const Index i : set) {
        if (i >= in.size()) return wrong("sample: an item that is none");
        in[i] = 1;
      }
      for (Index i = 0; i < in.size(); ++i)
        if (!given_.sets[i].contains(in[i])) return wrong("sample: a set outside the box");
    }
    if (found->complete && found->sets.size() != how.count) wrong("sample: not all sets are there");
  }

  void check_held_out() {
    const Index n = given_.model.size();
    const auto problem = ready(given_.model, unit_box(n));
    if (!problem || n == 0) return;
    const auto found = asked("log_z for held-out sets", [&](const Budget& budget) {
      LogZOptions how{.goal = random_.chance(0.5) ? LogZGoal::kWidth : LogZGoal::kExact};
      how.exact = how.goal == LogZGoal::kExact || random_.chance(0.5);
      how.budget = budget;
      return log_z(*problem, how);
    });
    if (!found || !found->is_bounded()) return;
    SetCollection data;
    data.items = n;
    long double mean = 0;
    for (Index k = 0; k < 2; ++k) {
      const std::size_t code = 1 + random_.below((std::size_t{1} << n) - 1);
      data.sets.emplace_back();
      for (std::uint32_t i = 0; i < n; ++i)
        if (code >> i & 1) data.sets.back().push_back(i);
      mean += static_cast<long double>(truth_->values[code]) / 2;
    }
    const auto judged = asked("held_out_likelihood", [&](const Budget& budget) {
      return held_out_likelihood(given_.model, data, {*found->lower, *found->upper},
                                 Support::kNonEmptySets, budget);
    });
    if (!judged || judged->value.count == 0) return;
    // Without the empty set: a sum over the others, which cancels nothing.
    Quad high = truth_->values[1];
    for (std::size_t code = 1; code < truth_->values.size(); ++code)
      high = std::max(high, truth_->values[code]);
    long double sum = 0;
    for (std::size_t code = 1; code < truth_->values.size(); ++code)
      sum += std::exp(static_cast<long double>(truth_->values[code] - high));
    const long double rest = static_cast<long double>(high) + std::log(sum);
    const TrueLogZ all(*truth_, unit_box(n), 1);
    const long double off = all.off + 1e-17L * std::abs(rest);
    const bool rests = found->basis == Basis::kAssumesSubmodular;
    at_least(judged->log_normaliser.low, rest, off, "held-out normaliser, low", rests);
    at_most(judged->log_normaliser.high, rest, off, "held-out normaliser, high", rests);
    // The mean of F is as computed: its rounding is beside the interval, which is of log Z.
    const double rounding =
        given_.model.facts().value_error +
        4 * kUnitRoundoff *
            (std::abs(static_cast<double>(mean)) + std::abs(static_cast<double>(rest)));
    const Interval likelihood = judged->log_likelihood();
    at_least(likelihood.low, mean - rest, off + rounding, "held-out likelihood, low", rests);
    at_most(likelihood.high, mean - rest, off + rounding, "held-out likelihood, high", rests);
  }
};

/// Every so many problems one is too large for the truth.
inline constexpr std::uint64_t kLargeEvery = 2048;

inline void run_torture_problem(std::uint64_t seed, Index most, Tally& tally) {
  const bool large = seed % kLargeEvery == kLargeEvery - 1;
  std::string family;
  std::optional<TortureProblem> problem;
  try {
    problem = large ? make_large_problem(seed, most, family) : make_torture_problem(seed, family);
    ++tally.problems[problem->family];
  } catch (const Error&) {
    ++tally.problems[family];
    ++tally.refused_models;
    return;
  } catch (const std::exception& error) {
    tally.wrong.push_back({seed, family + ": an exception that is no Error: " + error.what()});
    return;
  }
  try {
    Checks checks(*problem, tally);
    large ? checks.large() : checks.small();
  } catch (const Error& error) {
    tally.wrong.push_back({seed, family + ": an Error where none is expected: " + error.what()});
  } catch (const std::exception& error) {
    tally.wrong.push_back({seed, family + ": an exception that is no Error: " + error.what()});
  }
}

}  // namespace surefield::torture
