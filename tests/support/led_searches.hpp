// The searches that one process can lead and others help with (api/helping.hpp), each on small problems: branch and bound for log Z, the search
// by Harris' inequality, bounds by cases, and certificates by boxes, parts, covers, differences and spectra.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "surefield/api/certify.hpp"
#include "surefield/api/generate.hpp"
#include "surefield/api/helping.hpp"
#include "surefield/bounds/log_z/harris/harris_search.hpp"
#include "surefield/bounds/log_z/hoelder/conditioned.hpp"
#include "surefield/bounds/log_z/tree/branch_and_bound_log_z.hpp"
#include "surefield/core/packing.hpp"
#include "surefield/core/random.hpp"
#include "surefield/models/flid/flid.hpp"
#include "surefield/objectives/elbo.hpp"
#include "tests/support/random_pairwise.hpp"

namespace surefield::testing {

/// All that it finds, as bytes.
using LedSearch = std::function<std::string(Helpers*)>;

inline std::string bits_of(std::vector<double> numbers) { return packed(std::move(numbers)); }

inline LedSearch tree_search(const Problem& problem) {
  return [&](Helpers* helpers) {
    const auto found = branch_and_bound_log_z(
        problem.model, nullptr,
        {.beta = 1.5, .width = 1e-9, .splits = 2000, .marginals = true, .helpers = helpers});
    std::vector<double> all{found.log_z.low, found.log_z.high};
    for (const Interval& in : found.marginals) all.push_back(in.low), all.push_back(in.high);
    return bits_of(all);
  };
}

inline LedSearch harris_search(const Problem& problem) {
  return [&](Helpers* helpers) {
    const auto found = harris_log_z(
        problem.model, nullptr, {.beta = 1.5, .width = 1e-4, .entries = 2e6, .helpers = helpers});
    return bits_of(
        {found.log_z.low, found.log_z.high, found.entries, static_cast<double>(found.classes)});
  };
}

inline LedSearch cases_search(const Problem& problem) {
  return [&](Helpers* helpers) {
    const ConditionedOptions how{.beta = 1.5, .items = 3, .helpers = helpers};
    return bits_of({conditioned_lower_bound(problem.model, nullptr, how).bound,
                    conditioned_upper_bound(problem.model, nullptr, how).bound});
  };
}

/// So many boxes, and no gap is small enough.
inline std::function<LedSearch(const Problem&)> proof_search(double beta, std::size_t boxes) {
  return [=](const Problem& problem) -> LedSearch {
    return [&problem, beta, boxes](Helpers* helpers) {
      const std::vector<double> x(problem.size(), 0.5);
      const double value = Elbo(problem.model.at(x), beta).value();
      return packed(*certify(
          problem, x, value,
          {.inverse_temperature = beta, .wanted_gap = 0, .effort = boxes, .helpers = helpers}));
    };
  };
}

/// Items that exclude one another and are worth about the same.
inline AnyModel rival_items(Index n, Index dimensions, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> utility(n), weights(n * dimensions);
  for (double& u : utility) u = random.uniform(0, 2);
  for (double& w : weights) w = random.uniform(0, 3);
  return make_flid(utility, weights, dimensions);
}

/// visit(name, problem, search of it), for each.
template <class Visit>
void each_led_search(std::uint64_t seed, const Visit& use) {
  const auto visit = [&](const char* name, AnyModel model, const auto& search) {
    const Problem problem = make_problem(std::move(model), {}, {}, {.no_guarantee = true});
    use(name, problem, search(problem));
  };
  const auto model = [&](const char* kind, Index items, Index groups) {
    return generate(kind, {.items = items, .groups = groups, .seed = seed});
  };
  visit("branch and bound", model("coverage", 70, 60), tree_search);
  visit("harris", model("flid", 40, 5), harris_search);
  visit("cases", model("hypergraph-cut", 12, 14), cases_search);
  visit("boxes", model("gibbs", 10, 20), proof_search(2, 60));
  visit("boxes over parts", rival_items(12, 4, 13 + 2 * seed), proof_search(2, 24));
  visit("bounds of parts", model("flid", 40, 12), proof_search(2, 1));
  visit("boxes over covers", model("contested-coverage", 22, 40), proof_search(2, 12));
  visit("boxes over differences", model("fldc", 24, 6), proof_search(5, 60));
  visit("boxes over spectra", frustrated_field(9, seed), proof_search(2, 40));
}

}  // namespace surefield::testing
