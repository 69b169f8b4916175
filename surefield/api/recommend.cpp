#include "surefield/api/recommend.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "surefield/api/infer.hpp"
#include "surefield/api/log_z.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/numeric.hpp"
#include "surefield/core/stopwatch.hpp"

namespace surefield {
namespace {

constexpr double kUnchanged =
    1e-6;  // a smaller change of a marginal is none: mean field's tolerance

std::string name_of(const Problem& problem, Index i) {
  return problem.items.empty() ? message("item ", i) : message("item '", problem.items[i], "'");
}

bool is_flipped(const Problem& problem, Index i) {
  return !problem.flips.empty() && problem.flips[i] != 0;
}

/// The item in (v = 1) or out (v = 0) in the user's variables.
void settle(Problem& problem, Index i, double v) {
  problem.box.fix(i, is_flipped(problem, i) ? 1 - v : v);
}

void settle_all(Problem& problem, const std::vector<Index>& items, double v) {
  for (const Index i : items) {
    Interval now = problem.box[i];
    if (is_flipped(problem, i)) now = {1 - now.high, 1 - now.low};
    require(now.contains(v), "recommend: ", name_of(problem, i), " is to be ", v > 0 ? "in" : "out",
            ", but is bounded to [", now.low, ", ", now.high, "] already");
    settle(problem, i, v);
  }
}

void require_valid(const Problem& problem, const RecommendOptions& options) {
  require(std::isfinite(options.inverse_temperature) && options.inverse_temperature > 0,
          "recommend: the inverse temperature is ", options.inverse_temperature,
          ", which must be finite and > 0");
  require(options.method == "auto" || options.method == "exact" || options.method == "mean-field" ||
              options.method == "gain",
          "recommend: the method '", options.method,
          "' is not known; there are auto, exact, mean-field, gain");
  for (const auto* items : {&options.have, &options.out})
    for (const Index i : *items)
      require(i < problem.size(), "recommend: there is no item ", i, "; there are ", problem.size(),
              ", counted from 0");
  for (const Index i : options.have)
    require(std::ranges::find(options.out, i) == options.out.end(),
            "recommend: ", name_of(problem, i), " is both in the basket and out of it");
}

constexpr double kAboutAMoment = 1e8;  // operations, of an exact method that was not asked for

/// What an exact method finds, if one applies.
std::optional<LogZResult> exactly(const Problem& problem, const RecommendOptions& options) {
  if (options.method == "mean-field" || options.method == "gain") return std::nullopt;
  LogZResult found = log_z(problem, {.goal = LogZGoal::kExact,
                                     .inverse_temperature = options.inverse_temperature,
                                     .marginals = true,
                                     .budget = options.method == "exact"
                                                   ? options.budget
                                                   : options.budget.with_operations(kAboutAMoment)})
                         .sound();
  if (!found.exact || !found.marginals_exact) return std::nullopt;
  return found;
}

std::vector<double> middles(const std::vector<Interval>& intervals) {
  std::vector<double> values;
  for (const Interval& in : intervals) values.push_back(in.low + in.width() / 2);
  return values;
}

Result by_mean_field(const Problem& problem, const RecommendOptions& options, bool proof) {
  return infer(problem, {.inverse_temperature = options.inverse_temperature,
                         .seed = options.seed,
                         .quick_proof = proof,
                         .budget = options.budget});
}

/// Where nothing else applies: F is of any sign, so that mean field has no guarantee and may end far
/// from the basket.
bool is_by_gain(const Problem& problem, const RecommendOptions& options) {
  return options.method == "gain" || (options.method == "auto" && !problem.is_submodular());
}

/// P(i in S | all others as they are) with nothing in but what the box has in.
std::vector<double> chances_by_gain(const Problem& problem, const std::vector<double>& gains,
                                    const RecommendOptions& options) {
  const Box box = user_box(problem);
  std::vector<double> chances;
  for (Index i = 0; i < box.size(); ++i)
    chances.push_back(box[i].clamp(sigmoid(options.inverse_temperature * gains[i])));
  return chances;
}

Result by_gain(const Problem& problem, const Completion& completion,
               const RecommendOptions& options) {
  Result result;
  result.model_kind = problem.kind;
  result.items = problem.items;
  result.objective = "gain";
  result.algorithm = "gain";
  result.elbo = options.inverse_temperature * completion.start_value;  // of the basket alone
  result.marginals = chances_by_gain(problem, completion.gains, options);
  result.guarantee = problem.is_submodular()
                         ? std::string("exact, given that nothing else is put in")
                         : std::string(
                               "exact, given that nothing else is put in; beyond that none: "
                               "the model is not submodular: ")
                               .append(problem.violation);
  return result;
}

/// The marginals once more with a suggestion put in, by the method that made the first.
std::vector<double> marginals_with(Problem problem, Index item, bool exact,
                                   const RecommendOptions& options) {
  settle(problem, item, 1);
  if (!exact && is_by_gain(problem, options))
    return chances_by_gain(problem, greedy_gains(problem), options);
  if (exact)
    if (const auto found = exactly(problem, options)) return middles(found->marginals);
  return by_mean_field(problem, options, false).marginals;
}

void explain(Suggestion& suggestion, const Box& free, const std::vector<double>& before,
             const std::vector<double>& after, Index most) {
  for (Index i = 0; i < before.size(); ++i) {
    if (i == suggestion.item || free[i].is_point()) continue;
    const Effect effect{i, before[i], after[i]};
    if (effect.change() < -kUnchanged) suggestion.replaces.push_back(effect);
    if (effect.change() > kUnchanged) suggestion.complements.push_back(effect);
  }
  const auto keep = [&](std::vector<Effect>& effects) {
    std::ranges::stable_sort(effects, [](const Effect& a, const Effect& b) {
      return std::abs(a.change()) > std::abs(b.change());
    });
    effects.resize(std::min(effects.size(), most));
  };
  keep(suggestion.replaces);
  keep(suggestion.complements);
}

/// An exact answer as a result: there is no ELBO but log Z itself.
Result result_of(const LogZResult& exact, const Problem& problem) {
  Result result;
  result.model_kind = problem.kind;
  result.items = problem.items;
  result.objective = "marginals";
  result.algorithm = exact.marginals_method;
  result.elbo = exact.value;
  result.log_z_lower = exact.lower;
  result.log_z_upper = exact.upper;
  result.log_z_method = exact.method();
  result.log_z_exact = true;
  result.marginals = middles(exact.marginals);
  result.guarantee = "exact: the marginals are those of p(S) itself";
  return result;
}

}  // namespace

RecommendResult recommend(const Problem& given, const RecommendOptions& options) {
  const Stopwatch watch;
  require_valid(given, options);
  Problem problem = given;
  settle_all(problem, options.have, 1);
  settle_all(problem, options.out, 0);
  RecommendResult answer;
  answer.completion = greedy_completion(problem, options.budget);
  if (const auto exact = exactly(problem, options)) {
    answer.exact = true;
    answer.method = "exact, by " + exact->marginals_method;
    answer.result = result_of(*exact, problem);
  } else if (is_by_gain(problem, options)) {
    answer.method = "gain";
    answer.result = by_gain(problem, answer.completion, options);
  } else {
    require(options.method != "exact", "recommend: no exact method applies to this ", problem.kind,
            " of ", problem.size(), " items; --method mean-field does");
    answer.method = "mean field";
    answer.result = by_mean_field(problem, options, options.proof);
  }
  const Box box = user_box(problem);
  const auto& marginals = answer.result.marginals;
  std::vector<Index> free;
  for (Index i = 0; i < box.size(); ++i) {
    if (box.low[i] >= 1) answer.have.push_back(i);
    if (box.high[i] <= 0) answer.out.push_back(i);
    if (!box[i].is_point()) free.push_back(i);
  }
  answer.left = free.size();
  std::ranges::stable_sort(free, [&](Index a, Index b) { return marginals[a] > marginals[b]; });
  free.resize(std::min(free.size(), options.count));
  for (const Index i : free)
    answer.suggestions.push_back(
        {.item = i, .marginal = marginals[i], .gain = answer.completion.gains[i]});
  if (options.explain) {
    UserSet basket(problem);
    for (const Index i : answer.have) basket.add(i);
    for (Suggestion& suggestion : answer.suggestions) {
      if (options.budget.spent()) break;
      suggestion.because = reasons_for(suggestion.item, basket, answer.have, options.effects);
      explain(suggestion, box, marginals,
              marginals_with(problem, suggestion.item, answer.exact, options), options.effects);
    }
  }
  if (options.budget.spent()) answer.result.status = Status::kInterrupted;
  answer.result.command = "recommend";
  answer.result.seed = options.seed;
  answer.result.threads = options.budget.threads();
  answer.result.inverse_temperature = options.inverse_temperature;
  answer.result.seconds = watch.seconds();
  return answer;
}

}  // namespace surefield
