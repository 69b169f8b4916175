#include "surefield/api/sample.hpp"

#include <optional>

#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/core/error.hpp"
#include "surefield/core/log_z_result.hpp"
#include "surefield/models/submodular_difference.hpp"

namespace surefield {
namespace {

constexpr double kWidth = 0.1;  // of the tree's interval: nine draws of ten are kept
constexpr Index kSplits = 1'000'000;
constexpr Index kTrialSplits = 20'000;  // a try, where it may lead nowhere
constexpr double kTooWide = 4;          // of the interval then: one draw of 50 is kept

std::vector<Index> members(const std::vector<std::uint8_t>& chosen, const Problem& problem) {
  std::vector<Index> set;
  for (Index i = 0; i < chosen.size(); ++i)
    if ((chosen[i] != 0) != (!problem.flips.empty() && problem.flips[i] != 0)) set.push_back(i);
  return set;
}

/// Refined; nothing where F is not submodular and nobody asked for perfect samples, if too few draws
/// would be kept.
std::optional<LogZTree> tree_to_draw_from(const Problem& problem, const SampleOptions& options) {
  const bool asked = options.method == "perfect" || problem.is_submodular();
  if (!asked && !submodular_difference(problem.model)) return std::nullopt;
  LogZTree tree = log_z_tree(problem.model, &problem.box, options.inverse_temperature);
  refine_log_z(tree, {.beta = options.inverse_temperature,
                      .width = kWidth,
                      .splits = asked ? kSplits : kTrialSplits,
                      .budget = options.budget.part(0.5)});
  if (!asked && tree.log_z().width() > kTooWide) return std::nullopt;
  return tree;
}

}  // namespace

SampleResult sample(const Problem& problem, const SampleOptions& options) {
  require(options.method == "auto" || options.method == "perfect" || options.method == "gibbs",
          "sample: the method '", options.method, "' is not known; there are auto, perfect, gibbs");
  SampleResult result;
  std::vector<std::vector<std::uint8_t>> sets;
  const auto tree = options.method == "gibbs" ? std::nullopt : tree_to_draw_from(problem, options);
  if (tree) {
    auto drawn = perfect_sample(*tree, options.count, options.seed, options.budget);
    const double error = problem.model.facts().times(options.inverse_temperature).value_error;
    result.exact = error <= kSixDigits;
    result.method = result.exact ? "perfect: independent sets of exactly this distribution"
                                 : message("perfect up to rounding: F is known to within ", error,
                                           ", and the chance of a set to a factor of as much");
    result.acceptance = drawn.acceptance();
    result.basis = tree->basis();
    if (result.basis == Basis::kAssumesSubmodular)
      result.method += ", if F is submodular, which is assumed";
    if (result.basis == Basis::kAssumesRounding)
      result.method += ", up to the rounding of its numbers, which is assumed";
    sets = std::move(drawn.sets);
  } else {
    result.method = "gibbs: approximate, 1000 sweeps before the first set and 10 between two";
    sets = gibbs_sample(
        problem.model, options.count, &problem.box,
        {.beta = options.inverse_temperature, .seed = options.seed, .budget = options.budget});
  }
  result.complete = sets.size() == options.count;
  for (const auto& chosen : sets) result.sets.push_back(members(chosen, problem));
  return result;
}

}  // namespace surefield
