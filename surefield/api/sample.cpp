#include "surefield/api/sample.hpp"

#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr double kWidth = 0.1;  // of the tree's interval: nine draws of ten are kept
constexpr Index kSplits = 1'000'000;

std::vector<Index> members(const std::vector<std::uint8_t>& chosen, const Problem& problem) {
  std::vector<Index> set;
  for (Index i = 0; i < chosen.size(); ++i)
    if ((chosen[i] != 0) != (!problem.flips.empty() && problem.flips[i] != 0)) set.push_back(i);
  return set;
}

}  // namespace

SampleResult sample(const Problem& problem, const SampleOptions& options) {
  require(options.method == "auto" || options.method == "perfect" || options.method == "gibbs",
          "sample: the method '", options.method, "' is not known; there are auto, perfect, gibbs");
  const bool perfect =
      options.method == "perfect" || (options.method == "auto" && problem.is_submodular());
  SampleResult result;
  result.exact = perfect;
  result.method = perfect
                      ? "perfect: independent sets of exactly this distribution"
                      : "gibbs: approximate, 1000 sweeps before the first set and 10 between two";
  std::vector<std::vector<std::uint8_t>> sets;
  if (perfect) {
    LogZTree tree = log_z_tree(problem.model, &problem.box, options.inverse_temperature);
    refine_log_z(tree, {.beta = options.inverse_temperature,
                        .width = kWidth,
                        .splits = kSplits,
                        .budget = options.budget.part(0.5)});
    auto drawn = perfect_sample(tree, options.count, options.seed, options.budget);
    result.acceptance = drawn.acceptance();
    result.basis = problem.model.facts().basis();
    if (result.basis != Basis::kProved) result.method += ", if F is submodular, which is assumed";
    sets = std::move(drawn.sets);
  } else {
    sets = gibbs_sample(
        problem.model, options.count, &problem.box,
        {.beta = options.inverse_temperature, .seed = options.seed, .budget = options.budget});
  }
  result.complete = sets.size() == options.count;
  for (const auto& chosen : sets) result.sets.push_back(members(chosen, problem));
  return result;
}

}  // namespace surefield
