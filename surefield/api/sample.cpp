#include "surefield/api/sample.hpp"

#include "surefield/core/error.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/bounds/log_z/sampling/gibbs_sampling.hpp"
#include "surefield/bounds/log_z/sampling/perfect_sampling.hpp"

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
  const auto sets = std::visit(
      [&](const auto& model) {
        if (!perfect)
          return gibbs_sample(model, options.count, &problem.box,
                              {.beta = options.inverse_temperature, .seed = options.seed});
        auto tree = log_z_tree(model, &problem.box, options.inverse_temperature);
        CertifiedLogZOptions how{
            .beta = options.inverse_temperature, .width = kWidth, .splits = kSplits};
        how.observer = [&](const CertifiedLogZProgress&) {
          return !options.go_on || options.go_on();
        };
        refine_log_z(tree, how);
        auto drawn = perfect_sample(tree, options.count, options.seed);
        result.acceptance = drawn.acceptance();
        return std::move(drawn.sets);
      },
      problem.model);
  for (const auto& chosen : sets) result.sets.push_back(members(chosen, problem));
  return result;
}

}  // namespace surefield
